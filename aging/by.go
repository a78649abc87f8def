package aging

// By selects the priority among jobs that are not late.
type By int

const (
	// ByWork puts the least remaining virtual work first, as HFSP's text has it (section III-C). With unequal weights or caps a
	// job of little work may still finish late in virtual time, and FSP's dominance over processor sharing is lost.
	ByWork By = iota
	// ByFinish puts the earliest virtual finish first, as FSP does (Friedman and Henderson 2003). On one server with exact
	// sizes no job then finishes later than under processor sharing.
	ByFinish
)

// String returns "work" or "finish".
func (by By) String() string {
	switch by {
	case ByWork:
		return "work"
	case ByFinish:
		return "finish"
	}
	return "unknown"
}

// valid reports whether by is one of the two.
func (by By) valid() bool { return by == ByWork || by == ByFinish }
