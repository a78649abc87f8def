package whatif

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

const playSlots = 4

// Play runs 12 rigid jobs on 4 slots under policies that go by estimates with log-normal errors of
// sigma.
func Play(sigma float64, seed uint64) (*page.Document, error) {
	r := rand.New(rand.NewPCG(seed, 12))
	var jobs []slotmodel.JobSpec
	var estimates []float64
	now := 0.
	for range 12 {
		work := 10 * math.Ceil(6*math.Exp(.9*r.NormFloat64()-.4))
		jobs = append(jobs, slotmodel.JobSpec{Arrival: math.Round(now), User: r.IntN(2) * r.IntN(3), Rigid: true, Requested: work, Maps: slotmodel.Phase{Tasks: 1 + int(math.Abs(r.NormFloat64())*1.4)%playSlots, Work: work}})
		estimates = append(estimates, work*math.Exp(sigma*r.NormFloat64()))
		now += 16 * r.ExpFloat64()
	}
	size := func(j slotmodel.Job) float64 { return estimates[j] * float64(jobs[j].Maps.Tasks) }
	began := make([]float64, len(jobs))
	play := []struct {
		name   string
		policy slotmodel.Policy
	}{
		{"fifo", policy.FIFO{}},
		{"fair", new(policy.PerUser)},
		{"srpt", &policy.Greedy{Inner: policy.By(func(_ *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 { return size(j) })}},
		{"aging", &hfsp.Policy{NoTraining: true, Size: func(_ *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
			if k != slotmodel.Map {
				return 0
			}
			return size(j)
		}}},
		{"easy", &policy.Backfill{Time: func(v *slotmodel.View, j slotmodel.Job) float64 {
			if v.Count(j, slotmodel.Map).Running > 0 {
				return backfill.Extend(estimates[j], v.Now()-began[j], math.Inf(1))
			}
			return estimates[j]
		}}},
	}
	p := newPicture("play", "Twelve jobs on four slots", "A job holds its slots from its start to its end. fair serves the one of three users who has least, srpt serves the least estimated work first, aging the job that an imagined fair cluster would finish first by the estimates, and easy plans by them.",
		page.Gantt, 3, "policy", "job", "user", "processors", "start", "end", "waits", "runs", "lane", "lanes")
	p.X, p.Y = page.Axis{Label: "time (s)"}, page.Axis{Label: "slots"}
	var summary []string
	for _, x := range play {
		result, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: playSlots}}}, jobs, x.policy, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.Started {
				began[e.Job] = e.Time
			}
		}})
		if err != nil {
			return nil, err
		}
		order := make([]int, len(jobs))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(result.Jobs[a].Start, result.Jobs[b].Start) })
		free, sum := make([]float64, playSlots), 0.
		for _, i := range order {
			j := &result.Jobs[i]
			sum += j.Finish - j.Arrival
			for range jobs[i].Maps.Tasks {
				lane := lowest(&free, 1, j.Start, j.Finish)
				p.Table.Add(x.name, fmt.Sprint(i+1), "job "+fmt.Sprint(i+1), jobs[i].Maps.Tasks, j.Start, j.Finish, j.Start-j.Arrival, j.Finish-j.Start, lane, 1)
			}
		}
		p.Series = append(p.Series, page.Series{Name: x.name})
		summary = append(summary, x.name+" "+numbers.Short(sum/float64(len(jobs)))+" s")
	}
	return &page.Document{Program: "play", Summary: []string{"Mean sojourn time: " + strings.Join(summary, ", ") + "."}, Pictures: []page.Picture{p}}, nil
}
