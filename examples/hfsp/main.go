// Command hfsp draws the figures and Table II of the HFSP paper and checks its claims about them.
// Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/hfsp"
)

func main() { os.Exit(hfsp.Main(os.Args[1:], os.Stdout, os.Stderr)) }
