package schedmath_test

import (
	"encoding"
	"iter"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/drf"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/knn"
	"github.com/schedmath/schedmath/ledger"
	"github.com/schedmath/schedmath/lof"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/market/equilibrium"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/schedtest"
	"github.com/schedmath/schedmath/sharedscan"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The names and signatures that programs of others call: this file stops compiling where one
// changes.

var (
	_ = schedmath.InputError{Func: "", Arg: "", Index: 0, Reason: ""}
	_ = [...]schedmath.Kind{schedmath.Map, schedmath.Reduce}
	_ = schedmath.ErrInput

	_ = aging.Job{Work: 0., Slots: 0., Weight: 0.}
	_ = [...]aging.By{aging.ByWork, aging.ByFinish}
	_ = aging.Claim{Demand: 0., Floor: 0., Weight: 0., Priority: 0}
	_ = [...]aging.Floors{aging.Within, aging.OnTop}

	_ func(dst []float64, capacity float64, jobs []aging.Job) ([]float64, error)                                                                = aging.MaxMin
	_ func(dst []int, slots int, tasks []int) ([]int, error)                                                                                    = aging.MaxMinSlots
	_ func(dst []aging.Job, capacity, elapsed float64, jobs []aging.Job) ([]aging.Job, error)                                                   = aging.Age
	_ func(dst []float64, capacity float64, jobs []aging.Job) ([]float64, error)                                                                = aging.Finish
	_ func(dst []int, capacity float64, jobs []aging.Job, by aging.By) ([]int, error)                                                           = aging.Order
	_ func(dst []float64, capacity float64, claims []aging.Claim, parents []int, f aging.Floors) ([]float64, error)                             = aging.Shares
	_ func(capacity float64) (*aging.Cluster[string], error)                                                                                    = aging.New[string]
	_ func(aging.Snapshot[string]) (*aging.Cluster[string], error)                                                                              = aging.Restore[string]
	_ func(aging.Tag, aging.Tag) int                                                                                                            = aging.Tag.Compare
	_ func(dst []float64, capacity []float64, users []drf.User, parents []int) ([]float64, error)                                               = drf.Shares
	_ func(capacity []float64, users []drf.User, tasks []int) (int, error)                                                                      = drf.Next
	_ func(tasks int, meanTask, xi float64) (float64, error)                                                                                    = estimate.InitialSize
	_ func(samples []float64, tasks int) (float64, error)                                                                                       = estimate.PhaseSize
	_ func(elapsed, progress float64) (float64, error)                                                                                          = estimate.Extrapolate
	_ func(times, inputs []float64, tasks int) (float64, error)                                                                                 = estimate.ShuffleSize
	_ func(shuffle, execution float64) (float64, error)                                                                                         = estimate.ReduceSize
	_ func(ratios []float64) (estimate.LogNormal, error)                                                                                        = estimate.FitLogNormal
	_ func(estimate.LogNormal, []float64) (d, p float64, err error)                                                                             = estimate.LogNormal.KS
	_ func(values []float64, o estimate.ModeOptions) (float64, error)                                                                           = estimate.ModeOf
	_ func(slots int, tasks []float64) (float64, error)                                                                                         = estimate.PhaseTime
	_ func(maps, reduces []float64) (float64, error)                                                                                            = estimate.ProjectedTime
	_ func(deadline, elapsed, remaining float64) (float64, error)                                                                               = estimate.Laxity
	_ func(dst []int, laxity []float64) ([]int, error)                                                                                          = estimate.LaxityOrder
	_ func(n int, arcs [][2]int) (*precedence.Graph, error)                                                                                     = precedence.NewGraph
	_ func(lengths ...int) (*precedence.Graph, error)                                                                                           = precedence.Chains
	_ func(g *precedence.Graph, work, weight []float64) (precedence.Solution, error)                                                            = precedence.Smith
	_ func(g *precedence.Graph, work []float64, penalties []precedence.Penalty) (precedence.Solution, error)                                    = precedence.Lawler
	_ func(g *precedence.Graph, work []float64, obj precedence.Objective, o precedence.Options) (precedence.Solution, error)                    = precedence.Minimize
	_ func(g *precedence.Graph, order []int) error                                                                                              = precedence.Verify
	_ func(dst []sharedscan.Subjob, scans []sharedscan.Scan) ([]sharedscan.Subjob, error)                                                       = sharedscan.CyclicChain
	_ func(slots int, jobs []malleable.Job, g *precedence.Graph, priority []int) (*malleable.Schedule, error)                                   = malleable.Pack
	_ func(s *malleable.Schedule, slots int, jobs []malleable.Job, g *precedence.Graph, priority []int, horizon float64) error                  = malleable.PackInto
	_ func(slots int, jobs []malleable.Job, deadlines []float64) (*malleable.Schedule, error)                                                   = malleable.WaterFill
	_ func(int, []malleable.Job, *precedence.Graph, precedence.Objective, malleable.PlanOptions) (*malleable.Schedule, malleable.Report, error) = malleable.Plan
	_ func(slots int, jobs []malleable.Job, g *precedence.Graph, s *malleable.Schedule) error                                                   = malleable.Verify
	_ func(dim int, o knn.Options) (*knn.Estimator, error)                                                                                      = knn.New
	_ func(n, dim int) int                                                                                                                      = knn.Rate
	_ func(n, dim int) int                                                                                                                      = knn.Paper
	_ func(knn.Snapshot, knn.Options) (*knn.Estimator, error)                                                                                   = knn.Restore
	_ func(x mat.Matrix, y, query []float64, k int) (knn.Prediction, error)                                                                     = knn.Regress
	_ func(dst []float64, points mat.Matrix, k int, o lof.Options) ([]float64, error)                                                           = lof.Scores
	_ func(dst, xs []float64, k int, o lof.Options) ([]float64, error)                                                                          = lof.Scores1D
	_ func(dst []lof.Straggler, laxity []float64, o lof.StragglerOptions) ([]lof.Straggler, error)                                              = lof.Stragglers
	_ func(n int) int                                                                                                                           = lof.Neighbours
	_ func(sizes []float64) (float64, error)                                                                                                    = partition.Skewness
	_ func(loads []float64) (float64, error)                                                                                                    = partition.Balance
	_ func(rows, partitions int, seed uint64) (*partition.Sketch, error)                                                                        = partition.NewSketch
	_ func(machines int, sizes []float64, cost partition.Cost, o partition.Options) (partition.Plan, error)                                     = partition.Assign
	_ func(machines int, s *partition.Sketch, cost partition.Cost, o partition.Options) (row int, p partition.Plan, err error)                  = partition.AssignSketch
	_ func(dst []int, sizes []float64, target float64) ([]int, error)                                                                           = partition.Coalesce
	_ func(machines int, sizes []float64, cost partition.Cost, o partition.Options, p partition.Plan) error                                     = partition.Verify
	_ func() market.Options                                                                                                                     = market.HadoopContrib
	_ func(dst []market.Grant, slots market.Slots, users []market.User, o market.Options) ([]market.Grant, market.Totals, error)                = market.Step
	_ func(dst []int, seats int, weights []float64, o market.ApportionOptions) ([]int, error)                                                   = market.Apportion[float64]
	_ func(dst []int, next []float64, seats int, weights []float64, o market.ApportionOptions) ([]int, []float64, error)                        = market.ApportionCarry
	_ func(dst []int, free market.Slots, claims []market.Claim, running []market.Running, o market.VictimOptions) ([]int, error)                = market.Victims
	_ func(slots market.Slots, users []market.User, i int, want market.Slots, o market.Options) (market.Quote, error)                           = market.RateForSlots
	_ func(slots market.Slots, users []market.User, i int, intervals float64, o market.Options) (market.Quote, error)                           = market.RateToLast
	_ func(slots market.Slots, users []market.User, i int, work, intervals float64, o market.Options) (market.Quote, error)                     = market.RateByDeadline
	_ func(dst []float64, budget float64, worth, others []float64) ([]float64, error)                                                           = equilibrium.BestResponse
	_ func(string) (ledger.Credits, error)                                                                                                      = ledger.ParseCredits
	_ func([]ledger.Account) (*ledger.Ledger, error)                                                                                            = ledger.New
	_ func(ledger.Snapshot) (*ledger.Ledger, error)                                                                                             = ledger.Restore
	_ func(fairqueue.Options) (*fairqueue.Queue[string], error)                                                                                 = fairqueue.New[string]
	_ func(fairqueue.Snapshot[string]) (*fairqueue.Queue[string], error)                                                                        = fairqueue.Restore[string]
	_ func(virtual, last, cost, weight float64) (start, finish float64, err error)                                                              = fairqueue.Tag
	_ func(racks int, blocks []shuffle.Block, ratio float64, reduces int, o shuffle.Options) (shuffle.MapPlan, error)                           = shuffle.MapRacks
	_ func(dst []int, reduces int, intermediate []float64) ([]int, error)                                                                       = shuffle.ReducesPerRack
	_ func(dst []int, reduces int, intermediate []float64, slots []int) ([]int, error)                                                          = shuffle.ReducesWithin
	_ func(intermediate []float64, reduces []int) (float64, error)                                                                              = shuffle.CrossRack
	_ func(dst []shuffle.Link, intermediate []float64, reduces []int) ([]shuffle.Link, error)                                                   = shuffle.Traffic
	_ func(dst []int, slots []int, bytes [][]float64) ([]int, error)                                                                            = shuffle.PlaceReduces
	_ func(tasks []shuffle.Candidate, saturated bool, window float64) (i int, why shuffle.Reason, err error)                                    = shuffle.Next
	_ func(dst []bool, used, capacity []shuffle.Link, threshold float64) ([]bool, error)                                                        = shuffle.Saturated
	_ func(slots float64, jobs []fluid.Job, p fluid.Policy, o fluid.Options) (*fluid.Result, error)                                             = fluid.Run
	_ func(path string) ([]slotmodel.JobSpec, error)                                                                                            = workload.Load

	_ func([]float64, []int64, float64, []backfill.Running, []backfill.Job, backfill.Options) ([]float64, error)                                                                          = backfill.Plan
	_ func(capacity []int64, now float64) (*backfill.Profile, error)                                                                                                                      = backfill.New
	_ func(planned, ran, limit float64) float64                                                                                                                                           = backfill.Extend
	_ func([]backfill.Interval, []int64, float64, []backfill.Running, []backfill.Job, func(i int, u float64) float64, backfill.ForecastOptions, rand.Source) ([]backfill.Interval, error) = backfill.Forecast
	_ func(dst []backfill.Interval, past []backfill.Outcome, level float64) ([]backfill.Interval, error)                                                                                  = backfill.Calibrate
	_ interface {
		Plan(dst []float64, queue []backfill.Job, o backfill.Options) ([]float64, error)
		Take(need []int64, from, to float64) error
		Give(need []int64, from, to float64) error
		Earliest(need []int64, from, time float64) (start float64, ok bool)
		Free(dst []int64, at float64) []int64
		Steps() iter.Seq2[float64, []int64]
		Advance(now float64) error
	} = (*backfill.Profile)(nil)

	_ = policy.Backfill{Depth: 0, Shortest: false, Time: func(v *slotmodel.View, j slotmodel.Job) float64 { return 0 }, Inner: policy.Ranker(nil)}
	_ = drf.User{Demand: nil, Weight: 0., Max: 0.}
	_ = backfill.Job{Need: []int64{}, Time: 0., Promised: 0.}
	_ = backfill.Running{Need: []int64{}, End: 0.}
	_ = backfill.Options{Depth: 0, Shortest: false, InOrder: false}
	_ = backfill.ForecastOptions{Options: backfill.Options{}, Samples: 0, Level: 0.}
	_ = backfill.Interval{Low: 0., Median: 0., High: 0.}
	_ = backfill.Outcome{Forecast: backfill.Interval{}, Start: 0.}
	_ = estimate.Guess{Value: 0., Low: 0., High: 0., Known: false, Outside: false}
	_ = precedence.Options{States: 0, Steps: 0}
	_ = [...]precedence.Shape{precedence.ShapeIndependent, precedence.ShapeChains, precedence.ShapeGeneral}
	_ = malleable.Job{Work: 0., Min: 0, Max: 0}
	_ = malleable.PlanOptions{Search: precedence.Options{}, Allowed: []int{}}
	_ = knn.Options{K: nil, Window: 0, Alpha: 0., Extrapolate: false}
	_ = lof.StragglerOptions{K: 0, Threshold: 0., MinGap: 0., Resolution: 0., MinGroup: 0}
	_ = partition.Options{Method: partition.Best, Ready: nil, Deadlines: nil, Previous: nil, MoveCost: 0., Steps: 0}
	_ = partition.Plan{Of: nil, Load: nil, Finish: nil, Makespan: 0., Bound: 0., Feasible: false, Critical: 0, Why: []partition.Reason{}}
	_ = market.Options{Charge: market.Spend, Exhaust: market.Drain, Lag: 0, Reserve: 0, Rounding: market.Hamilton, Carry: false, Fill: market.FIFO, Elapsed: 0.}
	_ = market.Grant{Slots: market.Slots{}, Free: market.Slots{}, Reclaim: market.Slots{}, Share: 0., Charge: 0, Income: 0, Why: [2]market.Reason{}, Next: market.User{}}
	_ = market.Running{User: 0, Kind: schedmath.Map, Slots: 0, Elapsed: 0., Progress: 0., Spare: false}
	_ = market.Quote{Rate: 0, Cost: 0, Slots: market.Slots{}, Dry: 0., OK: false}
	_ = shuffle.Candidate{Kind: schedmath.Map, Arrival: 0., Local: shuffle.Rack, Preferred: false, Heavy: false}
	_ = fluid.FSP{Late: fluid.LateShare, ByWork: false}
	_ = slotmodel.JobSpec{Dataset: 0}
	_ = slotmodel.NodeSpec{Slots: 0, Memory: 0.}
	_ = slotmodel.Cluster{EarlyReduces: 0.}

	_ policy.Ranker                                                                              = (*policy.SRPT)(nil)
	_ policy.Filter                                                                              = (*policy.Delay)(nil)
	_ policy.Users                                                                               = (*policy.DRF)(nil)
	_ policy.Users                                                                               = (*policy.FairUsers)(nil)
	_ policy.Chooser                                                                             = (*policy.Earliest)(nil)
	_ policy.Chooser                                                                             = (*shufflewatcher.Chooser)(nil)
	_ policy.Ranker                                                                              = (*policy.Capacity)(nil)
	_                                                                                            = policy.Greedy{Inner: nil, Filter: nil, Overtake: false}
	_                                                                                            = policy.Delay{Inner: nil, Node: 0., Rack: 0., Skips: false, Overtake: false, Retry: 0.}
	_                                                                                            = policy.PerUser{Users: nil, Chooser: nil}
	_                                                                                            = policy.Earliest{Filter: nil}
	_ func(key func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64) policy.Ranker = policy.By
	_                                                                                            = []slotmodel.Policy{policy.FIFO{}, &policy.Fair{}, &policy.SRPT{}, &hfsp.Policy{}, &queues.Policy{}, &dynprio.Policy{}}
	_                                                                                            = []any{queues.DynamicShare{}, queues.ReducePlan{}}

	_ func(t testing.TB, make func() slotmodel.Policy, o schedtest.PolicyOptions)               = schedtest.Policy
	_ func(t testing.TB, shares func(capacity float64, demand, weight []float64) []float64)     = schedtest.Shares
	_ func(t testing.TB, pack func(slots int, work []float64, most []int) []malleable.Piece)    = schedtest.Packing
	_ func(t testing.TB, assign func(sizes []float64, machines int) []int, factor float64)      = schedtest.Assignment
	_ func(t testing.TB, draw func(*rapid.T) int, less func(a, b int) bool)                     = schedtest.Order[int]
	_ func(t testing.TB, make func() schedtest.FlowQueue, o schedtest.QueueOptions)             = schedtest.Queue
	_ func(t testing.TB, draw func(r *rapid.T) int, sort func([]int), less func(a, b int) bool) = schedtest.Sort[int]
	_                                                                                           = schedtest.QueueOptions{Bound: 0., ServedOut: false, Lag: 0.}

	_ = []encoding.TextMarshaler{aging.ByWork, precedence.Sum, partition.Best, market.Hamilton, shuffle.Rack}
)

// methods are those that others call.
type methods interface {
	Add(key string, j aging.Job) error
	Complete(key string) bool
	Remove(key string) bool
	Reestimate(key string, work float64) error
	SetSlots(key string, slots float64) error
	SetWeight(key string, weight float64) error
	SetCapacity(capacity float64) error
	Capacity() float64
	SetReady(key string, ready bool) error
	Lapsed(dst []string) []string
	Advance(elapsed float64) error
	Job(key string) (aging.Job, bool)
	Len() int
	NextFinish() (key string, in float64, ok bool)
	First(by aging.By) (string, bool)
	All(by aging.By) iter.Seq2[string, aging.Job]
	Late(dst []string) []string
	Tag(key string) (aging.Tag, bool)
	Snapshot() aging.Snapshot[string]
}

var (
	_ methods = (*aging.Cluster[string])(nil)
	_ interface {
		Add(x []float64, y float64) error
		Predict(x []float64) (knn.Prediction, error)
		PredictAll(dst []knn.Prediction, queries mat.Matrix) ([]knn.Prediction, error)
		LeaveOneOut(dst []float64) ([]float64, error)
		Snapshot() knn.Snapshot
	} = (*knn.Estimator)(nil)
	_ interface {
		Add(key, n uint64) error
		AddBytes(key []byte, n uint64) error
		Merge(*partition.Sketch) error
		Row(dst []float64, row int) ([]float64, error)
		Count(key uint64) uint64
		Partition(row int, key uint64) (int, error)
		MarshalBinary() ([]byte, error)
		UnmarshalBinary([]byte) error
	} = (*partition.Sketch)(nil)
	_ interface {
		Join(key string, weight float64) error
		JoinUnder(parent, key string, weight float64) error
		Leave(key string) bool
		SetWeight(key string, weight float64) error
		SetActive(key string, active bool) error
		Next(skip func(string) bool) (string, bool)
		SetLimit(key string, services int) error
		Charge(key string, cost float64) error
		Start(key string, cost float64) (fairqueue.Service, error)
		Grow(s fairqueue.Service, more float64) error
		End(s fairqueue.Service, cost float64) error
		Services() iter.Seq2[fairqueue.Service, string]
		Elsewhere(key string, cost float64) error
		Snapshot() fairqueue.Snapshot[string]
	} = (*fairqueue.Queue[string])(nil)
	_ interface {
		Ride(j slotmodel.Job, t slotmodel.Task, on slotmodel.Attempt) bool
	} = (*slotmodel.Actions)(nil)
	_ interface {
		Fits(j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool
		FreeSlots(k slotmodel.Kind) int
	} = (*slotmodel.View)(nil)
	_ rand.Source = nil
)
