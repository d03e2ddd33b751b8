package inits

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/moments"
	"mcsim/sim/stream"
	"mcsim/sim/weights"
)

func initCell(scheme string, model, key int) experiment.Cell {
	c := experiment.NewCell(Experiment, map[string]experiment.Value{"init": {Name: scheme}, "d_model": {Number: float64(model)}, "d_k": {Number: float64(key)}})
	c.Tolerance, c.Gated = 0.02, true
	return c
}

func TestInitCells(t *testing.T) {
	c := initCell("torch-mha", 768, 64)
	if want := "init/torch-mha/d_model=768/d_k=64"; c.ID != want {
		t.Errorf("the cell is called %s, want %s", c.ID, want)
	}
	n := experimenttest.Drawn(c, 3)
	if len(n.Moments) != len(Experiment.Columns(c)) || n.Moments[0].N != 3 {
		t.Errorf("%d columns of %d numbers", len(n.Moments), n.Moments[0].N)
	}
	if got := rowNames(initRows(c, n)); got != "query_variance key_variance logit_variance logit_sd scaled_variance head_variance head_spread same_token_variance same_token_mean same_token_mean_variance participation_ratio" {
		t.Errorf("the rows are %s", got)
	}
}

func rowNames(f experiment.Findings) string {
	var names []string
	for _, r := range f.Rows {
		names = append(names, r.Quantity)
	}
	return strings.Join(names, " ")
}

// Rows that do not exist are not there: of a normalised head nothing that rests on
// the weights alone, of no queries no spread.
func TestInitRowsByScheme(t *testing.T) {
	for scheme, missing := range map[string]string{
		"qk-norm": "head_variance head_spread same_token_mean_variance", "mup-zero-query": "head_spread", "orthogonal": "same_token_mean_variance",
	} {
		c := initCell(scheme, 32, 8)
		names := " " + rowNames(initRows(c, experimenttest.Drawn(c, 2))) + " "
		for _, name := range strings.Fields(missing) {
			if strings.Contains(names, " "+name+" ") {
				t.Errorf("%s has a row %s", scheme, name)
			}
		}
		if len(strings.Fields(names)) != len(initQuantities)-len(strings.Fields(missing)) {
			t.Errorf("%s has the rows%s", scheme, names)
		}
	}
}

// Every row of every scheme is as theory says, within 4.5 of its own errors, or
// to rounding where it does not vary.
func TestInitAgainstTheory(t *testing.T) {
	draws := 256
	if testing.Short() {
		draws = 64
	}
	for _, scheme := range weights.Names() {
		c := initCell(scheme, 96, 16)
		for _, r := range initRows(c, experimenttest.Drawn(c, draws)).Rows {
			off := math.Abs(float64(r.Value - r.Theory))
			if r.TheoryKind != "exact" || !(off <= 4.5*float64(r.SE)+1e-6*float64(r.Theory)) {
				t.Errorf("%s: %s is %v ± %v, want %v (%s)", scheme, r.Quantity, r.Value, r.SE, r.Theory, r.TheoryKind)
			}
		}
	}
}

// Intervals of 95 % hold theory as often as they say, where the rules give them:
// 250 runs of 64 draws of heads that are small enough to be skewed.
func TestInitCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	const draws = 64
	const runs = 250
	held, given := map[string]int{}, map[string]int{}
	for _, scheme := range []string{"lecun-normal", "torch-linear"} {
		c := initCell(scheme, 64, 8)
		each, _ := experimenttest.Runs(c, 4, runs, draws)
		for _, n := range each {
			for _, r := range initRows(c, n).Rows {
				if !r.Level.Present() {
					continue
				}
				given[r.Quantity]++
				if r.Lo <= r.Theory && r.Theory <= r.Hi {
					held[r.Quantity]++
				}
			}
		}
	}
	for _, q := range initQuantities {
		share := float64(held[q.name]) / float64(given[q.name])
		// Of 500 intervals of 95 %, 91.8 to 98.2 % hold it, but for one time in 1000,
		// when the share is more than 3.29 standard errors off.
		off := 3.29 * math.Sqrt(0.95*0.05/float64(2*runs))
		if given[q.name] != 2*runs || math.Abs(share-0.95) > off {
			t.Errorf("%s: %d of %d intervals hold theory, %.4f", q.name, held[q.name], given[q.name], share)
		}
	}
}

// Where an interval would not be honest there is none, and a warning says why.
func TestInitWithoutInterval(t *testing.T) {
	for _, x := range []struct {
		cell     experiment.Cell
		draws    int
		quantity string
		why      string
	}{
		{initCell("mup", 64, 8), 15, "logit_variance", "fewer than 16 draws"},
		{initCell("mup", 8, 1), 16, "logit_variance", "it is skewed"},
		{initCell("mup", 8, 2), 64, "head_spread", "not normal"},
		{initCell("qk-norm", 64, 8), 64, "query_variance", "does not vary"},
	} {
		f := initRows(x.cell, experimenttest.Drawn(x.cell, x.draws))
		for _, r := range f.Rows {
			if r.Quantity == x.quantity && r.Lo.Present() {
				t.Errorf("%s of %s has the interval %v to %v", x.quantity, x.cell.ID, r.Lo, r.Hi)
			}
		}
		said := false
		for _, w := range f.Warnings {
			said = said || w.Quantity == x.quantity && strings.Contains(w.Text, x.why)
		}
		if !said {
			t.Errorf("%s of %s: no warning says %q: %v", x.quantity, x.cell.ID, x.why, f.Warnings)
		}
	}
}

func TestInitRefuses(t *testing.T) {
	for _, x := range []struct {
		scheme     string
		model, key int
		want       string
	}{
		{"torch-mha", 512, 64, ""}, {"orthogonal", 64, 64, ""}, {"mup", 2, 1, ""},
		{"torch-mha", 512, 100, "d_model = 512 is no whole number of heads of d_k = 100; it is a multiple, such as 500 or 600"},
		{"flax", 64, 128, "d_model = 64 is no whole number of heads of d_k = 128; it is a multiple, such as 128"},
		{"orthogonal", 64, 128, "128 columns of 64 components cannot be orthogonal: d_k is at most d_model"},
	} {
		err := refuseInit(initCell(x.scheme, x.model, x.key), true)
		if err == nil && x.want != "" || err != nil && err.Error() != x.want {
			t.Errorf("%s at %d/%d: %v, want %q", x.scheme, x.model, x.key, err, x.want)
		}
	}
	if _, err := InitAxis.Parse("torch-mah"); err == nil || err.Error() != `unknown init "torch-mah"; did you mean torch-mha?` {
		t.Errorf("a mistyped name: %v", err)
	}
}

// A gate rests on the closed form of its error; what has none has no gate.
func TestInitChecks(t *testing.T) {
	checks := Experiment.Gates([]experiment.Cell{initCell("he-normal", 768, 64), initCell("qk-norm", 768, 64), initCell("mup-zero-query", 768, 64), initCell("orthogonal", 768, 64)})
	if len(checks) != 2 || checks[0].Quantity != "head_variance" || checks[1].Cell != "init/orthogonal/d_model=768/d_k=64" {
		t.Fatalf("the gates are %+v", checks)
	}
	want, se, band := checks[0].At(64)
	// 4/(dN) + 2(d+1)/(dN²) with N = 767.
	relative := math.Sqrt((4/(64*767.0) + 2*65/(64*767.0*767.0)) / 64)
	if want != 4 || math.Abs(se/(4*relative)-1) > 1e-12 || band != [2]float64{4 - 0.08, 4 + 0.08} {
		t.Errorf("at 64 draws the gate says %v ± %v in %v", want, se, band)
	}
	// The skewness that the limits are corrected by is about the sample's.
	c := initCell("he-normal", 32, 4)
	n := drawnHeads(c, 4000)
	skew := initChecks(c)[0].Skew
	if got := n.Standard(3); math.Abs(got-skew) > 0.3*skew {
		t.Errorf("the skewness over draws is %v, the gate takes %v", got, skew)
	}
}

// drawnHeads are the moments of the heads' mean squares, to the fourth.
func drawnHeads(c experiment.Cell, draws int) moments.Moments {
	drawer := weights.NewDrawer(head(c))
	open := stream.Open(stream.Key{Seed: 6, Cell: c.ID})
	var values []float64
	for i := range draws {
		var lanes stream.Lanes
		open.Block(&lanes, uint64(i))
		values = append(values, drawer.Draw(&lanes).HeadSquare)
	}
	return moments.Of(values, 4)
}
