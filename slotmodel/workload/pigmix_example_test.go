package workload_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func ExamplePigMix_Jobs() {
	mix := workload.LargePigMix()
	jobs, made, err := mix.Jobs(100, 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	queries := workload.PigMixQueries()
	for i, j := range jobs[:3] {
		fmt.Printf("%4.0f s: %s on dataset %d, %d maps, %d reduces\n", j.Arrival, queries[made[i].Query].Name, made[i].Dataset, j.Maps.Tasks, j.Reduces.Tasks)
	}
	// Output:
	// 121 s: L1 on dataset 3, 240 maps, 30 reduces
	//  173 s: L12 on dataset 1, 35 maps, 5 reduces
	//  331 s: L8 on dataset 2, 90 maps, 1 reduces
}

func ExamplePigMix_Load() {
	for _, mix := range []workload.PigMix{workload.SmallPigMix(), workload.LargePigMix()} {
		maps, reduces, err := mix.Load(72, 36)
		fmt.Printf("%.2f %.2f %v\n", maps, reduces, err)
	}
	// Output:
	// 0.96 0.48 <nil>
	// 1.18 0.61 <nil>
}

func ExampleSmallPigMix() {
	fmt.Println(workload.SmallPigMix().Shares, workload.SmallPigMix().Gap)
	// Output:
	// [65 20 10 5] 30
}

func ExampleLargePigMix() {
	fmt.Println(workload.LargePigMix().Shares, workload.LargePigMix().Gap)
	// Output:
	// [0 10 60 30] 120
}

// The same workload without long reduces.
func ExampleReduceTimes() {
	mix := workload.LargePigMix()
	mix.Reduce = workload.ReduceTimes()
	mix.Reduce.Long = 0
	_, reduces, err := mix.Load(72, 36)
	fmt.Printf("%.2f %v\n", reduces, err)
	// Output:
	// 0.22 <nil>
}

func ExampleMapTimes() {
	fmt.Printf("%+v\n", workload.MapTimes())
	// Output:
	// {Median:42 Spread:0.4 Long:0.02 LongJobs:0.1 LongLow:200 LongPerGiB:40}
}

func ExamplePigMixQueries() {
	for _, q := range workload.PigMixQueries()[:2] {
		fmt.Printf("%+v\n", q)
	}
	// Output:
	// {Name:L1 Fraction:0.3 MapTime:1 PerGiB:1 ReduceTime:0.8 Shuffle:0.1 Output:0.01}
	// {Name:L2 Fraction:0.24 MapTime:1.3 PerGiB:0 ReduceTime:1 Shuffle:0 Output:0.02}
}

func ExampleOfferedLoad() {
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 10, Work: 20}},
		{Arrival: 100, Maps: slotmodel.Phase{Tasks: 5, Work: 20}, Reduces: slotmodel.Phase{Tasks: 1, Work: 50}},
	}
	fmt.Println(workload.OfferedLoad(jobs, 4, 2))
	// Output:
	// 0.75 0.25 <nil>
}

// Nine nodes in three racks hold three copies of each block.
func ExamplePlacer_Place() {
	nodes := make([]slotmodel.NodeSpec, 9)
	for i := range nodes {
		nodes[i] = slotmodel.NodeSpec{Rack: i / 3, Maps: 2, Reduces: 1}
	}
	placer, err := workload.NewPlacer(nodes)
	if err != nil {
		fmt.Println(err)
		return
	}
	job := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 4, Work: 20}, Copies: 3}
	job.Replicas, err = placer.Place(nil, job.Maps.Tasks, job.Copies, workload.Stream(1, workload.Placement, 0))
	fmt.Println(job.Replicas, err)
	// Output:
	// [6 5 3 2 6 8 5 7 6 7 0 2] <nil>
}

func ExampleNewPlacer() {
	_, err := workload.NewPlacer(nil)
	fmt.Println(err)
	// Output:
	// workload.NewPlacer: nodes: has 0 elements, want 1 to 134217728
}

func ExampleReadJobs() {
	file := "id\tsubmit\tuser\tmaps\tmap_s\n" +
		"daily\t0\tann\t40\t20\n" +
		"query\t12.5\tbob\t3\t9\n" +
		"query2\t13\tann\t3\t9\n"
	records, err := workload.ReadJobs(strings.NewReader(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	jobs, names, err := workload.Specs(nil, records)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, j := range jobs {
		fmt.Println(records[i].ID, j.Arrival, j.Maps.Tasks, j.Maps.Work, j.User, names.Users()[j.User])
	}
	// Output:
	// daily 0 40 20 0 ann
	// query 12.5 3 9 1 bob
	// query2 13 3 9 0 ann
}

func ExampleWriteJobs() {
	var file bytes.Buffer
	err := workload.WriteJobs(&file, []workload.JobRecord{{ID: "daily", User: "ann", Maps: 40, Reduces: 4, MapSeconds: 20, ReduceSeconds: 35}})
	fmt.Print(strings.ReplaceAll(file.String(), "\t", ","), err)
	// Output:
	// id,submit,user,queue,deadline,maps,reduces,map_s,reduce_s,input,shuffle,output
	// daily,0,ann,,0,40,4,20,35,0,0,0
	// <nil>
}

func ExampleJobReader() {
	file := "id\tsubmit\tmaps\tmap_s\n" +
		"a\t0\t40\t20\n" +
		"b\t5\t1.5\t20\n" +
		"c\t6\t2\t20\n"
	for job, err := range workload.NewJobReader(strings.NewReader(file)).All() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(job.ID, job.Maps)
	}
	// Output:
	// a 40
	// workload: line 3, column 5: maps "1.5" is no whole number of tasks
	// c 2
}

func ExampleJobWriter() {
	var file bytes.Buffer
	w := workload.NewJobWriter(&file)
	fmt.Println(w.Write(workload.JobRecord{ID: "a", Submit: 7}))
	fmt.Println(w.Write(workload.JobRecord{ID: "b", Submit: 5}))
	fmt.Println(w.Flush(), strings.Count(file.String(), "\n"), "lines")
	// Output:
	// <nil>
	// workload.JobWriter.Write: job: Submit is 5, want at least the 7 of the job before
	// <nil> 2 lines
}

func ExampleSpecs() {
	jobs, names, err := workload.Specs(nil, []workload.JobRecord{{ID: "a", User: "ann", Queue: "night"}, {ID: "b", User: "bob", Queue: "night"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(jobs[0].User, jobs[1].User, names.Users(), names.Queues())
	// Output:
	// 0 1 [ann bob] [night]
}

func ExampleJobNames_Spec() {
	var names workload.JobNames
	for _, j := range []workload.JobRecord{{ID: "a", User: "ann", Queue: "night"}, {ID: "b", User: "bob", Queue: "day"}} {
		job, queue, err := names.Spec(j)
		fmt.Println(job.User, queue, err)
	}
	fmt.Println(names.Users(), names.Queues())
	// Output:
	// 0 0 <nil>
	// 1 1 <nil>
	// [ann bob] [night day]
}

func ExampleRecordOf() {
	job, err := workload.RecordOf("a", "ann", "", slotmodel.JobSpec{Arrival: 3, Maps: slotmodel.Phase{Tasks: 2, Works: []float64{10, 30}}})
	fmt.Println(job.ID, job.Submit, job.Maps, job.MapSeconds, err)
	// Output:
	// a 3 2 20 <nil>
}

func ExampleExplode() {
	trace := []workload.SWIMJob{
		{ID: "job0", Submit: 9, MapInput: 1762, Output: 14347},
		{ID: "job1", Submit: 18, MapInput: 970, Shuffle: 609, Output: 697},
		{ID: "job2", Submit: 1000, MapInput: 53e9, Shuffle: 1.5e9, Output: 5.7e6},
	}
	jobs, made, err := workload.Explode(nil, trace, workload.ExplodeOptions{MapSlots: 40, ReduceSlots: 20, MapLoad: 0.7, ReduceRate: 10e6}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range jobs {
		fmt.Printf("%d maps of %.2g s, %d reduces of %.2g s\n", j.Maps.Tasks, j.Maps.Work, j.Reduces.Tasks, j.Reduces.Work)
	}
	fmt.Printf("in all %d and %d, at %.3g and %.3g bytes/s\n", made.Maps, made.Reduces, made.MapRate, made.ReduceRate)
	// Output:
	// 1 maps of 0.0085 s, 0 reduces of 0 s
	// 1 maps of 0.00051 s, 1 reduces of 0.00013 s
	// 395 maps of 71 s, 2 reduces of 75 s
	// in all 397 and 3, at 1.89e+06 and 1e+07 bytes/s
}
