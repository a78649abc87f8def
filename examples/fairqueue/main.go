// Command fairqueue plays four fair queues of schedulers in use, each on a scenario that goes
// wrong, beside fairqueue.Queue. Run it with -help.
package main

import (
	"os"

	"github.com/schedmath/schedmath/examples/internal/fairqueue"
)

func main() { os.Exit(fairqueue.Main(os.Args[1:], os.Stdout, os.Stderr)) }
