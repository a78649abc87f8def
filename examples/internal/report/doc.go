// Package report is what the example programs have in common around their mathematics: flags and exit codes, the files that a
// run leaves behind (numbers as TSV, pictures as SVG, claims.tsv), a progress bar, and the page that shows them together.
//
// A program makes a Section: figures, each with its picture, its numbers and the claims of the paper that the numbers
// bear on. Write puts a Section into a directory; Page makes one HTML page of several. Neither holds a date, a duration or a
// path, so that two runs with the same flags leave the same bytes.
package report
