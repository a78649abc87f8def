package estimate_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/estimate"
)

// listTrainer is the trainer as the paper tells it: a list of jobs, searched from end to end for
// every answer.
type listTrainer struct {
	samples, percent, slots int
	jobs                    []*listJob
	past                    []float64
}

type listJob struct {
	key, tasks int
	samples    []listSample // one for each sample to run
}

type listSample struct {
	state string // "" before the start
	time  float64
}

func (l *listTrainer) find(key int) *listJob {
	for _, j := range l.jobs {
		if j.key == key {
			return j
		}
	}
	return nil
}

func (l *listTrainer) running() (n int) {
	for _, j := range l.jobs {
		n += j.count("running") + j.count("extrapolated")
	}
	return n
}

func (j *listJob) count(state string) (n int) {
	for _, s := range j.samples {
		if s.state == state {
			n++
		}
	}
	return n
}

func (j *listJob) done() bool { return j.count("finished")+j.count("extrapolated") == len(j.samples) }

// waiting lists the jobs with samples to be started: the least first, again and again.
func (l *listTrainer) waiting() (keys []int) {
	left := slices.Clone(l.jobs)
	for {
		best := -1
		for i, j := range left {
			// ties to the first of the list, which is in the order of Add
			if j.count("") > 0 && (best < 0 || j.tasks < left[best].tasks) {
				best = i
			}
		}
		if best < 0 {
			return keys
		}
		keys = append(keys, left[best].key)
		left = slices.Delete(left, best, best+1)
	}
}

func (l *listTrainer) next() (int, bool) {
	keys := l.waiting()
	if len(keys) == 0 || !(l.running()*100 < l.percent*l.slots) {
		return 0, false
	}
	return keys[0], true
}

func TestTrainerAgainstList(t *testing.T) {
	for range 30 { // a hundred runs each
		rapid.Check(t, againstList)
	}
}

func againstList(rt *rapid.T) {
	model := &listTrainer{
		samples: rapid.IntRange(1, 6).Draw(rt, "samples"),
		percent: rapid.IntRange(1, 100).Draw(rt, "percent"),
		slots:   rapid.IntRange(0, 12).Draw(rt, "slots"),
	}
	real, err := estimate.NewTrainer[int](model.slots, estimate.TrainerOptions{Samples: model.samples, Limit: float64(model.percent) / 100})
	must(rt, err)
	key := rapid.IntRange(0, 15)
	number := rapid.IntRange(-1, 6)
	// sums are exact
	time := rapid.Map(rapid.IntRange(0, 1<<20), func(x int) float64 { return float64(x) / 64 })

	// running returns the job and the sample if it runs.
	running := func(k, n int) (*listJob, *listSample) {
		j := model.find(k)
		if j == nil || n < 0 || n >= len(j.samples) || (j.samples[n].state != "running" && j.samples[n].state != "extrapolated") {
			return nil, nil
		}
		return j, &j.samples[n]
	}
	// some prefers a running sample, so that runs get somewhere, and otherwise draws any.
	some := func(rt *rapid.T) (k, n int) {
		var all [][2]int
		for _, j := range model.jobs {
			for n := range j.samples {
				if _, s := running(j.key, n); s != nil {
					all = append(all, [2]int{j.key, n})
				}
			}
		}
		if len(all) > 0 && rapid.IntRange(0, 9).Draw(rt, "any") > 0 {
			x := rapid.SampledFrom(all).Draw(rt, "sample")
			return x[0], x[1]
		}
		return key.Draw(rt, "key"), number.Draw(rt, "number")
	}
	started := func(rt *rapid.T, k int) {
		j := model.find(k)
		n, err := real.Started(k)
		if j == nil || j.count("") == 0 {
			if err == nil {
				rt.Fatalf("Started(%d) = %d, want an error", k, n)
			}
			return
		}
		want := slices.IndexFunc(j.samples, func(s listSample) bool { return s.state == "" })
		if err != nil || n != want {
			rt.Fatalf("Started(%d) = %d, %v, want %d", k, n, err, want)
		}
		j.samples[n].state = "running"
	}
	check := func(rt *rapid.T, call string, err error, ok bool) {
		if (err == nil) != ok {
			rt.Fatalf("%s = %v, want success %v", call, err, ok)
		}
	}

	rt.Repeat(map[string]func(*rapid.T){
		"Add": func(rt *rapid.T) {
			k, tasks := key.Draw(rt, "key"), rapid.IntRange(0, 9).Draw(rt, "tasks")
			fresh := model.find(k) == nil
			check(rt, "Add", real.Add(k, tasks), fresh)
			if fresh {
				model.jobs = append(model.jobs, &listJob{key: k, tasks: tasks, samples: make([]listSample, min(tasks, model.samples))})
			}
		},
		"Remove": func(rt *rapid.T) {
			k := key.Draw(rt, "key")
			j := model.find(k)
			if got := real.Remove(k); got != (j != nil) {
				rt.Fatalf("Remove(%d) = %v, want %v", k, got, j != nil)
			}
			model.jobs = slices.DeleteFunc(model.jobs, func(x *listJob) bool { return x == j })
		},
		"StartNext": func(rt *rapid.T) {
			if k, ok := model.next(); ok {
				started(rt, k)
			}
		},
		"StartAny": func(rt *rapid.T) { started(rt, key.Draw(rt, "key")) },
		"Finished": func(rt *rapid.T) {
			k, n := some(rt)
			d := time.Draw(rt, "duration")
			_, s := running(k, n)
			check(rt, "Finished", real.Finished(k, n, d), s != nil)
			if s != nil {
				*s = listSample{"finished", d}
				model.past = append(model.past, d)
			}
		},
		"Extrapolated": func(rt *rapid.T) {
			k, n := some(rt)
			d := time.Draw(rt, "duration")
			_, s := running(k, n)
			check(rt, "Extrapolated", real.Extrapolated(k, n, d), s != nil)
			if s != nil {
				*s = listSample{"extrapolated", d}
			}
		},
		"Failed": func(rt *rapid.T) {
			k, n := some(rt)
			_, s := running(k, n)
			check(rt, "Failed", real.Failed(k, n), s != nil)
			if s != nil {
				*s = listSample{}
			}
		},
		"Observe": func(rt *rapid.T) {
			d := time.Draw(rt, "duration")
			check(rt, "Observe", real.Observe(d), true)
			model.past = append(model.past, d)
		},
		"SetCapacity": func(rt *rapid.T) {
			model.slots = rapid.IntRange(0, 12).Draw(rt, "slots")
			check(rt, "SetCapacity", real.SetCapacity(model.slots), true)
		},
		"SnapshotRestore": func(rt *rapid.T) {
			// Go on with the restored one: whatever the snapshot forgets shows below.
			snapshot := real.Snapshot()
			text, err := json.Marshal(snapshot)
			must(rt, err)
			var read estimate.TrainerSnapshot[int]
			must(rt, json.Unmarshal(text, &read))
			if diff := cmp.Diff(snapshot, read); diff != "" {
				rt.Fatalf("JSON changed the snapshot (-written +read):\n%s", diff)
			}
			if real, err = estimate.RestoreTrainer(read); err != nil {
				rt.Fatalf("RestoreTrainer(%s): %v", text, err)
			}
			if diff := cmp.Diff(snapshot, real.Snapshot()); diff != "" {
				rt.Fatalf("Snapshot of the restored trainer (-want +got):\n%s", diff)
			}
		},
		"": func(rt *rapid.T) {
			k, ok := real.Next()
			if want, wantOK := model.next(); ok != wantOK || k != want {
				rt.Fatalf("Next() = %d, %v, want %d, %v", k, ok, want, wantOK)
			}
			if got, want := waiting(real), model.waiting(); !slices.Equal(got, want) {
				rt.Fatalf("jobs come in the order %v, want %v", got, want)
			}
			if real.Len() != len(model.jobs) || real.Running() != model.running() {
				rt.Fatalf("Len() = %d, Running() = %d, want %d, %d", real.Len(), real.Running(), len(model.jobs), model.running())
			}
			for _, j := range model.jobs {
				want := estimate.Training{Tasks: j.tasks, Samples: len(j.samples), Waiting: j.count(""),
					Running: j.count("running") + j.count("extrapolated"), Extrapolated: j.count("extrapolated"), Finished: j.count("finished")}
				if got, ok := real.Job(j.key); !ok || got != want {
					rt.Fatalf("Job(%d) = %+v, %v, want %+v", j.key, got, ok, want)
				}
				var durations []float64
				var size float64
				for _, s := range j.samples {
					if s.state == "extrapolated" || s.state == "finished" {
						durations = append(durations, s.time)
						size += s.time * float64(j.tasks) // exact
					}
				}
				if got := real.Durations(nil, j.key); !slices.Equal(got, durations) {
					rt.Fatalf("Durations(%d) = %v, want %v", j.key, got, durations)
				}
				if len(j.samples) > 0 {
					size /= float64(len(j.samples))
				}
				if !j.done() {
					size = 0
				}
				if got, ok := real.Size(j.key); ok != j.done() || real.Done(j.key) != j.done() || got != size {
					rt.Fatalf("Size(%d) = %v, %v, Done %v, want %v, %v", j.key, got, ok, real.Done(j.key), size, j.done())
				}
			}
			var sum float64
			for _, x := range model.past {
				sum += x
			}
			if mean, ok := real.MeanTask(); ok != (len(model.past) > 0) || ok && mean != sum/float64(len(model.past)) {
				rt.Fatalf("MeanTask() = %v, %v, want %v of %d", mean, ok, sum, len(model.past))
			}
		},
	})
}
