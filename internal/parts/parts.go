// Package parts divides a run of a program among many machines: -part K/N writes into a file what
// one part makes, -join reads the files of all parts.
package parts

import (
	"fmt"
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

// A Joined is a run of which parts were made.
type Joined[M any] struct {
	Run
	Made    []M   // by part, without those that are missing
	Missing []int // parts, from 1
}

// Lacks names the parts that are missing.
func (j *Joined[M]) Lacks() string {
	if len(j.Missing) == 1 {
		return fmt.Sprintf("part %d of %d is missing", j.Missing[0], j.Of)
	}
	return fmt.Sprintf("the parts %s of %d are missing", numbers.Words(j.Missing, ", ", strconv.Itoa), j.Of)
}
