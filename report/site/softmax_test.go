package site

import (
	"strings"
	"testing"
	"testing/fstest"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// oneDocument renders report.md alone.
func oneDocument(t *testing.T, doc *result.Document) string {
	t.Helper()
	set, err := load(Options{Lab: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := contentOf(view.NewSource(doc, view.Run{}, nil), figuresOf(doc), set).joined()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// speaks holds a rendering to what it is to say, and what not.
func speaks(t *testing.T, name, text string, says, hushes []string) {
	t.Helper()
	for _, want := range says {
		if !strings.Contains(text, want) {
			t.Errorf("%s: lacks %q", name, want)
		}
	}
	for _, not := range append(hushes, "NaN", "<no value") {
		if strings.Contains(text, not) {
			t.Errorf("%s: says %q", name, not)
		}
	}
}

func has(p result.Params, name string, value float64) bool {
	x, ok := p.Number(name)
	return ok && x == value
}

// The pages speak of the rows that there are.
func TestSoftmaxSpeaksOfItsRows(t *testing.T) {
	const (
		bare    = "Unscaled scores of normal components give one of eight keys a weight"
		scaled  = `Scores of normal components, divided by $\sqrt{d_k}$, give one of eight keys a weight`
		shared  = "### In theory shared keys change the errors"
		heat    = "### The square root is one temperature among others"
		laws    = "Those of other laws are not, though nearly so"
		frozen  = "### More keys need larger scores to freeze"
		nothing = "no rows of the experiments softmax and freezing"
		no      = "no rows of the experiment depth"
		first   = "The variance decides what softmax does"
	)
	softmax := func(experiment string) bool { return experiment == "softmax" }
	for name, c := range map[string]struct {
		doc          *result.Document
		says, hushes []string
	}{
		"all":  {sample.Document(), []string{bare, shared, heat, laws, frozen, first}, []string{nothing, no}},
		"none": {sample.Without(func(e string, _ result.Params) bool { return softmax(e) || e == "freezing" || e == "depth" }), []string{nothing, no}, []string{bare, shared, heat, laws, frozen, first}},
		"freezing alone": {sample.Without(func(e string, _ result.Params) bool { return softmax(e) || e == "depth" }), []string{frozen, no},
			[]string{nothing, bare, heat, first}},
		"scaled alone": {sample.Without(func(e string, p result.Params) bool { return softmax(e) && has(p, "exponent", 0) }), []string{scaled},
			[]string{bare, first, "Unscaled, at"}},
		"unscaled alone": {sample.Without(func(e string, p result.Params) bool { return softmax(e) && has(p, "exponent", 0.5) }), []string{bare},
			[]string{"divided by $\\sqrt{d_k}$ the largest weight", first}},
		"one law":     {sample.Without(func(e string, p result.Params) bool { return softmax(e) && p["law"] != "normal" }), []string{bare}, []string{laws}},
		"other law":   {sample.Without(func(e string, p result.Params) bool { return softmax(e) && p["law"] != "sphere" }), []string{"sphere components"}, []string{laws, shared}},
		"own keys":    {sample.Without(func(e string, p result.Params) bool { return p["shared_keys"] == "yes" }), []string{bare}, []string{shared}},
		"shared keys": {sample.Without(func(e string, p result.Params) bool { return softmax(e) && p["shared_keys"] == nil }), []string{shared}, []string{bare, nothing}},
		"exponents":   {sample.Without(func(e string, p result.Params) bool { return softmax(e) && p["temperature"] != nil }), []string{bare}, []string{heat}},
		"one d_k":     {sample.Without(func(e string, p result.Params) bool { return softmax(e) && !has(p, "d_k", 64) }), []string{bare, heat}, nil},
	} {
		speaks(t, name, oneDocument(t, c.doc), c.says, c.hushes)
	}
}

// The findings of softmax bring their verdict: nothing is called judged that
// is not.
func TestSoftmaxFollowsItsGates(t *testing.T) {
	unjudged := sample.Document()
	unjudged.Gates, unjudged.Budget = nil, result.Budget{Verdict: result.Pass}
	for name, c := range map[string]struct {
		doc  *result.Document
		says string
	}{
		"passed":   {sample.Document(), "gates on the largest weight pass"},
		"failed":   {judgedAll(result.Fail), "it is not borne out"},
		"unjudged": {unjudged, "No gate judges this"},
	} {
		_, page, _ := strings.Cut(oneDocument(t, c.doc), "\n## Softmax\n")
		page, _, _ = strings.Cut(page, "\n## Depth\n")
		if !strings.Contains(page, c.says) {
			t.Errorf("%s: does not say %q", name, c.says)
		}
	}
}

// The page on stacks says what becomes of scores and tokens as the rows do.
func TestDepthFollowsItsRows(t *testing.T) {
	const grow, same = "Without the norm the residual lets the tokens grow", "the tokens become alike"
	for name, c := range map[string]struct {
		variance, cosine func(layer float64) float64
		grows, alike     bool
	}{
		"shrinking scores of tokens that become alike": {func(l float64) float64 { return 1 / l }, func(l float64) float64 { return 1 - 1/l }, false, true},
		"growing scores of tokens that differ":         {func(l float64) float64 { return l }, func(float64) float64 { return 0 }, true, false},
	} {
		doc := sample.Document()
		for i := range doc.Estimates {
			e := &doc.Estimates[i]
			switch layer, _ := e.Params.Number("layer"); {
			case e.Experiment == "depth" && e.Quantity == "score_variance_q50":
				e.Value, e.SE = result.Number(c.variance(layer)), 0.01
			case e.Experiment == "depth" && e.Quantity == "token_cosine_q50":
				value := c.cosine(layer)
				e.Value, e.Lo, e.Hi = result.Number(value), result.Number(value-0.01), result.Number(value+0.01)
			}
		}
		text := oneDocument(t, doc)
		if strings.Contains(text, grow) != c.grows || strings.Contains(text, same) != c.alike {
			t.Errorf("%s: the page says that they grow: %v, that they are alike: %v", name, strings.Contains(text, grow), strings.Contains(text, same))
		}
	}
}

// A mean is set against a median where they part, and nowhere else.
func TestPartedMeans(t *testing.T) {
	const claim = "A mean alone hides that"
	if !strings.Contains(oneDocument(t, sample.Document()), claim) {
		t.Error("mean and median part, and nothing is said")
	}
	narrow := sample.Without(func(e string, p result.Params) bool { return e == "softmax" && !has(p, "d_k", 2) })
	if strings.Contains(oneDocument(t, narrow), claim) {
		t.Error("a healthy median row is called lost")
	}
}
