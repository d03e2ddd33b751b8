package series

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
)

// WidthScaling is the exponent of the size of the logits in the width, with predictions.
type WidthScaling struct {
	Layer    string `json:"layer"` // empty for all layers
	Exponent Line   `json:"exponent"`
	// DimensionExponent and ScaleExponent are the exponents of d_k in the width, and of the scale
	// in d_k: −1/2 is the standard parametrisation and −1 is muP.
	DimensionExponent float64      `json:"d_k_exponent"`
	ScaleExponent     float64      `json:"scale_exponent"`
	Predictions       []Prediction `json:"predictions"`
}

// Prediction is the exponent of the standard deviation of logits under assumptions.
type Prediction struct {
	Name       string  `json:"name"`
	Exponent   float64 `json:"exponent"`
	IsExcluded bool    `json:"excluded"` // the scale is another, or the exponent lies outside the measured interval
}

// FitWidth fits the exponent of the standard deviation of logits of a layer in the width. The
// predictions are for components of q and k whose size does not depend on the width. Then q·k grows
// like d_k^(1/2) if q and k are independent, as at the initialisation, and like d_k if they are
// aligned, as after training (Yang et al., Tensor Programs V, 2022, section 5). The exponent of all
// layers is the mean over the layers, with the error from their scatter, if there are at least
// eight.
func FitWidth(points []Point, layer string, alpha float64) WidthScaling {
	x, y := columns(points, layer, func(l Layer) inspect.Estimate { return l.LogitSD.Logarithm() })
	for i := range x {
		x[i] = elementary.Log(x[i])
	}
	w := WidthScaling{Layer: layer, Exponent: FitLine(x, y, alpha)}
	const minLayers = 8 // from which the error is estimated from their scatter
	if layers := points[0].Layers; layer == "" && len(layers) >= minLayers {
		var lines []Line
		for _, l := range layers {
			line := FitWidth(points, l.Name, alpha).Exponent
			if line.Slope.Present() { // it is absent for logits that are all 0
				lines = append(lines, line)
			}
		}
		if len(lines) >= minLayers {
			w.Exponent = meanLine(lines, alpha)
		}
	}
	var widths, dimensions, scales, equal []float64
	for _, p := range points {
		widths = append(widths, elementary.Log(float64(p.X)))
		dimensions = append(dimensions, elementary.Log(float64(p.Dimension)))
		scales = append(scales, elementary.Log(float64(p.Scale)))
		equal = append(equal, 1)
	}
	if slices.Min(dimensions) < slices.Max(dimensions) {
		w.DimensionExponent = fitLeastSquares(widths, dimensions, equal).slope
		w.ScaleExponent = fitLeastSquares(dimensions, scales, equal).slope
	}
	for _, c := range []struct {
		name                 string
		scale, scoreExponent float64 // exponents of d_k
	}{
		{"standard, independent q and k", -0.5, 0.5}, {"standard, aligned q and k", -0.5, 1},
		{"muP, independent q and k", -1, 0.5}, {"muP, aligned q and k", -1, 1},
	} {
		exponent := float64(w.DimensionExponent * (c.scale + c.scoreExponent))
		const maxDifference = 0.05 // of the exponents of the scale
		hasOtherScale := math.Abs(w.ScaleExponent-c.scale) > maxDifference
		isExcluded := hasOtherScale || float64(w.Exponent.Lo) > exponent || float64(w.Exponent.Hi) < exponent
		w.Predictions = append(w.Predictions, Prediction{c.name, exponent, isExcluded})
	}
	return w
}
