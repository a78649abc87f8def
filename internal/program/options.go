package program

import (
	"flag"
	"os"
)

// Options are the flags that every example takes.
type Options struct {
	Out   string // directory for the files; it is made when missing
	Quick bool   // fewer repetitions
	Seed  uint64 // of all random draws
	Trace string // SWIM trace to replay; "" means the synthetic workload
}

// Flags returns a flag set, and o bound to its -out, -quick, -seed and, if trace is set, -trace. out
// is the default of -out, quick says what -quick does.
func Flags(name, out, quick string, trace bool) (*flag.FlagSet, *Options) {
	o := new(Options)
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&o.Out, "out", out, "write the files into `DIR`, made when missing")
	f.BoolVar(&o.Quick, "quick", false, quick)
	f.Uint64Var(&o.Seed, "seed", 1, "seed `N` of all random draws: the same seed gives the same files, byte for byte")
	if trace {
		f.StringVar(&o.Trace, "trace", "", "replay the SWIM trace `FILE` (plain or gzip; - is standard input) instead of the synthetic workload")
	}
	return f, o
}

// Prepare makes the directory that a run will write into, so that a directory that cannot be
// made ends it at its start.
func Prepare(dir string) error {
	if dir == "" {
		return Usagef("-out is empty, want a directory")
	}
	return os.MkdirAll(dir, 0o777)
}
