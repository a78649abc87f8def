// Package draw is a thin layer over gonum/plot for the pictures of the examples: charts of lines, boxes, dots and areas with
// linear or logarithmic axes, stacked into one SVG document that is the same bytes on every run.
//
// It fixes what gonum leaves to each caller: colours that stay apart for colour-blind readers and in grey print, legends above
// the data instead of over it, box plots whose quantiles the caller gives, logarithmic axes that skip values that have no
// logarithm, and a text alternative inside the document.
package draw
