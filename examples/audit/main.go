// Command audit says from a log who was owed how much, when, and who had it instead. Run it with
// -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/audit"
)

func main() { os.Exit(audit.Main(os.Args[1:], os.Stdout, os.Stderr)) }
