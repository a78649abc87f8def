// Package report is what the example programs that draw figures have in common around their
// mathematics: the files that a run leaves behind (numbers as TSV, pictures as SVG or PNG,
// claims.tsv), statistics of repetitions, and the page that shows it all.
//
// A program is a Program: a name and a function that makes a Plan. A Plan lists
// the figures of one paper as Items; done, it is a Section. From makes a figure of an experiment
// that it shares with others. Each Figure is made in one way:
//
//	f := report.NewFigure("Figure 1: ...", "caption", "x", "mean") // columns of the numbers in the files
//	f.Numbers.Add(x, report.Mean(values))                          // a row at full precision
//	f.Shown.Show(x, report.Mean(values))                           // a row of the page's table, for people
//	return f.Done(claims, "text alternative", chart)               // charts are those of package draw
//
// A Claim is of a Kind: what the paper measured, an example of its, theory, or beyond the paper.
// Which of two means is lower is decided by the 95% Interval of their ratios or differences over
// the same seeds. What the numbers of many claims rest on stands in the Section's Intro, not in
// their notes.
//
// Plan.Write puts each figure into a directory as it is done; Page makes one HTML page of several
// Sections. Neither holds a date or a path, nor a duration but in a figure that is about run times,
// so that otherwise two runs with the same flags leave the same bytes. Repetitions run side by side
// through Parallel, which does not change their numbers.
package report
