package report

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/schedmath/schedmath"
)

// Exit codes of every example.
const (
	exitOK    = 0
	exitOther = 1 // something that no flag or file of the user's explains
	exitUsage = 2 // a bad flag or file

	exitInterrupted = 130 // as shells have it: 128 + SIGINT
)

// Options are the flags that every example takes.
type Options struct {
	Out   string // directory for the files; it is made when missing
	Quick bool   // fewer repetitions
	Seed  uint64 // of all random draws
	Trace string // SWIM trace to replay; "" means the synthetic workload
}

// Usage is an error that the user's flags or files explain: one line on stderr and exit code 2.
type Usage struct{ Reason string }

// Error is the reason.
func (e *Usage) Error() string { return e.Reason }

// Usagef makes a *Usage.
func Usagef(format string, args ...any) error { return &Usage{fmt.Sprintf(format, args...)} }

// Flags returns a flag set that prints nothing by itself, and o bound to its -out, -quick, -seed
// and -trace. out is the default of -out, quick says what -quick does.
func Flags(name, out, quick string) (*flag.FlagSet, *Options) {
	o := new(Options)
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.Out, "out", out, "write the files into `DIR`, made when missing")
	f.BoolVar(&o.Quick, "quick", false, quick)
	f.Uint64Var(&o.Seed, "seed", 1, "seed `N` of all random draws: the same seed gives the same files, byte for byte")
	f.StringVar(&o.Trace, "trace", "", "replay the SWIM trace `FILE` (plain or gzip) instead of the synthetic workload")
	return f, o
}

// Parse parses args. It prints help and the flags on stdout and reports done when args ask for
// help; arguments that are no flags are an error, and so is an empty value, which an unset variable
// of a script would otherwise turn into the default.
func Parse(f *flag.FlagSet, args []string, stdout io.Writer, help string) (done bool, err error) {
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\nFlags:\n", help)
		f.SetOutput(stdout)
		f.PrintDefaults()
		return true, nil
	case err != nil:
		return false, Usagef("%v (see -help)", err)
	case f.NArg() > 0:
		return false, Usagef("unexpected argument %q: every input is a flag (see -help)", f.Arg(0))
	}
	f.Visit(func(g *flag.Flag) {
		if err == nil && g.Value.String() == "" {
			err = Usagef("-%s is empty (see -help)", g.Name)
		}
	})
	return false, err
}

// Exit says how a program ends: it prints err, if there is one, as one line on stderr and returns
// the exit code.
func Exit(stderr io.Writer, name string, err error) int {
	if err == nil {
		return exitOK
	}
	line := strings.Join(strings.Fields(err.Error()), " ")
	var interrupted *Interrupted
	if errors.As(err, &interrupted) {
		if isTerminal(stderr) {
			fmt.Fprintln(stderr) // below the progress bar
		}
		fmt.Fprintf(stderr, "%s: %s\n", name, line)
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "%s: %s\n", name, line)
	var usage *Usage
	var path *fs.PathError
	if errors.As(err, &usage) || errors.As(err, &path) || errors.Is(err, schedmath.ErrInput) {
		return exitUsage
	}
	return exitOther
}
