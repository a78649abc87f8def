package estimate

// KolmogorovP is the distribution behind LogNormal.KS, for tests against tables.
var KolmogorovP = kolmogorovP
