package parts

import (
	"hash"
	"hash/fnv"
	"io"

	"github.com/schedmath/schedmath/internal/program"
)

// In a browser there are no files of parts, and a program is smaller without what writes them.
var errBrowser = program.Usagef("a browser has no files of parts")

// Hash is what digests are made by.
func Hash() hash.Hash { return fnv.New128a() }

// Write is an error.
func (r Run) Write(string, Share, int, int, string, any, io.Writer) error { return errBrowser }

// Read is an error.
func Read[M any](string, []string) (*Joined[M], error) { return nil, errBrowser }
