package whatif

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A share is which part of the runs of a comparison is made, from 1.
type share struct{ part, of int }

const mostParts = 100_000

// parseShare reads the value of -part.
func parseShare(text string) (s share, err error) {
	part, of, ok := strings.Cut(text, "/")
	if s.part, err = strconv.Atoi(part); err == nil && ok {
		s.of, err = strconv.Atoi(of)
	}
	if err != nil || s.part < 1 || s.of < s.part || s.of > mostParts {
		return share{}, program.Usagef("-part is %q, want a part and how many there are, such as 3/16, at most %d", text, mostParts)
	}
	return s, nil
}

// has says whether a run is of the part: they are dealt out like cards, seed by seed and in each
// policy by policy.
func (s share) has(run int) bool { return run%s.of == s.part-1 }

// A partFile is what -part writes.
type partFile struct {
	Version int       `json:"version"`
	Part    int       `json:"part"`
	Of      int       `json:"of"`
	Args    []string  `json:"args"`   // of the program, without -part and -out
	Digest  string    `json:"digest"` // of the settings and the jobs
	Runs    []partRun `json:"runs"`
}

// A partRun is what a policy did under a seed.
type partRun struct {
	Seed    int    `json:"seed"` // from 0
	Policy  string `json:"policy"`
	Sojourn reals  `json:"sojourn"`
	Finish  reals  `json:"finish"`
	Net     reals  `json:"net,omitempty"`
	Worst   reals  `json:"worst,omitempty"`
}

// reals are written as their bits, eight bytes each with the lowest first, in base64: NaN is among
// them.
type reals []float64

// MarshalJSON writes the bits.
func (f reals) MarshalJSON() ([]byte, error) {
	bits := make([]byte, 0, 8*len(f))
	for _, x := range f {
		bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(x))
	}
	return json.Marshal(bits)
}

// UnmarshalJSON reads them.
func (f *reals) UnmarshalJSON(text []byte) error {
	var bits []byte
	if err := json.Unmarshal(text, &bits); err != nil {
		return err
	}
	if len(bits)%8 != 0 {
		return fmt.Errorf("%d bytes are no float64s", len(bits))
	}
	*f = make(reals, len(bits)/8)
	for i := range *f {
		(*f)[i] = math.Float64frombits(binary.LittleEndian.Uint64(bits[8*i:]))
	}
	return nil
}

// digest tells two comparisons apart: by all settings that change a number, and by the jobs.
func (s *setting) digest(names []string) string {
	o := s.Options
	o.Out, o.Trace, o.Command, o.Zone, o.joined, o.partial = "", "", "", nil, nil, false
	o.Policies = strings.Join(names, ",")
	h := sha256.New()
	fmt.Fprintf(h, "%+v\n%v\n%v\n%v\n%d\n", o, s.Jobs, s.SWIM, s.Users, s.machines)
	return hex.EncodeToString(h.Sum(nil))
}

// writePart makes the runs of a part and writes them into a file.
func writePart(ctx context.Context, o Options, p share, args []string, file string, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	s, names, err := o.prepared(ctx)
	if err != nil {
		return err
	}
	f := partFile{Version: 1, Part: p.part, Of: p.of, Args: args, Digest: s.digest(names)}
	c := &console{stderr: stderr, seeds: 1}
	all := s.withRivals(names)
	runs := 0
	for n := range o.Seeds * len(all) {
		if p.has(n) {
			runs++
		}
	}
	for k := range o.Seeds {
		made, err := program.Await(ctx, func() ([]partRun, error) { return s.runs(k, all, p, runs, c) })
		if err != nil {
			return err
		}
		f.Runs = append(f.Runs, made...)
	}
	c.done()
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "whatif: wrote %s of part %d of %d into %s\n", report.Count(len(f.Runs), "run"), p.part, p.of, file)
	return nil
}

// runs are those of a part with the k-th seed. All of the part are so many.
func (s *setting) runs(k int, names []string, p share, all int, c *console) ([]partRun, error) {
	var made []partRun
	for i, name := range names {
		if p.has(k*len(names) + i) {
			made = append(made, partRun{Seed: k, Policy: name})
		}
	}
	if len(made) == 0 {
		return nil, nil
	}
	_, st, err := s.seeded(k)
	if err != nil {
		return nil, err
	}
	c.begin(st, all)
	return made, report.Parallel(len(made), func(_ *struct{}, i int) error {
		r, err := st.play(made[i].Policy, c)
		made[i].Sojourn, made[i].Finish, made[i].Net, made[i].Worst = r.sojourn, r.finish, r.net, r.worst
		return err
	})
}

// runKey is a run.
type runKey struct {
	seed   int
	policy string
}

// joined are the runs of the parts of a comparison.
type joined struct {
	args    []string
	digest  string
	of      int
	missing []int
	runs    map[runKey]outcome
}

// readParts reads what -part has written.
func readParts(files []string) (*joined, error) {
	j := &joined{runs: map[runKey]outcome{}}
	if len(files) == 0 {
		return nil, program.Usagef("-join wants the files of the parts behind the flags: -join part*.json")
	}
	from := map[int]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var f partFile
		if err := json.Unmarshal(text, &f); err != nil || f.Version != 1 || f.Part < 1 || f.Of < f.Part || f.Of > mostParts {
			return nil, program.Usagef("%s is no part of a comparison that this program has written: %v", name, cmp.Or[any](err, "its version or its part is another"))
		}
		if j.of == 0 {
			j.args, j.digest, j.of = f.Args, f.Digest, f.Of
		}
		switch {
		case f.Of != j.of || f.Digest != j.digest:
			return nil, program.Usagef("%s is part of another comparison than %s", name, files[0])
		case from[f.Part] != "":
			return nil, program.Usagef("%s and %s are both part %d", from[f.Part], name, f.Part)
		}
		from[f.Part] = name
		for _, r := range f.Runs {
			j.runs[runKey{r.Seed, r.Policy}] = outcome{sojourn: r.Sojourn, finish: r.Finish, net: r.Net, worst: r.Worst}
		}
	}
	for part := 1; part <= j.of; part++ {
		if from[part] == "" {
			j.missing = append(j.missing, part)
		}
	}
	return j, nil
}

// lacks names the parts that are missing.
func (j *joined) lacks() string {
	if len(j.missing) == 1 {
		return fmt.Sprintf("part %d of %d is missing", j.missing[0], j.of)
	}
	return fmt.Sprintf("the parts %s of %d are missing", report.Words(j.missing, ", ", strconv.Itoa), j.of)
}

// seeds are those, from 0, of which all runs are there.
func (j *joined) seeds(n int, names []string) (whole []int) {
	for k := range n {
		if !slices.ContainsFunc(names, func(name string) bool { _, ok := j.runs[runKey{k, name}]; return !ok }) {
			whole = append(whole, k)
		}
	}
	return whole
}

// without leaves out flags of a command line: with a value where it is true.
func without(args []string, flags map[string]bool) []string {
	var rest []string
	for i := 0; i < len(args); i++ {
		name, _, whole := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		valued, known := flags[name]
		switch {
		case !known || !strings.HasPrefix(args[i], "-"):
			rest = append(rest, args[i])
		case valued && !whole:
			i++
		}
	}
	return rest
}
