package fluid_test

import "testing"

// Dozens of jobs, where groups, levels and blocks are many: the capped engine has no other check at
// this size.
func TestOracleMany(t *testing.T) {
	testOracle(t, kind{n: 40, caps: true, estimates: true, weights: true, steps: true}, 20)
}

func TestOracleManyTight(t *testing.T) {
	testOracle(t, kind{n: 50, caps: true, estimates: true, weights: true, tight: true}, 20)
}
