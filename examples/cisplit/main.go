// Command cisplit divides tests among the runners of a CI so that the last runner ends early, by
// the times in reports of JUnit (.xml) or of go test -json. It tells when only smaller tests help.
package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/partition"
)

func main() {
	log.SetFlags(0)
	const usage = "cisplit -runners 4 report.xml ...\ndivides the tests of reports of JUnit (.xml: classes) or go test -json (packages) among runners.\n"
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	runners := flag.Int("runners", 2, "divide tests among `N` runners of a CI")
	out := flag.String("out", ".", "write runner-0.txt and so on, a test a line, into `DIR`, which exists")
	list := flag.String("list", "", "run the tests in `FILE`, a line each, those without a time spread evenly; default: those of the reports")
	lost := flag.Int("lost", -1, "runner `I` is lost: divide what is in DIR anew, and move little else")
	flag.Parse()
	seconds := map[string]float64{}
	for _, report := range flag.Args() {
		if err := read(seconds, must(os.ReadFile(report)), filepath.Ext(report) == ".xml"); err != nil {
			log.Fatalf("cisplit: %s: %v", report, err)
		}
	}
	names := slices.Sorted(maps.Keys(seconds))
	if *list != "" {
		names = lines(*list)
	}
	if len(names) == 0 || *runners < 1 || *lost < -1 || *lost >= *runners {
		log.Fatalf("cisplit: %d tests, %d runners, runner %d lost: want reports or a -list with tests, and a runner (see -help)", len(names), *runners, *lost)
	}
	file := func(runner int) string { return filepath.Join(*out, fmt.Sprintf("runner-%d.txt", runner)) }
	o := partition.Options{Method: partition.Best, Unknown: true}
	holder := map[string]int{} // runner + 1; 0: none
	if *lost >= 0 {
		o.Ready = make([]float64, *runners)
		o.Ready[*lost] = math.Inf(1) // it takes nothing
		o.MoveCost = .1              // a test moves if that ends the run earlier by a tenth of its time
		for runner := range *runners {
			for _, name := range lines(file(runner)) {
				holder[name] = runner + 1
			}
		}
	}
	var sizes []float64
	for _, name := range names {
		size, known := seconds[name]
		if !known {
			size = math.NaN()
		}
		sizes, o.Previous = append(sizes, size), append(o.Previous, holder[name]-1)
	}
	plan := must(partition.Assign(*runners, sizes, func(_ int, total float64) float64 { return total }, o))
	texts := make([]string, *runners)
	for i, runner := range plan.Of {
		texts[runner] += names[i] + "\n"
	}
	for runner, text := range texts {
		must(0, os.WriteFile(file(runner), []byte(text), 0o666))
	}
	fmt.Printf("the last runner ends after %.1f s; in no split it ends before %.1f s\n", plan.NetMakespan, plan.Bound)
	if k := plan.Critical; k >= 0 {
		fmt.Printf("no split and no more runners make that shorter unless %s is divided\n", names[k])
	}
}

// read adds the seconds of each class of a JUnit report, or each package of one of go test -json.
func read(seconds map[string]float64, text []byte, junit bool) error {
	if junit {
		type test struct {
			Class string  `xml:"classname,attr"`
			Time  float64 `xml:"time,attr"`
		}
		var report struct { // <testsuites> or a <testsuite> alone
			Of  []test `xml:"testsuite>testcase"`
			One []test `xml:"testcase"`
		}
		err := xml.Unmarshal(text, &report)
		for _, t := range append(report.Of, report.One...) {
			seconds[t.Class] += t.Time
		}
		return err
	}
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var event struct {
			Action, Package, Test string
			Elapsed               float64
		}
		if err := d.Decode(&event); err != nil {
			return err
		}
		if event.Test == "" && (event.Action == "pass" || event.Action == "fail") {
			seconds[event.Package] += event.Elapsed
		}
	}
	return nil
}

func lines(name string) []string { // sorted, each once
	list := strings.FieldsFunc(string(must(os.ReadFile(name))), func(r rune) bool { return r == '\n' || r == '\r' })
	slices.Sort(list)
	return slices.Compact(list)
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal("cisplit: ", err)
	}
	return v
}
