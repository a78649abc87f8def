package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// A node is a tenant in the tree, an organisation, a team, or who has a key: fields of the file first.
type node struct {
	Name       string
	Weight     float64  // share among its siblings
	Cap, Queue int      // most requests at the backend, and of all below it that wait; 0: no limit, or -queue for who has no children
	Keys       []string // of who has no children; sha256: and a hash in place of a key
	Children   []*node  // who share what it gets

	name, flow string // with those above it, and in the queue: / is the end of who has children
	parent     *node
	places     int // requests that wait, come in or are free, at or below it
	*leaf          // nil for who has children
}

// move changes the places of a node and of all above it.
func (n *node) move(by int) {
	for ; n != nil; n = n.parent {
		n.places += by
	}
}

// A config is a file of tenants, checked.
type config struct {
	nodes []*node                      // parents before children
	names map[string]*node             // by flow
	keys  map[[sha256.Size]byte]string // names, by the hashes of their keys
}

// A report of so many tenants with such names fits into one message of NATS.
const mostTenants, longestName = 10_000, 64

var nameForm = regexp.MustCompile(`^[\pL\pN._@+:-]+$`)

// readConfig reads a file of tenants. queue is how many may wait for who has no children and no own limit.
func readConfig(file string, queue int) (*config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var tenants []*node
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	c := &config{names: map[string]*node{}, keys: map[[sha256.Size]byte]string{}}
	if err = d.Decode(&tenants); err == nil {
		err = c.add(nil, tenants, queue)
	}
	if _, more := d.Token(); err == nil && (more != io.EOF || len(c.nodes) > mostTenants) {
		err = fmt.Errorf("want one list of at most %d tenants", mostTenants)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return c, err
}

func (c *config) add(parent *node, tenants []*node, queue int) error {
	for _, n := range tenants {
		if n == nil {
			return errors.New("a tenant is null")
		}
		if n.name, n.parent = n.Name, parent; parent != nil {
			n.name = parent.flow + n.Name
		}
		if n.flow = n.name + "/"; len(n.Children) == 0 {
			n.flow, n.leaf, n.Queue = n.name, &leaf{node: n}, cmp.Or(n.Queue, queue)
		}
		switch {
		case !nameForm.MatchString(n.Name) || len(n.name) > longestName:
			return fmt.Errorf("tenant %q: want letters, digits and ._@+:-, and at most %d bytes with those above it", n.name, longestName)
		case c.names[n.name] != nil || c.names[n.name+"/"] != nil:
			return fmt.Errorf("tenant %s is there twice", n.name)
		case !(n.Weight >= 1e-6 && n.Weight <= 1e6) || n.Cap < 0 || n.Queue < 0:
			return fmt.Errorf("tenant %s: weight %v, cap %d and queue %d: want a weight in [1e-6, 1e6], others of 0 or more", n.name, n.Weight, n.Cap, n.Queue)
		case n.leaf == nil && len(n.Keys) > 0:
			return fmt.Errorf("tenant %s has children and keys: want keys of its children alone", n.name)
		}
		c.nodes, c.names[n.flow] = append(c.nodes, n), n
		for i, key := range n.Keys {
			sum, err := hashed(key)
			if other, ok := c.keys[sum]; ok {
				err = fmt.Errorf("is one of %s as well", other)
			}
			if err != nil {
				return fmt.Errorf("tenant %s: key %d: %w", n.name, i, err)
			}
			c.keys[sum] = n.name
		}
		if err := c.add(n, n.Children, queue); err != nil {
			return err
		}
	}
	return nil
}

// hashed returns the hash of a key, in whose place it may stand.
func hashed(key string) (sum [sha256.Size]byte, err error) {
	text, is := strings.CutPrefix(key, "sha256:")
	if !is && key != "" {
		return sha256.Sum256([]byte(key)), nil
	}
	b, err := hex.DecodeString(text)
	if copy(sum[:], b); err != nil || len(b) != len(sum) {
		err = errors.New("want a key, or sha256: and 64 hexadecimal digits")
	}
	return sum, err
}
