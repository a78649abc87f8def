package order

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
)

// state is an Order as it is written.
type state struct {
	Version int                                   `json:"version"`
	Now     float64                               `json:"now"`
	Jobs    aging.Snapshot[string]                `json:"jobs"`
	Runs    estimate.RequirementsSnapshot[string] `json:"runs"`
	Ended   map[string]float64                    `json:"ended"`
	Due     map[string]float64                    `json:"due,omitempty"` // with Options.Overtake alone
}

// Snapshot returns the Order as at most limit bytes: JSON packed by gzip. If that is not enough it
// leaves out the older half of each owner's past pods, again and again, in what it writes.
//
// Errors: the pods alone take more than limit.
func (o *Order) Snapshot(limit int) ([]byte, error) {
	o.mu.Lock()
	s := state{Version: 1, Now: o.now, Jobs: o.jobs.Snapshot(), Runs: o.runs.Snapshot(), Ended: map[string]float64{}, Due: map[string]float64{}}
	for owner, at := range o.ended {
		s.Ended[owner] = at
	}
	for id, k := range o.keys {
		if o.options.Overtake > 0 {
			s.Due[id] = k.due
		}
	}
	o.mu.Unlock()
	for keep := window; ; keep /= 2 {
		for i, h := range s.Runs.Histories {
			s.Runs.Histories[i].Runs = h.Runs[max(0, len(h.Runs)-keep):]
		}
		if keep == 0 {
			s.Runs.Histories, s.Ended = nil, nil
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if err := json.NewEncoder(w).Encode(s); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		if packed.Len() <= limit {
			return packed.Bytes(), nil
		}
		if keep == 0 {
			return nil, fmt.Errorf("order: %d pods take %d bytes, more than %d", len(s.Jobs.Jobs), packed.Len(), limit)
		}
	}
}

// Restore returns the Order of a snapshot. It gives pods the same order and, unless past pods were
// left out, the same estimates. The time since the snapshot passes at the next event.
//
// Errors: an option that New refuses; bytes that Snapshot does not write.
func Restore(packed []byte, o Options) (*Order, error) {
	r, err := New(o)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("order: snapshot: %w", err)
	}
	var s state
	if err := json.NewDecoder(unpacked).Decode(&s); err != nil {
		return nil, fmt.Errorf("order: snapshot: %w", err)
	}
	if s.Version != 1 {
		return nil, fmt.Errorf("order: snapshot of version %d, want 1", s.Version)
	}
	if r.jobs, err = aging.Restore(s.Jobs); err != nil {
		return nil, err
	}
	if r.runs, err = estimate.RestoreRequirements(s.Runs, estimate.RequirementOptions[string]{Window: window}); err != nil {
		return nil, err
	}
	for _, j := range s.Jobs.Jobs {
		if j.State != aging.Completed {
			tag, _ := r.jobs.Tag(j.Key)
			r.keys[j.Key] = key{s.Due[j.Key], tag}
		}
	}
	for owner, at := range s.Ended {
		r.ended[owner] = at
	}
	r.now = s.Now
	return r, nil
}
