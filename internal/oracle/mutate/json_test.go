package mutate_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/mutate"
)

// Every change is valid JSON, and changes of each kind come up.
func TestJSON(t *testing.T) {
	const text = `{"a":[1,2.5],"b":"x","c":true}`
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for range 2000 {
		changed := mutate.JSON([]byte(text), rng.IntN)
		if !json.Valid(changed) {
			t.Fatalf("JSON gives %s", changed)
		}
		seen[string(changed)] = true
	}
	for _, want := range []string{`{"a":[2,2.5],"b":"x","c":true}`, `{"a":[1,9007199254740993],"b":"x","c":true}`, `{"a":[2.5],"b":"x","c":true}`, `{"a":[1,1,2.5],"b":"x","c":true}`,
		`{"a":[2.5,1],"b":"x","c":true}`, `{"a":[1,2.5],"b":"","c":true}`, `{"a":[1,2.5],"b":"x","c":false}`} {
		if !seen[want] {
			t.Errorf("%s never came up", want)
		}
	}
	for _, none := range []string{"", "[", "[]", "null"} {
		if got := mutate.JSON([]byte(none), rng.IntN); string(got) != none {
			t.Errorf("JSON(%q) = %q, want no change", none, got)
		}
	}
}
