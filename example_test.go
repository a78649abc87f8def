package schedmath_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
)

// A scheduler of 100 slots: a rough size when a job arrives, a better one after its sample tasks, and at each decision the job
// that fair sharing would finish first.
func Example() {
	jobs, err := aging.NewCluster[string](100)
	if err != nil {
		panic(err)
	}
	arrive := func(id string, tasks int) {
		size, _ := estimate.InitialSize(tasks, 30, 1) // past tasks took 30 s
		if err := jobs.Add(id, aging.Job{Work: size, Slots: float64(tasks)}); err != nil {
			fmt.Println(err)
		}
	}
	arrive("report", 400)
	arrive("query", 20)
	jobs.Advance(12)                                       // seconds since the last event
	size, _ := estimate.PhaseSize([]float64{4, 5, 6}, 400) // three of the report's tasks are done
	jobs.Reestimate("report", size)
	jobs.Complete("query") // done in reality: it only ages on

	arrive("import", 50)
	for id, job := range jobs.All(aging.ByFinish) {
		fmt.Printf("%s: %.0f slot-seconds left\n", id, job.Work)
	}
	// Output:
	// report: 1040 slot-seconds left
	// import: 1500 slot-seconds left
}

// TestReadme compares the example in the README with the one that is run.
func TestReadme(t *testing.T) {
	read := func(name, from, to string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, s, ok := strings.Cut(string(b), from)
		s, _, ok2 := strings.Cut(s, to)
		if !ok || !ok2 {
			t.Fatalf("%s: no text between %q and %q", name, from, to)
		}
		var lines []string
		for line := range strings.Lines(s) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	got := read("README.md", "```go\n", "```")
	want := read("example_test.go", "func Example() {\n", "// Output:")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("README.md's example differs from Example (-run, +printed):\n%s", diff)
	}
}
