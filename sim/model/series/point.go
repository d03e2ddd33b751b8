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
	Array     string             `json:"-"` // name of the queries' array, of the first layer
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
	p.All = newLayer("", s.HeadCount, s.Overall)
	for _, heads := range inspect.GroupByLayer(s.Heads) {
		p.Layers = append(p.Layers, newLayer(heads[0].Layer, len(heads), s.Overall))
	}
	for i, l := range s.Layers { // there are several
		p.Layers[i] = newLayer(l.Layer, p.Layers[i].Heads, l.Estimates)
	}
	return p
}

// newLayer returns the estimates of a layer.
func newLayer(name string, heads int, e inspect.Estimates) Layer {
	return Layer{Name: name, Heads: heads, LogitSD: e.LogitSD, MaxLogit: e.MaxLogit,
		EntropyRatio: inspect.Head{Estimates: e}.FirstScale().EntropyRatio, Exponent: e.Exponent}
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
		case p.Array != first.Array && len(p.Layers) == 1:
			return fmt.Errorf("%s: its queries are %q, but those of %s are %q; all files must be of the same layers",
				p.File, p.Array, first.File, first.Array)
		case p.Causal != first.Causal:
			return fmt.Errorf("%s: its mask is not that of %s: one is causal; give --causal if both are", p.File,
				first.File)
		case p.Keys != first.Keys:
			return fmt.Errorf("%s: has %d keys, but %s has %d; the largest logit and the entropy depend on the number",
				p.File, p.Keys, first.File, first.Keys)
		case !mayDiffer && !hasSameSize:
			return fmt.Errorf("%s: has %d heads of d_k = %d, but %s has %d of %d; all files must be of one "+
				"model, except with --by width",
				p.File, p.All.Heads, p.Dimension, first.File, first.All.Heads, first.Dimension)
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
