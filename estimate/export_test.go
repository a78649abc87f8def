package estimate

// KolmogorovP is the distribution behind LogNormal.KS, for tests against tables.
var KolmogorovP = kolmogorovP

// StayProbability and KolmogorovLarge are its exact and its asymptotic form, each on its own.
var (
	StayProbability = stayProbability
	KolmogorovLarge = kolmogorovLarge
)
