package main

import "cmp"

// Tokens are what a request takes, or what one of each kind costs.
type tokens struct{ prompt, cached, output float64 }

// cost is what tokens cost, at least one of the output's; 0 if there are none.
func (g *gate) cost(t tokens) float64 {
	if t == (tokens{}) {
		return 0
	}
	return min(max(t.prompt*g.prices.prompt+t.cached*g.prices.cached+t.output*g.prices.output, g.prices.output), 1e15)
}

// guess is what a request may take: its body, and what the tenant's answers took lately, at most what
// it allows.
func (l *leaf) guess(a *ask) tokens {
	t := tokens{prompt: float64(len(a.body)) / l.perToken()}
	if !a.silent {
		t.output = a.n * min(cmp.Or(l.answer, a.most), cmp.Or(a.most, l.answer))
	}
	return t
}

// perToken is the bytes of a token.
func (l *leaf) perToken() float64 { return min(max(cmp.Or(l.token, 4), 2), 8) }

// lately is a moving average; 0 is none yet.
func lately(mean, x float64) float64 { return .9*cmp.Or(mean, x) + .1*x }

// A usage is what a backend says that an answer took: prompt_tokens and so on for chat, completions
// and embeddings, input_tokens and so on for responses and messages.
type usage struct {
	Prompt  float64 `json:"prompt_tokens"`
	Output  float64 `json:"completion_tokens"`
	Input   float64 `json:"input_tokens"` // of messages without what was read from and written to the cache
	Answer  float64 `json:"output_tokens"`
	Read    float64 `json:"cache_read_input_tokens"`
	Written float64 `json:"cache_creation_input_tokens"`
	Details struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	More struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"input_tokens_details"`
}

// merge puts what is said now in the place of what was said before; messages tell the prompt first.
func (t *tokens) merge(u *usage) {
	bound := func(x float64) float64 { return min(max(x, 0), 1e9) }
	all := bound(u.Prompt + u.Input)
	hit := min(bound(u.Details.Cached+u.More.Cached), all)
	if all+u.Read+u.Written > 0 {
		t.prompt, t.cached = all-hit+bound(u.Written), hit+bound(u.Read)
	}
	t.output = max(t.output, bound(u.Output+u.Answer))
}
