package estimate

// KolmogorovP is the distribution behind LogNormal.KS, for tests against tables.
var KolmogorovP = kolmogorovP

// Edge and BinOf are the bins of Mode, for tests against numpy.
var Edge, BinOf = edge, binOf
