package browser

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var measured = flag.Bool("times", false, "print how long the lab takes on logs of 10,000 and 100,000 jobs, and its memory")

// TestTimes prints, with -times alone, what a user of the lab waits for. It judges nothing: a busy
// machine is slow.
func TestTimes(t *testing.T) {
	if !*measured {
		t.Skip("prints wall times, with -times alone")
	}
	url := lab(t)
	var begin time.Time
	report := func(what string) { fmt.Printf("%-64s %6.2f s\n", what, time.Since(begin).Seconds()) }
	// A file that is chosen clears the ticks of the policies: they are set anew before it is read.
	drop := func(policies string, jobs int) *tab {
		file := synthetic(t, jobs)
		begin = time.Now()
		b := open(t, url, 1200, "light")
		b.is(`window.lab`)
		b.do(chromedp.Evaluate[chromedp.Void](`addEventListener("change", () => lab.state.set("policies", "` + policies + `"))`))
		b.drop(file)
		b.is(fmt.Sprintf(`lab.tabs.whatif.document?.command.includes("log%d.swf") && document.querySelector("#panel-whatif .drawn svg")`, jobs))
		report(fmt.Sprintf("%d jobs: first pictures, of fcfs and easy, with audits", jobs))
		b.is(`lab.tabs.whatif.text && ` + ended)
		return b
	}
	drop("easy", 100_000)
	report("and with forecasts")
	fmt.Printf("%-64s %6d MB\n", "memory of the largest renderer, at most", peak())
	b := drop("fcfs,easy,conservative,easy-sjbf,easy++,srpt,hfsp,easy-true", 10_000)
	report(b.text(`lab.tabs.whatif.document.rows.length`) + " policies with audits")
}

// synthetic is a log in SWF of so many jobs on 128 processors, at a load of .8 or so.
func synthetic(t *testing.T, jobs int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("; MaxProcs: 128\n")
	now := 0.
	for i := range jobs {
		run, size := 1+int(3000*r.ExpFloat64()), 1<<r.IntN(7)
		now += 532 * r.ExpFloat64()
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 1 -1 -1\n", i+1, int(now), run, size, size, run*(1+r.IntN(5)), r.IntN(40))
	}
	name := filepath.Join(t.TempDir(), fmt.Sprintf("log%d.swf", jobs))
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// peak is the most memory in MB that a renderer of the machine has had so far; 0 where /proc does not say.
func peak() (most int) {
	list, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range list {
		line, _ := os.ReadFile(name)
		status, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "status"))
		_, rest, found := strings.Cut(string(status), "VmHWM:")
		kB := 0
		if _, err := fmt.Sscan(rest, &kB); found && err == nil && strings.Contains(string(line), "--type=renderer") {
			most = max(most, kB/1000)
		}
	}
	return most
}
