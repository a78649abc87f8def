// Command backfill plays logs of parallel machines under EASY, its variants and conservative
// backfill, and foretells starts. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/backfill"
)

func main() { os.Exit(backfill.Main(os.Args[1:], os.Stdout, os.Stderr)) }
