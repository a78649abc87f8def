// Package program is what all programs of this repository have in common: flags, help and errors,
// names of files, progress, and work that runs side by side.
//
// A program is a function that takes arguments and the standard streams and returns an error:
//
//	func main() { os.Exit(program.Exit(os.Stderr, "name", run(os.Args[1:], os.Stdout))) }
//
//	func run(args []string, stdout io.Writer) error {
//		f := flag.NewFlagSet("name", flag.ContinueOnError)
//		n := f.Int("n", 1, "do it `N` times")
//		if done, err := program.Parse(f, args, stdout, help); done || err != nil {
//			return err
//		}
//		...
//	}
package program
