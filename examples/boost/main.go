// Command boost orders the workloads that wait in Kueue by arrival + c * longest run time, through
// the annotation kueue.x-k8s.io/priority-boost. It reads what kubectl get workloads -A -o json
// prints and writes the commands that set the boosts, as few as the new order needs.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"sort"
	"strconv"
	"time"
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

func main() {
	log.SetFlags(0)
	const usage = "kubectl get workloads -A -o json | boost | sh\nlets Kueue serve what waits by arrival + C x longest run time; boost alone changes nothing.\n"
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	overtake := flag.Float64("overtake", 1, "a workload may be overtaken by those that arrive within `C` times its longest run time")
	unknown := flag.Duration("unknown", time.Hour, "longest run time, a `DURATION` as 90m, of workloads that do not say")
	least, most := flag.Int("least", 0, "least boost, `N`"), flag.Int("most", 1000, "most boost, `N`; less than what is between two priorities")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *overtake, unknown.Seconds(), *least, *most); err != nil {
		log.Fatal("boost: ", err)
	}
}

func run(in io.Reader, out io.Writer, overtake, unknown float64, least, most int) error {
	if !(overtake >= 0 && overtake < 1e18) || unknown < 0 || least > most || least < -1<<30 || most > 1<<30 { // differences are within int32
		return fmt.Errorf("overtake by %v, run times of %v s, boosts from %d to %d: want numbers in [0, 1e18) and an interval within -2^30 and 2^30", overtake, unknown, least, most)
	}
	var list struct{ Items []workload }
	if err := json.NewDecoder(in).Decode(&list); err != nil {
		return fmt.Errorf("stdin is no list of workloads as kubectl get workloads -A -o json prints: %w", err)
	}
	waiting := slices.DeleteFunc(list.Items, func(w workload) bool {
		return slices.Contains(w.Status.Conditions, condition{"QuotaReserved", "True"}) || slices.Contains(w.Status.Conditions, condition{"Finished", "True"})
	})
	key := func(w workload) float64 {
		return float64(w.Metadata.CreationTimestamp.Unix()) + overtake*cmp.Or(w.Spec.MaximumExecutionTimeSeconds, unknown)
	}
	slices.SortFunc(waiting, func(a, b workload) int {
		return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a.Metadata.UID, b.Metadata.UID))
	})
	now := make([]int, len(waiting))
	for i, w := range waiting {
		now[i], _ = strconv.Atoi(w.Metadata.Annotations[annotation]) // none is 0
	}
	for i, b := range boosts(now, least, most) {
		if m := waiting[i].Metadata; b != now[i] {
			fmt.Fprintf(out, "kubectl annotate workload -n %s %s %s=%d --overwrite\n", m.Namespace, m.Name, annotation, b)
		}
	}
	return nil
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
