// Command dynamicshare draws Figures 1, 4 to 6 and 8 to 12 of the DynamicShare paper and checks its
// claims about them. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/dynamicshare"
)

func main() { os.Exit(dynamicshare.Main(os.Args[1:], os.Stdout, os.Stderr)) }
