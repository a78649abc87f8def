package backfill_test

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// arrival is a job of a log: when it arrives, for how long it runs in truth, and what it asks for.
type arrival struct {
	at, run float64
	job     backfill.Job
}

// serve runs a log to its end: at each arrival, end and step of the profile the queue is planned
// and who starts now is started. Who is given a later start is promised it if promise is set. It
// returns the starts.
func serve(t rapid.TB, capacity []int64, log []arrival, o backfill.Options, promise bool, seen func(now float64, queue []int, starts []float64)) []float64 {
	start := slices.Repeat([]float64{math.Inf(1)}, len(log))
	var queue, running []int
	for arrived, now := 0, 0.; ; {
		next := math.Inf(1)
		if arrived < len(log) {
			next = log[arrived].at
		}
		for _, i := range running {
			next = min(next, start[i]+log[i].run)
		}
		for _, w := range o.Windows {
			occurrences(&w, func(_, to float64) {
				if to > now && len(queue) > 0 {
					next = min(next, to)
				}
			})
		}
		if math.IsInf(next, 1) {
			return start
		}
		now = next
		running = slices.DeleteFunc(running, func(i int) bool { return start[i]+log[i].run <= now })
		for arrived < len(log) && log[arrived].at <= now {
			queue = append(queue, arrived)
			arrived++
		}
		var held []backfill.Running
		for _, i := range running {
			held = append(held, backfill.Running{Need: log[i].job.Need, End: start[i] + log[i].job.Time, Owner: log[i].job.Owner})
		}
		var waiting []backfill.Job
		for _, i := range queue {
			waiting = append(waiting, log[i].job)
		}
		starts, err := backfill.Plan(nil, capacity, now, held, waiting, o)
		must(t, err)
		if seen != nil {
			seen(now, queue, starts)
		}
		var left []int
		for k, i := range queue {
			if starts[k] == now {
				start[i], running = now, append(running, i)
				continue
			}
			left = append(left, i)
			if promise {
				log[i].job.Promised = starts[k]
			}
		}
		queue = left
	}
}

type simulated struct {
	Submit, Requested, Run, Finish float64
	Processors                     int64
}

// TestSimulatorLogs: the cases of a public simulator's tests end to the second as they say.
func TestSimulatorLogs(t *testing.T) {
	text, err := os.ReadFile(golden.Trace(t, "golden/backfill.json"))
	must(t, err)
	var file struct {
		Processors int64
		Cases      []struct {
			Policy, Name string
			Jobs         []simulated
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) != 83 {
		t.Fatal(err, len(file.Cases))
	}
	rules := map[string]backfill.Options{"fcfs": {InOrder: true}, "easy": {}, "conservative": {Depth: -1}, "easy-sjbf": {Shortest: true}}
	for _, c := range file.Cases {
		o, known := rules[c.Policy]
		if !known {
			t.Fatalf("unknown policy %q", c.Policy)
		}
		var log []arrival
		slices.SortStableFunc(c.Jobs, func(a, b simulated) int { return cmp.Compare(a.Submit, b.Submit) })
		for _, j := range c.Jobs {
			log = append(log, arrival{j.Submit, j.Run, backfill.Job{Need: []int64{j.Processors}, Time: j.Requested}})
		}
		start := serve(t, []int64{file.Processors}, log, o, c.Policy == "conservative", nil)
		for i, j := range c.Jobs {
			if end := start[i] + j.Run; end != j.Finish {
				t.Errorf("%s, %s: job %d ends at %v, want %v", c.Policy, c.Name, i, end, j.Finish)
			}
		}
	}
}

// scene is a cluster with running jobs and a queue, in quarters of a second or tenths.
type scene struct {
	capacity []int64
	running  []backfill.Running
	queue    []backfill.Job
	options  backfill.Options
	taken    []taken
}

// taken is nodes that a caller took from a profile: they have left, to +Inf, or will be away.
type taken struct {
	need     []int64
	from, to float64
}

// profile is the scene's, with what was taken, without the windows of its options.
func (s *scene) profile(t rapid.TB) *backfill.Profile {
	p, err := backfill.New(s.capacity, sceneNow)
	must(t, err)
	take := func(need []int64, from, to float64) {
		must(t, p.Take(need, from, to))
	}
	for _, r := range s.running {
		take(r.Need, sceneNow, max(r.End, math.Nextafter(sceneNow, 99)))
	}
	for _, w := range s.taken {
		take(w.need, w.from, w.to)
	}
	return p
}

const sceneNow = 10.0

func drawScene(t *rapid.T, jobs int) scene {
	m := rapid.IntRange(1, 4).Draw(t, "resources")
	unit := rapid.SampledFrom([]float64{1, .25, .1}).Draw(t, "unit")
	var s scene
	s.capacity = rapid.SliceOfN(rapid.Int64Range(1, 9), m, m).Draw(t, "capacity")
	needs := func(what string) []int64 {
		need := make([]int64, m)
		for r := range need {
			need[r] = rapid.Int64Range(0, s.capacity[r]+rapid.SampledFrom([]int64{0, 0, 0, 1}).Draw(t, "beyond")).Draw(t, what)
		}
		return need
	}
	free := slices.Clone(s.capacity)
	for range rapid.IntRange(0, 4).Draw(t, "running") {
		need := needs("held")
		if rapid.IntRange(0, 9).Draw(t, "nodes have left") == 0 {
			need[0]++
		} else {
			for r := range need {
				need[r] = min(need[r], free[r])
				free[r] -= need[r]
			}
		}
		end := sceneNow + unit*float64(rapid.IntRange(-2, 12).Draw(t, "end"))
		if rapid.IntRange(0, 19).Draw(t, "for ever") == 0 {
			end = math.Inf(1)
		}
		s.running = append(s.running, backfill.Running{Need: need, End: end})
	}
	for range rapid.IntRange(0, jobs).Draw(t, "waiting") {
		j := backfill.Job{Need: needs("need"), Time: unit * float64(rapid.IntRange(0, 12).Draw(t, "time"))}
		if rapid.IntRange(0, 19).Draw(t, "for ever") == 0 {
			j.Time = math.Inf(1)
		}
		s.queue = append(s.queue, j)
	}
	s.options = backfill.Options{
		Depth:    rapid.IntRange(-1, 3).Draw(t, "depth"),
		Shortest: rapid.Bool().Draw(t, "shortest"),
		InOrder:  rapid.IntRange(0, 3).Draw(t, "in order") == 0,
	}
	return s
}

// end is when job i ends that starts then: it holds what it needs for an instant at least.
func (s *scene) end(i int, start float64) float64 {
	return max(start+s.queue[i].Time, math.Nextafter(start, math.Inf(1)))
}

// freeAt is what job without sees at a time beside running jobs and others that have starts, by
// definition.
func (s *scene) freeAt(at float64, starts []float64, without int) []int64 {
	free := slices.Clone(s.capacity)
	uses := map[int][]int64{} // by owner
	use := func(owner int, need []int64) {
		for k, n := range need {
			free[k] -= n
		}
		uses[owner] = append(uses[owner], need...)
	}
	for _, r := range s.running {
		if at < max(r.End, math.Nextafter(sceneNow, 99)) {
			use(r.Owner, r.Need)
		}
	}
	for _, w := range s.taken {
		if w.from <= at && at < w.to {
			for k, n := range w.need {
				free[k] -= n
			}
		}
	}
	for i, start := range starts {
		if i != without && start <= at && at < s.end(i, start) {
			use(s.queue[i].Owner, s.queue[i].Need)
		}
	}
	held := map[int][]int64{} // by owner
	for _, w := range s.options.Windows {
		if during(&w, at) {
			held[w.Owner] = append(held[w.Owner], w.Need...)
		}
	}
	for owner, needs := range held {
		if owner == s.queue[without].Owner && owner != 0 {
			continue
		}
		for k := range free {
			sum := int64(0)
			for i := k; i < len(needs); i += len(free) {
				sum += needs[i]
			}
			for i := k; owner != 0 && i < len(uses[owner]); i += len(free) {
				sum -= uses[owner][i]
			}
			free[k] -= max(0, sum)
		}
	}
	return free
}

// times are the instants at which something begins or ends: between them nothing changes.
func (s *scene) times(starts []float64) []float64 {
	all := []float64{sceneNow, math.Nextafter(sceneNow, 99)}
	for _, r := range s.running {
		all = append(all, max(r.End, sceneNow))
	}
	for _, w := range s.taken {
		all = append(all, max(w.from, sceneNow), max(w.to, sceneNow))
	}
	for i, start := range starts {
		all = append(all, start, s.end(i, start))
	}
	for _, w := range s.options.Windows {
		occurrences(&w, func(from, to float64) { all = append(all, max(from, sceneNow), max(to, sceneNow)) })
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(x float64) bool { return math.IsInf(x, 1) })
}

// fits reports whether job i can start at a time beside the others' starts, by definition.
func (s *scene) fits(i int, at float64, starts []float64) bool {
	check := append(s.times(starts), at)
	for _, x := range check {
		if x < at || x >= s.end(i, at) {
			continue
		}
		for r, free := range s.freeAt(x, starts, i) {
			if need := s.queue[i].Need[r]; need > 0 && need > free {
				return false
			}
		}
	}
	return true
}

// earliest is the first time at which job i fits beside the others' starts, by trying every instant
// at which something changes.
func (s *scene) earliest(i int, starts []float64, from float64) float64 {
	for _, at := range append([]float64{from}, s.times(starts)...) {
		if at >= from && s.fits(i, at, starts) {
			return at
		}
	}
	return math.Inf(1)
}

// defined is the plan by its definition: who has a promise, by promise; then the queue until enough
// wait; then who can start now.
func (s *scene) defined() []float64 {
	n := len(s.queue)
	starts := slices.Repeat([]float64{math.Inf(1)}, n)
	promised := func(i int) bool { return s.queue[i].Promised != 0 && !math.IsInf(s.queue[i].Promised, 1) }
	depth := s.options.Depth
	if depth == 0 {
		depth = 1
	} else if depth == -1 {
		depth = n
	}
	waits, from := 0, sceneNow
	if s.options.InOrder {
		for i := range s.queue {
			later := slices.IndexFunc(s.queue[i:], func(j backfill.Job) bool { return j.Promised != 0 && !math.IsInf(j.Promised, 1) }) >= 0
			if waits >= depth && !later {
				return starts
			}
			starts[i] = s.earliest(i, starts, from)
			if math.IsInf(starts[i], 1) {
				continue
			}
			from = starts[i]
			if from > sceneNow {
				waits++
			}
		}
		return starts
	}
	var order []int
	for i := range s.queue {
		if promised(i) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(s.queue[a].Promised, s.queue[b].Promised)
	})
	for _, i := range order {
		starts[i] = s.earliest(i, starts, sceneNow)
	}
	var rest []int
	for i := range s.queue {
		if waits >= depth {
			if !promised(i) {
				rest = append(rest, i)
			}
			continue
		}
		if !promised(i) {
			starts[i] = s.earliest(i, starts, sceneNow)
		}
		if starts[i] > sceneNow && !math.IsInf(starts[i], 1) {
			waits++
		}
	}
	if s.options.Shortest {
		slices.SortStableFunc(rest, func(a, b int) int {
			return cmp.Compare(s.queue[a].Time, s.queue[b].Time)
		})
	}
	for _, i := range rest {
		if s.fits(i, sceneNow, starts) {
			starts[i] = sceneNow
		}
	}
	return starts
}

// TestPlanByDefinition: plans agree with the rule's definition, instant by instant, with jobs that
// can never run, late ones, nodes that have left, windows, and promises, kept or not. Beside the starts
// nobody could start earlier, and nobody starts beyond what is free.
func TestPlanByDefinition(t *testing.T) {
	for range 10 { // a hundred plans each
		rapid.Check(t, planByDefinition)
	}
}

func planByDefinition(t *rapid.T) {
	s := drawScene(t, 12)
	for i := range s.queue {
		if rapid.Bool().Draw(t, "promised") {
			s.queue[i].Promised = rapid.SampledFrom([]float64{math.Inf(1), 5, 10, 11, 12, 12, 15, 30}).Draw(t, "promise")
		}
	}
	got, err := backfill.Plan(nil, s.capacity, sceneNow, s.running, s.queue, s.options)
	must(t, err)
	if rapid.Bool().Draw(t, "windows") {
		for range rapid.IntRange(1, 3).Draw(t, "n") {
			from := sceneNow + float64(rapid.IntRange(-4, 40).Draw(t, "from"))/4
			w := taken{make([]int64, len(s.capacity)), from, from + rapid.SampledFrom([]float64{0, .25, 1, 3, math.Inf(1)}).Draw(t, "long")}
			for r, c := range s.capacity {
				w.need[r] = rapid.Int64Range(0, c).Draw(t, "taken")
			}
			s.taken = append(s.taken, w)
		}
		if got, err = s.profile(t).Plan(nil, s.queue, s.options); err != nil {
			t.Fatal(err)
		}
	}
	want := s.defined()
	if !slices.Equal(got, want) {
		t.Fatalf("Plan = %v, want %v", got, want)
	}
	for i, start := range got {
		if !math.IsInf(start, 1) && !s.fits(i, start, got) {
			t.Errorf("job %d starts at %v beyond what is free", i, start)
		}
		if earlier := s.earliest(i, got, sceneNow); !s.options.InOrder && !math.IsInf(start, 1) && earlier < start {
			t.Errorf("job %d starts at %v and could at %v", i, start, earlier)
		}
	}
}

// TestPromisesAreKept: on logs in which nobody runs for longer than planned, no job starts later
// than any plan said, whatever comes and whoever ends early: all jobs under conservative, the first
// that waits under EASY, the first ones with more depth; with windows, too.
func TestPromisesAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 0)
		if rapid.Bool().Draw(t, "with windows") {
			drawWindows(t, &s)
		}
		o := backfill.Options{Depth: s.options.Depth, Shortest: s.options.Shortest, Windows: s.options.Windows}
		for i := range o.Windows {
			o.Windows[i].To = min(o.Windows[i].To, 99) // so that every job starts
		}
		var log []arrival
		now := 0.
		for range rapid.IntRange(1, 12).Draw(t, "jobs") {
			now += rapid.SampledFrom([]float64{0, 1, .5, 3}).Draw(t, "gap")
			time := rapid.SampledFrom([]float64{1, 2, 2.5, 4, 7, .3}).Draw(t, "time")
			need := make([]int64, len(s.capacity))
			for r, c := range s.capacity {
				need[r] = rapid.Int64Range(0, c).Draw(t, "need")
			}
			run := time * rapid.SampledFrom([]float64{0, .3, 1, 1}).Draw(t, "part")
			log = append(log, arrival{now, run, backfill.Job{Need: need, Time: time, Owner: rapid.IntRange(0, 2).Draw(t, "owner")}})
		}
		said := map[int]float64{}
		start := serve(t, s.capacity, log, o, true, func(now float64, queue []int, starts []float64) {
			for k, i := range queue {
				if last, ok := said[i]; ok && starts[k] > last {
					t.Fatalf("at %v job %d is put off from %v to %v", now, i, last, starts[k])
				}
				if !math.IsInf(starts[k], 1) {
					said[i] = starts[k]
				}
			}
		})
		for i, at := range start {
			if math.IsInf(at, 1) {
				t.Fatalf("job %d never starts", i)
			}
		}
	})
}

// TestHolesAreFilled: promises made by an older plan leave holes when a job ahead ends early;
// nobody who could move into one waits on.
func TestHolesAreFilled(t *testing.T) {
	queue := []backfill.Job{
		{Need: []int64{7}, Time: 4, Promised: 16}, {Need: []int64{2}, Time: 8, Promised: 20}, {Need: []int64{3}, Time: 10, Promised: 20}, {Need: []int64{7}, Time: 5, Promised: 30},
		{Need: []int64{2}, Time: 2, Promised: 13}, {Need: []int64{9}, Time: 2, Promised: 35}, {Need: []int64{1}, Time: 6, Promised: 20},
	}
	got, err := backfill.Plan(nil, []int64{9}, 10, []backfill.Running{{Need: []int64{4}, End: 13}}, queue, backfill.Options{Depth: -1})
	if err != nil || got[1] != 10 {
		t.Errorf("Plan = %v, %v, want the second job to start at 10", got, err)
	}
	// One on all units that was to end at 10 has ended at 1.
	queue = []backfill.Job{{Need: []int64{2}, Time: 10, Promised: 10}, {Need: []int64{2}, Time: 5, Promised: 20}, {Need: []int64{2}, Time: 5, Promised: 25}}
	if got, err = backfill.Plan(nil, []int64{2}, 1, nil, queue, backfill.Options{Depth: -1}); err != nil || !slices.Equal(got, []float64{1, 11, 16}) {
		t.Errorf("Plan = %v, %v, want 1, 11 and 16", got, err)
	}
}

// TestScaleOfTimes: in another unit, a power of two of this one, starts are the same times, right
// after now too; right after 0, which has no unit, is 5e-324 in every unit.
func TestScaleOfTimes(t *testing.T) {
	const soon = 5e-324
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 8)
		now := rapid.SampledFrom([]float64{sceneNow, 0, -3}).Draw(t, "now")
		unit := math.Ldexp(1, rapid.IntRange(-40, 40).Draw(t, "unit"))
		starts := func(unit float64) []float64 {
			running, queue := slices.Clone(s.running), slices.Clone(s.queue)
			for i := range running {
				running[i].End = (running[i].End - sceneNow + now) * unit
			}
			for i := range queue {
				queue[i].Time *= unit
			}
			got, err := backfill.Plan(nil, s.capacity, now*unit, running, queue, s.options)
			must(t, err)
			return got
		}
		plain, scaled := starts(1), starts(unit)
		for i, want := range plain {
			if want *= unit; plain[i] > 0 && plain[i] < 1e-300 {
				want = plain[i]
				if !(want <= soon*float64(len(plain))) {
					t.Fatalf("job %d starts at %v, want a step or a few of %v after 0", i, want, soon)
				}
			}
			if scaled[i] != want {
				t.Fatalf("job %d starts at %v, and where times are %v as long at %v, want %v", i, plain[i], unit, scaled[i], want)
			}
		}
	})
	late := []backfill.Running{{Need: []int64{1}}}
	for now, want := range map[float64]float64{0: soon, 1: 1 + 0x1p-52, -1: -1 + 0x1p-53, 1e9: 1e9 + 0x1p-23} {
		late[0].End = now
		if got, err := backfill.Plan(nil, []int64{1}, now, late, []backfill.Job{{Need: []int64{1}, Time: 1}}, backfill.Options{}); err != nil || got[0] != want {
			t.Errorf("behind a late job, now %v, a job starts at %v, %v, want %v", now, got, err, want)
		}
	}
}

// While all goes as planned the next plan of all jobs gives the same starts, and new jobs get the
// earliest ones on Planned.
func TestPlansStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources := rapid.IntRange(1, 2).Draw(t, "resources")
		units := func(most int64) (need []int64) {
			for range resources {
				need = append(need, rapid.Int64Range(0, most).Draw(t, "units"))
			}
			return need
		}
		time := func() float64 { return rapid.SampledFrom([]float64{0, .1, .2, .3, 1, 2, 3, 7.7}).Draw(t, "time") }
		capacity := make([]int64, resources)
		for r := range capacity {
			capacity[r] = rapid.Int64Range(1, 6).Draw(t, "capacity")
		}
		p, err := backfill.New(capacity, 0)
		must(t, err)
		if p.Planned() != nil {
			t.Fatalf("%v is planned before a plan", p.Planned())
		}
		for range rapid.IntRange(0, 4).Draw(t, "running") {
			must(t, p.Take(units(2), 0, .5+time()))
		}
		jobs := func(name string) (queue []backfill.Job) {
			for range rapid.IntRange(0, 7).Draw(t, name) {
				queue = append(queue, backfill.Job{Need: units(6), Time: time()})
			}
			return queue
		}
		o := backfill.Options{Depth: -1}
		queue := jobs("queue")
		starts, err := p.Plan(nil, queue, o)
		must(t, err)
		var waiting []backfill.Job
		soon := math.Inf(1)
		for i, start := range starts {
			if start == 0 { // it starts
				must(t, p.Take(queue[i].Need, 0, max(queue[i].Time, math.SmallestNonzeroFloat64)))
			} else if start < math.Inf(1) {
				queue[i].Promised = start
				waiting, soon = append(waiting, queue[i]), min(soon, start)
			}
		}
		now := min(soon, 1) * rapid.Float64Range(0, 1).Draw(t, "passed")
		kept := p.Planned()
		must(t, kept.Advance(now))
		must(t, p.Advance(now))
		var want []float64
		fresh := jobs("new jobs")
		for _, j := range fresh {
			start, ok := kept.Earliest(j.Need, now, j.Time)
			if ok {
				must(t, kept.Take(j.Need, start, max(start+j.Time, math.Nextafter(start, math.Inf(1)))))
			}
			want = append(want, start)
		}
		got, err := p.Plan(nil, append(slices.Clone(waiting), fresh...), o)
		must(t, err)
		for i, j := range waiting {
			if got[i] != j.Promised {
				t.Fatalf("job %d of %+v starts at %v in the next plan, want %v", i, waiting, got[i], j.Promised)
			}
		}
		if !slices.Equal(got[len(waiting):], want) {
			t.Fatalf("beside %+v, %+v start at %v, want %v", waiting, fresh, got[len(waiting):], want)
		}
	})
}

// TestPlanRefuses: what Plan refuses, with the argument and the index.
func TestPlanRefuses(t *testing.T) {
	type (
		o       = backfill.Options
		jobs    = []backfill.Job
		running = []backfill.Running
	)
	nan, one, dst := math.NaN(), []int64{1}, []float64{7}
	job := backfill.Job{Need: one, Time: 1}
	expect.Refused(t, "backfill.Plan", backfill.Plan, nil,
		expect.Bad("capacity", -1, dst, nil, 0, nil, nil, o{}),
		expect.Bad("now", -1, dst, one, nan, nil, nil, o{}),
		expect.Bad("running", 1, dst, one, 0, running{{Need: one}, {End: 1}}, nil, o{}),
		expect.Bad("running", 0, dst, one, 0, running{{Need: []int64{-1}}}, nil, o{}),
		expect.Bad("running", 0, dst, one, 0, running{{Need: one, End: nan}}, nil, o{}),
		expect.Bad("running", 1, dst, one, 0, running{{Need: []int64{1 << 60}}, {Need: one}}, nil, o{}),
		expect.Bad("queue", 1, dst, one, 0, nil, jobs{job, {Need: []int64{1, 1}, Time: 1}}, o{}),
		expect.Bad("queue", 0, dst, one, 0, nil, jobs{{Need: []int64{1<<60 + 1}, Time: 1}}, o{}),
		expect.Bad("queue", 0, dst, one, 0, nil, jobs{{Need: one, Time: nan}}, o{}),
		expect.Bad("queue", 0, dst, one, 0, nil, jobs{{Need: one, Time: -1}}, o{}),
		expect.Bad("queue", 1, dst, one, 0, nil, jobs{job, {Need: one, Time: 1, Promised: nan}}, o{}),
		expect.Bad("queue", 0, dst, one, 0, nil, jobs{{Need: one, Time: 1, Promised: math.Inf(-1)}}, o{}),
		expect.Bad("o", -1, dst, one, 0, nil, nil, o{Depth: -2}),
	)
}

// TestPlanAllocates: a profile that has planned once plans again without allocating.
func TestPlanAllocates(t *testing.T) {
	p, queue := crowd(t, 200, 500)
	var dst []float64
	for _, o := range []backfill.Options{{}, {Shortest: true}, {Depth: -1}, {InOrder: true}} {
		plan := func() {
			var err error
			if dst, err = p.Plan(dst[:0], queue, o); err != nil {
				t.Fatal(err)
			}
		}
		plan()
		if n := testing.AllocsPerRun(5, plan); n != 0 {
			t.Errorf("Plan with %+v allocates %v times, want 0", o, n)
		}
	}
}

// crowd is a profile that running jobs fill, and a queue, from a fixed seed.
func crowd(t testing.TB, running, waiting int) (*backfill.Profile, []backfill.Job) {
	t.Helper()
	state := uint64(1)
	draw := func(n int64) int64 {
		state = state*6364136223846793005 + 1442695040888963407
		return int64(state>>33) % n
	}
	capacity, need := int64(0), make([]int64, running)
	for i := range need {
		need[i] = 1 + draw(32)
		capacity += need[i]
	}
	p, err := backfill.New([]int64{capacity + 8}, 0)
	must(t, err)
	for _, n := range need {
		must(t, p.Take([]int64{n}, 0, float64(1+draw(100000))))
	}
	queue := make([]backfill.Job, waiting)
	for i := range queue {
		queue[i] = backfill.Job{Need: []int64{1 + draw(64)}, Time: float64(60 * (1 + draw(1000)))}
	}
	queue[0].Need[0] = capacity / 2
	return p, queue
}

// fifty windows, half of them of owners without jobs, have three or four occurrences each before all of
// a crowd have ended.
func fifty() (all []backfill.Window) {
	for i := range 50 {
		from := float64(100 * i)
		all = append(all, backfill.Window{Need: []int64{int64(1 + i%9)}, From: from, To: from + 3600, Period: 25000, Until: 100000, Owner: i % 2 * i})
	}
	return all
}

// of gives windows to n owners in turn, -1, -2 and so on.
func of(n int, windows []backfill.Window) []backfill.Window {
	for i := range windows {
		windows[i].Owner = -1 - i%n
	}
	return windows
}

func BenchmarkPlan(b *testing.B) {
	for _, c := range []struct {
		name             string
		running, waiting int
		o                backfill.Options
	}{
		{"easy/running=1000/n=10000", 1000, 10000, backfill.Options{}},
		{"sjbf/running=1000/n=10000", 1000, 10000, backfill.Options{Shortest: true}},
		{"conservative/running=1000/n=1000", 1000, 1000, backfill.Options{Depth: -1}},
		{"easy/windows=50/running=1000/n=10000", 1000, 10000, backfill.Options{Windows: fifty()}},
		{"sjbf/windows=50/running=1000/n=10000", 1000, 10000, backfill.Options{Shortest: true, Windows: fifty()}},
		{"conservative/windows=50/running=1000/n=1000", 1000, 1000, backfill.Options{Depth: -1, Windows: fifty()}},
		{"easy/windows=50/owners=1/running=1000/n=10000", 1000, 10000, backfill.Options{Windows: of(1, fifty())}},
		{"easy/windows=50/owners=50/running=1000/n=10000", 1000, 10000, backfill.Options{Windows: of(50, fifty())}},
		{"conservative/windows=50/owners=1/running=1000/n=1000", 1000, 1000, backfill.Options{Depth: -1, Windows: of(1, fifty())}},
		{"conservative/windows=50/owners=50/running=1000/n=1000", 1000, 1000, backfill.Options{Depth: -1, Windows: of(50, fifty())}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, queue := crowd(b, c.running, c.waiting)
			for i := range queue {
				queue[i].Owner = -1 - i%100 // each hundredth job is of one owner of windows, or half are of 50
			}
			var dst []float64
			for b.Loop() {
				var err error
				if dst, err = p.Plan(dst[:0], queue, c.o); err != nil || dst[0] <= 0 {
					b.Fatal(err, dst[0])
				}
			}
		})
	}
}
