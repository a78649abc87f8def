// Package report is what the example programs that draw figures have in common around their
// mathematics: the files that a run leaves behind (numbers as TSV, pictures as SVG or PNG,
// claims.tsv), statistics of repetitions, and the page that shows it all.
//
// A program is a Program: a name and a function that makes a Plan. A Plan lists
// the figures of one paper as Items; done, it is a Section. From makes a figure of an experiment
// that it shares with others. Each Figure is made in one way:
//
//	f := report.NewFigure("Figure 1: ...", "caption", "x", "mean") // columns of the numbers in the files
//	f.Numbers.Add(x, numbers.Mean(values))                         // a row at full precision
//	f.Shown.Show(x, numbers.Mean(values))                          // a row of the page's table, for people
//	return f.Done(claims, "text alternative", chart)               // charts are those of package draw
//
// A paper's silences are filled by Readings. A plan lists them, one with Main: why it is the one
// that counts. Each names the Seeds it was Found by and is Judged by; a run of repetition i draws
// from Judged.At(i). A claim that several readings run is a Claim for each, with the same words,
// item, Published, Relation and Headline: one Row of the page with a cell for each reading. Rows
// are counted by the main reading.
//
// A Claim, which Says states, is of a Kind: what the paper measured, what its reading was found by, an example of the
// paper's, theory, or beyond the paper. Its verdict comes from
//
//	Above, Below   a stated direction, by the 95% Interval of ratios or differences over the same seeds
//	Single         a published number, which is one run
//	Tuple          several numbers of one run together
//	All, Most      parts that must all hold, or 9 of 10
//	When, InTheory a condition, and one that rests on no repetitions: Margin is infinite
//	NotRun         what needs an input that is not there
//
// Its Note is a reason by Because: a condition of the same run. What the numbers of many claims
// rest on stands in the Section's Intro, not in their notes.
//
// Plan.Write puts each figure into a directory as it is done; Pages makes the HTML pages of several
// Sections. Neither holds a date, a path or a duration, so that two runs with the same flags leave
// the same bytes. Repetitions run side by side through program.Parallel, which does not change their
// numbers.
package report
