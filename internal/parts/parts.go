// Package parts divides a run of a program among many machines: -part K/N writes into a file what
// one part makes, -join reads the files of all parts.
package parts

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// A Share is which part of a run is made, from 1, of how many.
type Share struct{ Part, Of int }

const mostParts = 100_000

// Parse reads the values of -part and of -out, the file that the part is written into, which is none
// of the inputs.
func Parse(text, out string, inputs ...string) (s Share, err error) {
	part, of, ok := strings.Cut(text, "/")
	if s.Part, err = strconv.Atoi(part); err == nil && ok {
		s.Of, err = strconv.Atoi(of)
	}
	if err != nil || !s.valid() {
		return Share{}, program.Usagef("-part is %q, want a part and how many there are, such as 3/16, at most %d", text, mostParts)
	}
	if out == "" {
		return Share{}, program.Usagef("-part writes into one file: want -part %s -out FILE", text)
	}
	return s, program.Place("out", out, inputs...)
}

func (s Share) valid() bool { return 1 <= s.Part && s.Part <= s.Of && s.Of <= mostParts }

// Deals says whether a piece, counted from 0, is of the part when pieces are dealt out like cards.
func (s Share) Deals(piece int) bool { return piece%s.Of == s.Part-1 }

// Cut is the part of n pieces when neighbours stay together: those from one on and before another.
func (s Share) Cut(n int) (from, to int) { return (s.Part - 1) * n / s.Of, s.Part * n / s.Of }

// A Run is what all parts of a run have in common.
type Run struct {
	Program string   `json:"program"`
	Version string   `json:"version"` // of the program
	Of      int      `json:"of"`      // how many parts
	Args    []string `json:"args"`    // the flags without those of the part
	Digest  string   `json:"digest"`  // of the settings and of what is read
}

// A file is what -part writes.
type file struct {
	Run
	Part int    `json:"part"`
	Made []byte `json:"made"` // a gob, which keeps each float64 as it is
	Sum  []byte `json:"sum"`  // SHA-256 of Made
}

// Write writes what a part of a run has made: so many of all pieces, of which noun is the name. It
// says so on stderr.
func (r Run) Write(name string, s Share, pieces, all int, noun string, made any, stderr io.Writer) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(made); err != nil {
		return err
	}
	r.Of, r.Version = s.Of, program.Version()
	sum := sha256.Sum256(b.Bytes())
	text, err := json.Marshal(file{r, s.Part, b.Bytes(), sum[:]})
	if err == nil {
		err = program.WriteFile(name, append(text, '\n'))
	}
	if err != nil {
		return err
	}
	none := ""
	if pieces == 0 {
		none = fmt.Sprintf(": there are only %d in %d parts", all, s.Of)
	}
	fmt.Fprintf(stderr, "%s: wrote %s of part %d of %d into %s%s\n", r.Program, numbers.Count(pieces, noun), s.Part, s.Of, name, none)
	return nil
}

// A Joined is a run of which parts were made.
type Joined[M any] struct {
	Run
	Made    []M   // by part, without those that are missing
	Missing []int // parts, from 1
}

// Read reads what Write has written: parts of one run of this version of a program, none of them
// twice. M is the type of what they have made.
func Read[M any](name string, files []string) (*Joined[M], error) {
	if len(files) == 0 {
		return nil, program.Usagef("-join wants the files of the parts behind the flags: -join part*.json")
	}
	var first file
	made, from := map[int]M{}, map[int]string{}
	for i, path := range files {
		var f file
		var m M
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &f); err != nil || f.Program != name || !(Share{f.Part, f.Of}).valid() {
			return nil, program.Usagef("%s is no part of a run of %s", path, name)
		}
		if f.Version != program.Version() {
			return nil, program.Usagef("%s is of another version of %s, %s, than this, %s", path, name, f.Version, program.Version())
		}
		if i == 0 {
			first = f
		}
		switch {
		case f.Of != first.Of || f.Digest != first.Digest:
			return nil, program.Usagef("%s is part of another run than %s", path, files[0])
		case from[f.Part] != "":
			return nil, program.Usagef("%s and %s are both part %d", from[f.Part], path, f.Part)
		}
		if sum := sha256.Sum256(f.Made); !bytes.Equal(sum[:], f.Sum) {
			return nil, program.Usagef("%s is damaged: what it holds has another checksum", path)
		}
		if err := gob.NewDecoder(bytes.NewReader(f.Made)).Decode(&m); err != nil {
			return nil, program.Usagef("%s is damaged: %v", path, err)
		}
		made[f.Part], from[f.Part] = m, path
	}
	j := &Joined[M]{Run: first.Run}
	for part := 1; part <= j.Of; part++ {
		if m, ok := made[part]; ok {
			j.Made = append(j.Made, m)
		} else {
			j.Missing = append(j.Missing, part)
		}
	}
	return j, nil
}

// Lacks names the parts that are missing.
func (j *Joined[M]) Lacks() string {
	if len(j.Missing) == 1 {
		return fmt.Sprintf("part %d of %d is missing", j.Missing[0], j.Of)
	}
	return fmt.Sprintf("the parts %s of %d are missing", numbers.Words(j.Missing, ", ", strconv.Itoa), j.Of)
}
