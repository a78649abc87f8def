//go:build !js

package parts

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// Hash is what digests are made by.
func Hash() hash.Hash { return sha256.New() }

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
		case f.Of != first.Of:
			return nil, program.Usagef("%s is part %d of %d beside %s, part %d of %d: a part that is made again has the same number of parts", path, f.Part, f.Of, files[0], first.Part, first.Of)
		case f.Digest != first.Digest:
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
