package program

import (
	"io"
	"os"
)

// Reading opens a file as Open does, and counts on w the megabytes that have been read of it, unless
// it has less than two or its size is unknown. what says who reads.
func Reading(name string, w io.Writer, what string) (io.ReadCloser, error) {
	in, err := Open(name)
	if f, ok := in.(*os.File); ok && err == nil {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() >= 2<<20 {
			return &counted{in, NewProgress(w, what+": MB of "+name, int(info.Size()>>20)), 0}, nil
		}
	}
	return in, err
}

// counted is a file with the number of bytes that have been read.
type counted struct {
	io.ReadCloser
	progress *Progress
	bytes    int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	before := c.bytes >> 20
	c.bytes += int64(n)
	if more := c.bytes>>20 - before; more > 0 {
		c.progress.Add(int(more))
	}
	return n, err
}

// Close closes the file and takes the bar away.
func (c *counted) Close() error {
	c.progress.Done()
	return c.ReadCloser.Close()
}
