// Command dynprio draws Figures 1 and 3 to 11 and Table 3 of the Dynamic Priority paper and checks
// its claims about them. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/dynprio"
)

func main() { os.Exit(dynprio.Main(os.Args[1:], os.Stdout, os.Stderr)) }
