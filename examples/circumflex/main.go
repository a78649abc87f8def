// Command circumflex draws Figures 1 to 9 of the CIRCUMFLEX paper and checks its claims about
// them. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/circumflex"
)

func main() { os.Exit(circumflex.Main(os.Args[1:], os.Stdout, os.Stderr)) }
