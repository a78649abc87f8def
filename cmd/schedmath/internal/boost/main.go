// Package boost is the command that orders the workloads that wait in Kueue by arrival + c * longest run time, through
// the annotation kueue.x-k8s.io/priority-boost. It reads what kubectl get workloads -A -o json
// prints and writes the commands that set the boosts, as few as the new order needs.
package boost

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/internal/program"
)

const annotation = "kueue.x-k8s.io/priority-boost"

type workload struct {
	Metadata struct {
		Namespace, Name, UID string
		CreationTimestamp    time.Time
		Annotations          map[string]string
	}
	Spec   struct{ MaximumExecutionTimeSeconds float64 }
	Status struct{ Conditions []condition }
}

type condition struct{ Type, Status string }

// waits is a workload that waits.
type waits struct {
	namespace, name, uid string
	key                  float64
	boost                int
}

const help = `kubectl get workloads -A -o json | schedmath boost | sh
lets Kueue serve what waits by arrival + C x longest run time; schedmath boost alone changes nothing.
`

// validName is what Kubernetes takes for the name of an object: nothing that a shell reads as more.
var validName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// Main is the command: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return program.Exit(stderr, "schedmath boost", run(args, os.Stdin, stdout))
}

func run(args []string, in io.Reader, out io.Writer) error {
	f := flag.NewFlagSet("schedmath boost", flag.ContinueOnError)
	overtake := f.Float64("overtake", 1, "a workload may be overtaken by those that arrive within `C` times its longest run time")
	unknown := f.Duration("unknown", time.Hour, "longest run time, a `DURATION` as 90m, of workloads that do not say")
	least, most := f.Int("least", 0, "least boost, `N`"), f.Int("most", 1000, "most boost, `N`; less than what is between two priorities")
	if done, err := program.Parse(f, args, out, help); done || err != nil {
		return err
	}
	if !(*overtake >= 0 && *overtake < 1e18) || *unknown < 0 || *least > *most || *least < -1<<30 || *most > 1<<30 { // differences are within int32
		return program.Usagef("overtake by %v, run times of %v, boosts from %d to %d: want numbers in [0, 1e18) and an interval within -2^30 and 2^30", *overtake, *unknown, *least, *most)
	}
	var waiting []waits
	err := read(in, func(i int, w *workload) error {
		m := &w.Metadata
		switch {
		case !validName.MatchString(m.Namespace) || !validName.MatchString(m.Name):
			return program.Usagef("workload %d of stdin has the name %q in the namespace %q: want letters a to z, digits, dots and dashes, since they go to a shell", i, m.Name, m.Namespace)
		case slices.Contains(w.Status.Conditions, condition{"QuotaReserved", "True"}), slices.Contains(w.Status.Conditions, condition{"Finished", "True"}):
			return nil
		}
		boost, _ := strconv.Atoi(m.Annotations[annotation]) // none is 0
		key := float64(m.CreationTimestamp.Unix()) + *overtake*cmp.Or(w.Spec.MaximumExecutionTimeSeconds, unknown.Seconds())
		waiting = append(waiting, waits{m.Namespace, m.Name, m.UID, key, boost})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(waiting, func(a, b waits) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.uid, b.uid)) })
	now := make([]int, len(waiting))
	for i, w := range waiting {
		now[i] = w.boost
	}
	var commands strings.Builder
	for i, b := range boosts(now, *least, *most) {
		if w := waiting[i]; b != now[i] {
			fmt.Fprintf(&commands, "kubectl annotate workload -n %s %s %s=%d --overwrite\n", w.namespace, w.name, annotation, b)
		}
	}
	_, err = io.WriteString(out, commands.String())
	return err
}

// read tells of each item of a list, one in memory at a time.
func read(in io.Reader, each func(i int, w *workload) error) error {
	d := json.NewDecoder(in)
	bad := func(err error) error {
		return program.Usagef("stdin is no list of workloads as kubectl get workloads -A -o json prints: %v", err)
	}
	// next takes a token that must be a delimiter; null stands for an empty list.
	next := func(want json.Delim) (null bool, err error) {
		token, err := d.Token()
		if err == nil && token != nil && token != want {
			err = fmt.Errorf("%v stands where %v should", token, want)
		}
		if err != nil {
			err = bad(err)
		}
		return token == nil, err
	}
	if _, err := next('{'); err != nil {
		return err
	}
	found := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return bad(err)
		}
		if name, _ := key.(string); !strings.EqualFold(name, "items") {
			if err := d.Decode(new(json.RawMessage)); err != nil {
				return bad(err)
			}
			continue
		}
		found = true
		if null, err := next('['); err != nil {
			return err
		} else if null {
			continue
		}
		for i := 0; d.More(); i++ {
			var w workload
			if err := d.Decode(&w); err != nil {
				return bad(err)
			}
			if err := each(i, &w); err != nil {
				return err
			}
		}
		if _, err := next(']'); err != nil {
			return err
		}
	}
	_, err := next('}')
	if err == nil && !found {
		err = bad(errors.New("it has no items"))
	}
	return err
}

// boosts returns numbers from most down to least, each less than the one before, that differ from
// now in few places. now[i] is the number that the i-th in the order has. Of more than most - least
// numbers those at the end are least.
//
// Places i < j can both keep their numbers if now[j] + j <= now[i] + i. The longest such chain is
// kept, O(n log n), and the others are spread between: no fewer can change. Where that were more
// than 8 and a 16th of all, all are spread over the middle third anew, so that there is room again.
func boosts(now []int, least, most int) []int {
	n := max(0, min(len(now), most-least))
	ends, before := []int{}, make([]int, n) // of the best chain of each length its last place; the place before each
	for i := range n {
		if now[i] > most-i || now[i] < least+n-i {
			continue // no room for those before it or behind it
		}
		l := sort.Search(len(ends), func(l int) bool { return now[ends[l]]+ends[l] < now[i]+i })
		if l == len(ends) {
			ends = append(ends, i)
		}
		if ends[l] = i; l > 0 {
			before[i] = ends[l-1]
		}
	}
	keep := slices.Clone(ends)
	for l := len(keep) - 2; l >= 0; l-- {
		keep[l] = before[keep[l+1]]
	}
	step := max(1, (most-least)/(3*n+1)) // above the first and below the last that are kept
	top := max(most+1-(most-least)/3, least+n+1)
	bottom := max(least, top-step*(n+1))
	if n-len(keep) > 8+n/16 {
		keep = nil
	} else if len(keep) > 0 {
		first, last := keep[0], keep[len(keep)-1]
		top, bottom = min(most+1, now[first]+step*(first+1)), max(least, now[last]-step*(n-last))
	}
	next := slices.Repeat([]int{least}, len(now))
	now, place := append(slices.Clone(now[:n]), bottom), -1
	for _, i := range append(keep, n) {
		for p := place + 1; p <= i && p < n; p++ {
			next[p] = top - (p-place)*(top-now[i])/(i-place)
		}
		place, top = i, now[i]
	}
	return next
}
