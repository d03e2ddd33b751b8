// Package series follows a model over several files: over training steps, or over widths. It fits
// lines to the estimates of the files, and compares two models.
package series

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Layer has the estimates of a layer: means over its heads, and the largest logit of all heads.
type Layer struct {
	Name         string           `json:"layer"`
	Heads        int              `json:"heads"`
	LogitSD      inspect.Estimate `json:"logit_sd"`
	MaxLogit     inspect.Estimate `json:"max_logit"`
	EntropyRatio inspect.Estimate `json:"entropy_ratio"`
	Exponent     inspect.Estimate `json:"alignment_exponent"`
}

// Point has the estimates of one file.
type Point struct {
	File      string             `json:"file"`
	X         result.Number      `json:"x"` // step, width or another number; absent if two files are compared
	Dimension int                `json:"d_k"`
	Keys      int                `json:"keys"`
	Causal    bool               `json:"causal"`
	Scale     result.Number      `json:"scale"`
	All       Layer              `json:"all"` // over all layers
	Layers    []Layer            `json:"layers"`
	Judgement *inspect.Judgement `json:"judgement,omitempty"`
	Reasons   string             `json:"-"` // for the verdict
	Subject   []string           `json:"-"` // sentences on the arrays of the file
}

// NewPoint returns the estimates of a file.
func NewPoint(file string, x float64, s inspect.Summary) Point {
	p := Point{File: file, X: result.Number(x), Dimension: s.Dimension, Keys: s.Keys, Scale: s.Scale}
	p.All = Layer{Heads: s.HeadCount, LogitSD: s.Overall.LogitSD, MaxLogit: s.Overall.MaxLogit,
		EntropyRatio: inspect.Head{Estimates: s.Overall}.FirstScale().EntropyRatio, Exponent: s.Overall.Exponent}
	for _, heads := range inspect.GroupByLayer(s.Heads) {
		p.Layers = append(p.Layers, newLayer(heads))
	}
	if len(p.Layers) == 1 { // the estimates of all heads account for the dependence of heads
		p.Layers[0] = p.All
		p.Layers[0].Name = s.Heads[0].Layer
	}
	return p
}

// newLayer returns the estimates of a layer.
func newLayer(heads []inspect.Head) Layer {
	l := Layer{Name: heads[0].Layer, Heads: len(heads), MaxLogit: heads[0].MaxLogit}
	for _, h := range heads {
		if h.MaxLogit.Value > l.MaxLogit.Value {
			l.MaxLogit = h.MaxLogit
		}
	}
	l.LogitSD = averageHeads(heads, func(h inspect.Head) inspect.Estimate { return h.LogitSD })
	l.EntropyRatio = averageHeads(heads, func(h inspect.Head) inspect.Estimate { return h.FirstScale().EntropyRatio })
	l.Exponent = averageHeads(heads, func(h inspect.Head) inspect.Estimate { return h.Exponent })
	return l
}

// averageHeads returns the mean of an estimate over heads. Its standard error is the mean of their
// standard errors, which is an upper bound, however they depend on each other.
func averageHeads(heads []inspect.Head, get func(inspect.Head) inspect.Estimate) inspect.Estimate {
	value, se, dof := 0.0, 0.0, inspect.MaxDoF
	for _, h := range heads {
		e := get(h)
		value += float64(e.Value) / float64(len(heads))
		se += float64(e.SE) / float64(len(heads))
		dof = min(dof, e.DoF())
	}
	return inspect.NewEstimate(value, se, dof)
}

// Check returns an error if the points are not those of one model: if layers are missing, if a
// coordinate is repeated, or, unless sizes may differ, if the number of heads or d_k differ.
func Check(points []Point, mayDiffer bool) error {
	first := points[0]
	for i, p := range points[1:] {
		for _, pair := range [][2]Point{{first, p}, {p, first}} {
			if missing := missingLayers(pair[0], pair[1]); len(missing) > 0 {
				const maxShown = 3
				return fmt.Errorf("%s: layer %s is missing, which %s has; all files must be complete models of one "+
					"kind", pair[1].File, names.List(missing, ", ", maxShown), pair[0].File)
			}
		}
		hasSameSize := p.Dimension == first.Dimension && p.All.Heads == first.All.Heads
		switch {
		case p.X.Present() && p.X == points[i].X:
			return fmt.Errorf("%s: has the same number as %s, %v; give each number once", p.File, points[i].File, p.X)
		case p.Causal != first.Causal:
			return fmt.Errorf("%s: its mask is not that of %s: one is causal; give --causal if both are", p.File,
				first.File)
		case p.Keys != first.Keys:
			return fmt.Errorf("%s: has %d keys, but %s has %d; the largest logit and the entropy depend on the number",
				p.File, p.Keys, first.File, first.Keys)
		case !mayDiffer && !hasSameSize:
			return fmt.Errorf("%s: has %d heads of d_k = %d, but %s has %d of %d; all files must be of one "+
				"model, except with --by width", p.File, p.All.Heads, p.Dimension, first.File, first.All.Heads, first.Dimension)
		}
	}
	return nil
}

// missingLayers returns the names of the layers of a that b does not have.
func missingLayers(a, b Point) (missing []string) {
	for _, l := range a.Layers {
		if !slices.ContainsFunc(b.Layers, func(other Layer) bool { return other.Name == l.Name }) {
			missing = append(missing, cmp.Or(l.Name, "without a number"))
		}
	}
	return missing
}

// Layer returns the layer with the given name, or all layers together if the name is empty.
func (p Point) Layer(name string) Layer {
	for _, l := range p.Layers {
		if name != "" && l.Name == name {
			return l
		}
	}
	return p.All
}

// Quantity is a column of the estimates of layers.
type Quantity struct {
	Name string
	Get  func(Layer) inspect.Estimate
}

// Quantities are the quantities that are followed. The first is the standard deviation of logits.
var Quantities = []Quantity{
	{"logit_sd", func(l Layer) inspect.Estimate { return l.LogitSD }},
	{"max_logit", func(l Layer) inspect.Estimate { return l.MaxLogit }},
	{"entropy_ratio", func(l Layer) inspect.Estimate { return l.EntropyRatio }},
	{"alignment_exponent", func(l Layer) inspect.Estimate { return l.Exponent }},
}

// columns returns the coordinates of the points and the estimates of a quantity, for the layer with
// the given name, or for all layers if the name is empty.
func columns(points []Point, layer string, get func(Layer) inspect.Estimate) (x []float64, y []inspect.Estimate) {
	for _, p := range points {
		if e := get(p.Layer(layer)); e.Value.Present() && !math.IsInf(float64(e.Value), 0) {
			x, y = append(x, float64(p.X)), append(y, e)
		}
	}
	return x, y
}
