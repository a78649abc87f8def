// Command schedmath tells operators what schedulers would do and have done, from their own logs. Run
// it alone for its commands.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/audit"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/boost"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/cisplit"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/clusters"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/lab"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/starts"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/whatif"
	"github.com/schedmath/schedmath/internal/program"
)

// A command is one of the things that the program does.
type command struct {
	name, line, example string
	main                func(args []string, stdout, stderr io.Writer) int
}

var commands = []command{
	{"whatif", "what scheduling policies would do to the jobs of a log or table", "schedmath whatif -trace jobs.csv -html whatif.html", whatif.Main},
	{"audit", "who was owed how much of a cluster, when, and who had it instead", "schedmath audit -html audit.html sacct.txt", audit.Main},
	{"starts", "when each job that waits in a Slurm cluster will start", "schedmath starts -history sacct.txt now.txt", starts.Main},
	{"lab", "the same in a browser, for a log that is dropped there", "schedmath lab", lab.Main},
	{"cisplit", "divides tests among the runners of a CI by the times of earlier runs", "schedmath cisplit -runners 4 -out . report.xml", cisplit.Main},
	{"boost", "the few priority boosts by which Kueue serves by arrival and size", "kubectl get workloads -A -o json | schedmath boost", boost.Main},
	{"clusters", "what teams should bid on each of several clusters", "schedmath clusters -market teams.txt", clusters.Main},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run does what the arguments ask for and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		overview(stdout)
		return 0
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			overview(stdout)
			return 0
		}
		name, rest = rest[0], []string{"-help"}
	case "version", "-version", "--version":
		fmt.Fprintln(stdout, "schedmath", program.Version())
		return 0
	}
	for _, c := range commands {
		if c.name == name {
			return c.main(rest, stdout, stderr)
		}
	}
	return program.Exit(stderr, "schedmath", program.Usagef("there is no command %q: do you mean %s? (see schedmath help)", name, nearest(name)))
}

// overview prints what each command does, and how it is called.
func overview(w io.Writer) {
	fmt.Fprint(w, "schedmath COMMAND [flags] [files]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-9s %s\n            %s\n", c.name, c.line, c.example)
	}
	fmt.Fprintf(w, "  %-9s the flags of a command\n            schedmath help whatif\n  %-9s of the module, or the commit\n", "help", "version")
}

// nearest is the command that the fewest letters tell from a name.
func nearest(name string) string {
	best, least := "", 0
	for _, c := range append(commands, command{name: "help"}, command{name: "version"}) {
		if d := distance(name, c.name); best == "" || d < least {
			best, least = c.name, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out or changed to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // of a's first letters, to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := corner
			if a[i] != b[j] {
				changed++
			}
			corner = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
