package lab

import (
	"io"

	"github.com/schedmath/schedmath/internal/program"
)

// Main is an error: a browser serves no page.
func Main(_ []string, _, stderr io.Writer) int {
	return program.Exit(stderr, "schedmath lab", program.Usagef("a browser serves no page"))
}
