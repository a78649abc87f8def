package market

// What Grant.Why and Quote.Why may say.
const (
	ByShare      = byShare
	ByMinimum    = byMinimum
	ByDemand     = byDemand
	ByMaximum    = byMaximum
	ByBudget     = byBudget
	NoDemand     = noDemand
	NoBid        = noBid
	BelowReserve = belowReserve
	NoCredit     = noCredit
)
