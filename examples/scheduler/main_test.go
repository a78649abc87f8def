package main

// What is printed, by hand: the report's two samples end at 30 s, so that it has 12 x 30 slot-seconds; the query's end at 35 s (4 x 5), the import's
// at 40 s (6 x 10). The four slots are never idle while a task waits: 440 slot-seconds of work end at 110 s.
func Example() {
	main()
	// Output:
	// 30 s: report has 360 slot-seconds
	//  35 s: query has 20 slot-seconds
	//  36 s: restarted
	//  40 s: import has 60 slot-seconds
	//  40 s: query is done, 20 s after it came
	//  50 s: import is done, 25 s after it came
	// 110 s: report is done, 110 s after it came
}
