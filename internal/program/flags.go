package program

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/schedmath/schedmath"
)

// Exit codes of every program.
const (
	exitOK    = 0
	exitOther = 1 // something that no flag or file of the user's explains
	exitUsage = 2 // a bad flag or file

	exitInterrupted = 130 // as shells have it: 128 + SIGINT
)

// Usage is an error that the user's flags or files explain: one line on stderr and exit code 2.
type Usage struct{ Reason string }

// Error is the reason.
func (e *Usage) Error() string { return e.Reason }

// Usagef makes a *Usage.
func Usagef(format string, args ...any) error { return &Usage{fmt.Sprintf(format, args...)} }

// Parse parses args by the flags of f and two more: -help (or -h) prints help and the flags on
// stdout, -version the version, and both report done. Arguments that are no flags are an error, and
// so is an empty value, which an unset variable of a script would otherwise turn into the default.
func Parse(f *flag.FlagSet, args []string, stdout io.Writer, help string) (done bool, err error) {
	done, err = ParseFiles(f, args, stdout, help)
	if err == nil && !done && f.NArg() > 0 {
		err = Usagef("unexpected argument %q: every input is a flag (see -help)", f.Arg(0))
	}
	return done, err
}

// ParseFiles is Parse for a program that takes names of files behind its flags: f.Args.
func ParseFiles(f *flag.FlagSet, args []string, stdout io.Writer, help string) (done bool, err error) {
	f.Init(f.Name(), flag.ContinueOnError)
	f.SetOutput(io.Discard)
	asked := f.Bool("version", false, "print the version and end")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\nFlags:\n", help)
		f.SetOutput(stdout)
		f.PrintDefaults()
		return true, nil
	case err != nil:
		return false, Usagef("%v (see -help)", err)
	case *asked:
		fmt.Fprintln(stdout, f.Name(), Version())
		return true, nil
	}
	f.Visit(func(g *flag.Flag) {
		if err == nil && g.Value.String() == "" {
			err = Usagef("-%s is empty (see -help)", g.Name)
		}
	})
	for _, name := range f.Args() {
		if err == nil && (name == "" || name != "-" && strings.HasPrefix(name, "-")) {
			err = Usagef("the argument %q is no file; flags stand before files (see -help)", name)
		}
	}
	return false, err
}

// Version is that of the module that the program was built in, and of Go.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	words := []string{info.Main.Version, info.GoVersion}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			words = append(words, s.Value)
		}
	}
	return strings.Join(words, " ")
}

// List is the value of a flag that names several things, separated by commas.
func List(value string) []string {
	list := strings.Split(value, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// Given are the flags that were given, but for some.
func Given(f *flag.FlagSet, but ...string) (args []string) {
	f.Visit(func(g *flag.Flag) {
		if !slices.Contains(but, g.Name) {
			args = append(args, "-"+g.Name+"="+g.Value.String())
		}
	})
	return args
}

// Command is what a shell takes to run a program with the arguments.
func Command(line string, args []string) string {
	for _, a := range args {
		if strings.Trim(a, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%") != "" || a == "" {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		line += " " + a
	}
	return line
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
		if columns(stderr) > 0 {
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
