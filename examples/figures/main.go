// Command figures draws every figure and writes a page of them. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/figures"
)

func main() { os.Exit(figures.Main(os.Args[1:], os.Stdout, os.Stderr)) }
