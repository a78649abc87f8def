package slurm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/slurm"
)

func TestHosts(t *testing.T) {
	for list, want := range map[string]string{"n1": "n1", "n[5-8]": "n5 n6 n7 n8", "n[08-10,3],m2,k[1]": "n08 n09 n10 n3 m2 k1", "n[1-2]-ib,r[1-2]n[01-02]": "n1-ib n2-ib r1n01 r1n02 r2n01 r2n02", "n[1-2]-[": "", "": "", "(null)": "(null)", "n[": "", "n]1[,": "", "n[x-2]": "", "n[3-1]": ""} {
		if got := slurm.Hosts(list); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("Hosts(%q) = %q, want %q", list, got, want)
		}
	}
	for _, list := range []string{strings.Repeat("n[0-65535],", 9), "n[" + strings.Repeat("0", 1<<20) + "-9]", strings.Repeat("[0]", 1<<18), "n[" + strings.Repeat("0-2147483647,", 1<<18) + "0]-["} {
		if got := slurm.Hosts(list); len(got) > 2<<16 || len(got) > 0 && len(got[0]) > 30 {
			t.Errorf("Hosts(%.9s...) is %d names, of %d bytes", list, len(got), len(got[0]))
		}
	}
}
