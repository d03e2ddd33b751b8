package plan

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

const grids = `
tolerance: 1%
experiments:
  - {experiment: variance, distribution: [normal, uniform], d_k: [1024, 4096], estimator: gram}
  - {experiment: variance, distribution: [normal, laplace, sphere], d_k: [1, 1024], tolerance: 5%}
  - {experiment: exponents, exponent: [0, 1/2]}
  - {experiment: softmax, distribution: normal, d_k: [4, 8], keys: 8, exponent: [0, 1/2]}
  - {experiment: softmax, distribution: normal, d_k: [4, 16], keys: 64, exponent: 1/2}
  - {experiment: softmax, distribution: normal, d_k: 64, keys: 8, temperature: [4, 8]}
`

// sampledIDs returns the ids of all cells that a plan samples.
func sampledIDs(p *Plan) (ids []string) {
	for _, e := range p.Entries {
		for _, c := range e.Cells() {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func newSetting(source, experiment, axis string, values ...string) Setting {
	return Setting{Source: source, Experiment: experiment, Axis: axis, Values: values}
}

// TestSet checks that a setting applies to every entry that has the axis, or to one experiment,
// and that a cell of several entries is sampled once, by the first of them.
func TestSet(t *testing.T) {
	for _, c := range []struct {
		set  []Setting
		want string
	}{
		{[]Setting{newSetting("", "", names.ParamDimension, "2..4")}, `
			variance/normal/d_k=2/gram variance/normal/d_k=4/gram variance/uniform/d_k=2/gram variance/uniform/d_k=4/gram
			variance/normal/d_k=2 variance/normal/d_k=4 variance/laplace/d_k=2 variance/laplace/d_k=4 variance/sphere/d_k=2 variance/sphere/d_k=4
			softmax/normal/d_k=2/keys=8 softmax/normal/d_k=4/keys=8 softmax/normal/d_k=2/keys=64 softmax/normal/d_k=4/keys=64`},
		{[]Setting{newSetting("", names.ExperimentVariance, names.ParamEstimator, names.EstimatorDirect),
			newSetting("", names.ExperimentVariance, names.ParamDimension, "8", "1024"),
			newSetting("", names.ExperimentSoftmax, names.ParamTemperature, "2")}, `
			variance/normal/d_k=8 variance/normal/d_k=1024 variance/uniform/d_k=8 variance/uniform/d_k=1024
			variance/laplace/d_k=8 variance/laplace/d_k=1024 variance/sphere/d_k=8 variance/sphere/d_k=1024
			softmax/normal/d_k=4/keys=8 softmax/normal/d_k=8/keys=8 softmax/normal/d_k=4/keys=64 softmax/normal/d_k=16/keys=64 softmax/normal/d_k=64/keys=8`},
		{[]Setting{newSetting("", "", names.ParamDistribution, "normal"),
			newSetting("", "", names.ParamEstimator, "direct"),
			newSetting("", names.ExperimentSoftmax, names.ParamKeys, "16")}, `
			variance/normal/d_k=1024 variance/normal/d_k=4096 variance/normal/d_k=1
			softmax/normal/d_k=4/keys=16 softmax/normal/d_k=8/keys=16 softmax/normal/d_k=16/keys=16 softmax/normal/d_k=64/keys=16`},
	} {
		text := grids
		if len(c.set) == 1 { // the softmax entries then have a common cell and need equal scalings
			text = strings.Replace(grids, "temperature: [4, 8]", "exponent: 1/2", 1)
		}
		p, err := Change{Set: c.set}.Parse("p", []byte(text))
		if err != nil {
			t.Fatalf("%+v: %v", c.set, err)
		}
		if got, want := sampledIDs(p), strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%+v:\n got %q\nwant %q", c.set, got, want)
		}
		roundTrip(t, p)
	}
}

// TestSetErrors checks that the error for a wrong setting contains the source of the setting.
func TestSetErrors(t *testing.T) {
	for _, c := range []struct {
		set  []Setting
		want string
	}{
		{[]Setting{newSetting("s", "", names.ParamDimension, "0")}, "s: variance: 0 is not in 1..1048576"},
		{[]Setting{newSetting("s", "", "d_q", "1")}, `s: unknown axis "d_q"; did you mean d_k?`},
		{[]Setting{newSetting("s", "softmx", "keys", "8")}, `s: unknown experiment "softmx"; did you mean softmax?`},
		{[]Setting{newSetting("s", "depth", "tokens", "8")},
			"s: the plan has no experiment depth; it has variance, exponents, softmax"},
		{[]Setting{newSetting("s", "exponents", names.ParamDimension, "8")},
			`s: unknown axis "d_k"; choose from exponent, rule`},
		{[]Setting{newSetting("s", "", "distribution", "normal"), newSetting("s", "", "distribution", "sphere")},
			"s: distribution is set a second time"},
		{[]Setting{newSetting("s", "", "exponent", "1/2", "0.5")}, "s: 0.5 stands here a second time"},
		{[]Setting{newSetting("s", "", "estimator", "gram")},
			"p:4:60: experiments[1].distribution[2]: after s: cell variance/sphere/d_k=1/gram: the estimator gram " +
				"requires independent components, which sphere does not have; use direct"},
		{[]Setting{newSetting("s", "variance", "distribution", "student-t(4)")},
			"s: cell variance/student-t(4)/d_k=1024/gram: the estimator gram"},
		{[]Setting{newSetting("s", "", "keys", "8"), newSetting("u", "", names.ParamDimension, "4")},
			"p:8:5: experiments[5]: after s u it samples cells that an earlier entry samples under other scalings"},
	} {
		_, err := Change{Set: c.set}.Parse("p", []byte(grids[1:]))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v:\n got %v\nwant %s", c.set, err, c.want)
		}
	}
}

// TestOnly checks the selection of a plan. It has the order of the plan without duplicates,
// includes the experiments whose cells a selected one reads, and is empty if everything is
// selected.
func TestOnly(t *testing.T) {
	for _, c := range []struct{ selection, text, want []string }{
		{[]string{"softmax"}, nil, []string{"softmax"}},
		{[]string{"exponents"}, nil, []string{"variance", "exponents"}},
		{[]string{"softmax", "variance", "softmax"}, nil, []string{"variance", "softmax"}},
		{[]string{"softmax", "exponents"}, nil, nil},
		{nil, []string{"exponents"}, []string{"variance", "exponents"}},
		{[]string{"softmax"}, []string{"exponents"}, []string{"softmax"}},
	} {
		text := grids
		if c.text != nil {
			text += "only: [" + strings.Join(c.text, ", ") + "]\n"
		}
		p, err := Change{Selection: c.selection}.Parse("p", []byte(text))
		must(t, err)
		if !slices.Equal(p.Selection, c.want) {
			t.Errorf("%q of %q is %q, want %q", c.selection, c.text, p.Selection, c.want)
		}
		roundTrip(t, p)
	}
	for only, want := range map[string]string{
		"only: softmx": `p:2:7: only: unknown experiment "softmx"; did you mean softmax? | only: softmx`,
		"only: [variance, init]": "p:2:18: only[1]: the plan has no experiment init; it has variance, exponents, " +
			"softmax | only: [variance, init]",
		"only: []":     "p:2:7: only: the list is empty | only: []",
		"only: {a: b}": "p:2:7: only: is a mapping where one value belongs | only: {a: b}",
	} {
		if _, err := Parse("p", []byte("\n"+only+grids)); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", only, err, want)
		}
	}
}

// TestOneScaling checks the scalings of an entry. An entry that names one scaling has no others; an
// entry that names none has all defaults. If scalings are combinations of several axes, the axes
// that the entry does not name keep their defaults.
func TestOneScaling(t *testing.T) {
	for entry, want := range map[string]int{
		"experiment: softmax, distribution: normal, d_k: 4, keys: 8, temperature: [4, 8, 16]":                3,
		"experiment: softmax, distribution: normal, d_k: 4, keys: 8, temperature: [4, 8, 16], exponent: 1/2": 4,
		"experiment: softmax, distribution: normal, d_k: 4, keys: 8, rule: sqrt(d_k/2)":                      1,
		"experiment: softmax, distribution: normal, d_k: 4, keys: 8":                                         len(experiment.ExponentAxis.Default),
		"experiment: precision, distribution: normal, d_k: 4, format: [float16, e5m2]":                       2 * 3 * 2,
		"experiment: precision, distribution: normal, d_k: 4, placement: on-each, arithmetic: practice":      6,
		"experiment: precision, distribution: normal, d_k: 4":                                                6 * 3 * 2,
	} {
		p := parse(t, "experiments:\n  - {"+entry+"}\n")
		if got := p.Entries[0].Scalings(); got != want {
			t.Errorf("%s: %d scalings, want %d", entry, got, want)
		}
		if n := p.variants(); n != float64(want) {
			t.Errorf("%s: %v variants, want %d", entry, n, want)
		}
	}
	p := parse(t, "experiments:\n  - {experiment: variance, distribution: normal, d_k: 4}\n"+
		"  - {experiment: exponents, exponent: 1}\n")
	if len(p.Entries[1].Values[names.ParamRule]) > 0 {
		t.Error("exponents that name an exponent have a rule")
	}
}

// TestCount checks the limit on variants, which must apply before any cell is created.
func TestCount(t *testing.T) {
	listIntegers := func(first, last int) string {
		var texts []string
		for i := first; i <= last; i++ {
			texts = append(texts, strconv.Itoa(i))
		}
		return strings.Join(texts, ",")
	}
	text := "experiments:\n  - {experiment: freezing, keys: [" + listIntegers(2, 4096) + "], sigma: [" +
		listIntegers(1, 2499) +
		"], samples: 16, gate: false}\n"
	const want = "p:2:5: experiments[0]: the plan has at least 10233405 variants (cells × scalings); the limit is " +
		"100000; raise it with --max-cells"
	if _, err := Parse("p", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got the error %.300s, want %s", err, want)
	}
	small := "experiments:\n  - {experiment: freezing, keys: [2, 3], sigma: [1, 2]}\n"
	if _, err := (Change{MaxCells: 3}).Parse("p", []byte(small)); err == nil ||
		!strings.Contains(err.Error(), "has at least 4 variants") || !strings.Contains(err.Error(), "the limit is 3;") {
		t.Errorf("4 variants with a limit of 3: got the error %v", err)
	}
	if _, err := (Change{MaxCells: 4}).Parse("p", []byte(small)); err != nil {
		t.Errorf("4 variants with a limit of 4: got the error %v", err)
	}
	readers := "experiments:\n  - {experiment: exponents}\n" +
		"  - {experiment: variance, distribution: normal, d_k: [1, 2]}\n"
	if p := parse(t, readers); p.variants() != 2+2*7 {
		t.Errorf("the plan has %v variants, want 2 cells and 2 × 7 that exponents reads", p.variants())
	}
}

func TestViewsTakeTheWiderTolerance(t *testing.T) {
	for tolerances, want := range map[[2]string]float64{{"1%", "5%"}: 0.05, {"5%", "1%"}: 0.05} {
		p := parse(t, "experiments:\n  - {experiment: variance, distribution: normal, d_k: [4, 8], tolerance: "+
			tolerances[0]+"}\n"+
			"  - {experiment: exponents, tolerance: "+tolerances[1]+"}\n")
		for _, view := range p.Entries[1].Views(p.Entries[0].Cells()) {
			if view.Tolerance != want {
				t.Errorf("a cell with %s, read with %s: the tolerance is %v, want %v", tolerances[0], tolerances[1],
					view.Tolerance, want)
			}
		}
	}
}
