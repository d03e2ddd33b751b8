package figure

import (
	"fmt"
	"math"

	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// The charts below are declared as those of later reports will be, over a
// document in which nothing was measured: every mark of the engine is in one.

func filter(quantity string) rows.Filter {
	return rows.Filter{Experiment: "softmax", Quantity: quantity}
}

var noCaption = func(d Drawn, _ Text) []string { return []string{"Nothing here was measured."} }
var noSentence = func(*result.Document, Text) string { return "" }

// survival maps a median over d_k and p, for three numbers of keys.
var survival = Chart{
	Name: "survival", Title: "Median gradient survival $R$ over $d_k$ and $p$", Height: 62,
	Columns: 3,
	Each:    &plot.Each{Rows: filter("gradient_survival_q50"), Param: "keys"},
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: "d_k", Label: "dimension, $d_k$", Log: true},
		Y:    plot.Axis{Param: "exponent", Label: "exponent $p$", At: true},
		Heat: &plot.Heat{Weights: filter("max_weight"), Medians: filter("gradient_survival_q50")},
	}},
	Caption: noCaption, Sentence: noSentence,
}

// survivalHole is one map with a hole.
var survivalHole = Chart{
	Name: "survival-hole", Title: "Median gradient survival $R$ over $d_k$ and $p$", Height: 88,
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: "d_k", Label: "dimension, $d_k$", Log: true},
		Y:    plot.Axis{Param: "exponent", Label: "exponent $p$", At: true},
		Heat: &plot.Heat{Weights: filter("max_weight").With("keys", 8.0), Medians: filter("gradient_survival_q50").With("keys", 8.0)},
	}},
	Caption: noCaption, Sentence: noSentence,
}

// named maps over names.
var named = Chart{
	Name: "named", Title: "Median gradient survival $R$ over $d_k$ and rules", Height: 50,
	Panels: []plot.Panel{{
		X:    plot.Axis{Param: "d_k", Label: "dimension, $d_k$", Log: true},
		Y:    plot.Axis{Param: "init", Names: true},
		Heat: &plot.Heat{Weights: filter("max_weight"), Medians: filter("gradient_survival_q50")},
	}},
	Caption: noCaption, Sentence: noSentence,
}

// gradient shows quantile bands against d_k.
var gradient = Chart{
	Name: "gradient", Title: `Gradient norm against $d_k$`, Height: 88,
	Panels: []plot.Panel{{
		X: plot.Axis{Param: "d_k", Label: "dimension, $d_k$", Log: true},
		Y: plot.Axis{Label: `$\Vert \partial \alpha / \partial q \Vert$`, Log: true},
		Quantiles: []plot.Quantiles{{Lower: filter("query_gradient_q05"), Middle: filter("query_gradient_q50"), Upper: filter("query_gradient_q95"),
			By: "exponent", Band: "5 % to 95 % of rows"}},
		Lines: []plot.Lines{{Curves: filter("query_gradient"), Label: "theory, $d_k^{-1/2}$"}},
	}},
	Caption: noCaption, Sentence: noSentence,
}

// ledger is a dot plot of initialisations.
var ledger = Chart{
	Name: "ledger", Title: "Variance of query and key components for each initialisation", Height: 60,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: "variance of a component", Log: true},
		Y:      plot.Axis{Param: "init", Names: true},
		Points: []plot.Points{{Rows: filter("query_variance"), Label: "query"}, {Rows: filter("key_variance"), Label: "key"}},
		Level:  &plot.Level{At: 1, Label: "unit variance"},
	}},
	Caption: noCaption, Sentence: noSentence,
}

// entropies are six panels of points, bars and lines.
var entropies = Chart{
	Name: "multiples", Title: "Entropy over $d_k$ for each law", Height: 110,
	Columns: 3,
	Each:    &plot.Each{Rows: filter("entropy"), Param: "law"},
	Panels: []plot.Panel{{
		X:      plot.Axis{Param: "d_k", Label: "dimension, $d_k$", Log: true},
		Y:      plot.Axis{Label: `entropy in units of $\ln n$`},
		Points: []plot.Points{{Rows: filter("entropy"), By: "exponent"}},
		Lines:  []plot.Lines{{Curves: filter("entropy"), By: "exponent"}},
	}},
	Caption: noCaption, Sentence: noSentence,
}

// pair is a grid of two panels with their own axes.
var pair = Chart{
	Name: "pair", Title: "A map beside a band", Height: 80, Columns: 2,
	Panels: []plot.Panel{
		{Title: "(a) entropy", X: entropies.Panels[0].X, Y: entropies.Panels[0].Y, Points: []plot.Points{{Rows: filter("entropy").With("law", "normal"), By: "exponent"}}},
		{Title: "(b) gradient", X: gradient.Panels[0].X, Y: gradient.Panels[0].Y, Quantiles: gradient.Panels[0].Quantiles},
	},
	Caption: noCaption, Sentence: noSentence,
}

var declared = []Chart{survival, survivalHole, named, gradient, ledger, entropies, pair}

// invented returns the document of the declared charts.
func invented() *result.Document {
	doc := &result.Document{Schema: result.Schema, Digest: "sha256:0", Seed: 7}
	row := func(quantity string, value, se float64, p result.Params) {
		doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "softmax", Cell: fmt.Sprint("softmax/", p), Quantity: quantity, Params: p, N: 4096,
			Value: result.Number(value), SE: result.Number(se), Lo: result.Number(value - 2*se), Hi: result.Number(value + 2*se),
			Level: 0.95, Theory: result.Absent()})
	}
	exponents := []float64{0, 0.25, 1.0 / 3, 0.5, 2.0 / 3, 1}
	for _, keys := range []float64{8, 64, 512} {
		for d := 2.0; d <= 4096; d *= 2 {
			for i, p := range exponents {
				if keys == 8 && d == 64 && i == 2 {
					continue // a hole in the map
				}
				s := math.Pow(d, 0.5-p) / math.Sqrt(2*math.Log(keys))
				at := result.Params{"d_k": d, "exponent": p, "keys": keys}
				row("gradient_survival_q50", math.Exp(-s*s), 0.002, at)
				row("max_weight", max(1/keys, 1-math.Exp(-s)), 0.002, at)
			}
		}
	}
	for _, p := range []float64{0, 0.5, 1} {
		for d := 2.0; d <= 4096; d *= 2 {
			at := result.Params{"d_k": d, "exponent": p}
			m := 0.4 * math.Pow(d, 0.5-p) / (1 + math.Pow(d, 0.5-p))
			row("query_gradient_q05", m/4, m/90, at)
			row("query_gradient_q50", m, m/20, at)
			row("query_gradient_q95", m*2.5, m/50, at)
		}
	}
	line := result.Curve{Experiment: "softmax", Quantity: "query_gradient", Axis: "d_k", Params: result.Params{}}
	for d := 2.0; d <= 4096; d *= 2 {
		line.X, line.Y = append(line.X, result.Number(d)), append(line.Y, result.Number(math.Pow(d, -0.5)))
	}
	doc.Curves = append(doc.Curves, line)
	for i, name := range []string{"glorot-uniform", "glorot-normal", "he-normal", "lecun", "pytorch-linear", "keras-dense", "flax-lecun", "gpt2-0.02", "t5", "mup", "jax-variance-scaling(fan_in)", "orthogonal"} {
		v := math.Pow(2, float64(i)/2-3)
		row("query_variance", v, v/12, result.Params{"init": name})
		row("key_variance", v*1.1, v/10, result.Params{"init": name})
		for d := 8.0; d <= 65536; d *= 2 {
			at := result.Params{"init": name, "d_k": d, "keys": 8.0}
			row("gradient_survival_q50", 1/(1+v*v*d), v/1000, at)
			row("max_weight", 1-0.875/(1+v*v*d/100), v/1000, at)
		}
	}
	for l, law := range []string{"normal", "uniform", "laplace", "student-t(10)", "sphere", "rademacher"} {
		for _, p := range []float64{0, 0.25, 0.5, 1} {
			c := result.Curve{Experiment: "softmax", Quantity: "entropy", Axis: "d_k", Params: result.Params{"law": law, "exponent": p}}
			for d := 1.0; d <= 4096; d *= 4 {
				h := 1 / (1 + math.Pow(d, 0.5-p)*(1+float64(l)/10))
				row("entropy", h, 0.01, result.Params{"law": law, "exponent": p, "d_k": d})
				c.X, c.Y = append(c.X, result.Number(d)), append(c.Y, result.Number(h))
			}
			doc.Curves = append(doc.Curves, c)
		}
	}
	return doc
}
