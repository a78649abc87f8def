// Command whatif compares scheduling policies on a trace. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/whatif"
)

func main() { os.Exit(whatif.Main(os.Args[1:], os.Stdout, os.Stderr)) }
