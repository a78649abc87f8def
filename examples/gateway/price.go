package main

import (
	"cmp"

	"github.com/tidwall/gjson"
)

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

// perToken is the bytes of a token, at most 4, which English and code have: a tenant that pads its
// bodies makes none of these cheaper that it breaks off.
func (l *leaf) perToken() float64 { return min(max(cmp.Or(l.token, 4), 2), 4) }

// lately is a moving average; 0 is none yet.
func lately(mean, x float64) float64 { return .9*cmp.Or(mean, x) + .1*x }

// merge puts a usage that the backend says in the place of what it said before; messages tell the
// prompt first, without what was read from and written to the cache.
func (t *tokens) merge(usage gjson.Result) {
	of := func(name string) float64 { return min(max(usage.Get(name).Num, 0), 1e9) }
	all, read, written := of("prompt_tokens")+of("input_tokens"), of("cache_read_input_tokens"), of("cache_creation_input_tokens")
	hit := min(of("prompt_tokens_details.cached_tokens")+of("input_tokens_details.cached_tokens"), all)
	if all+read+written > 0 {
		t.prompt, t.cached = all-hit+written, hit+read
	}
	t.output = max(t.output, of("completion_tokens")+of("output_tokens"))
}
