// Command shufflewatcher draws the figures of the ShuffleWatcher paper and checks its claims about
// them. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/shufflewatcher"
)

func main() { os.Exit(shufflewatcher.Main(os.Args[1:], os.Stdout, os.Stderr)) }
