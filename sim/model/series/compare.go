package series

import (
	"math"

	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Difference compares an estimate of a layer in two models.
type Difference struct {
	Layer    string           `json:"layer"`
	Quantity string           `json:"quantity"`
	A        inspect.Estimate `json:"a"`
	B        inspect.Estimate `json:"b"`
	Value    result.Number    `json:"difference"` // B − A
	SE       result.Number    `json:"se"`
	// IsSignificant reports that the difference is beyond the Student quantile of α/2, with α
	// divided by the number of comparisons. It is false if the error is not known.
	IsSignificant bool `json:"significant"`
}

// Compare compares two models, which have the same layers, layer by layer. The errors of the two
// models are assumed to be independent. That is conservative if both have the same tokens and their
// errors go together.
func Compare(a, b Point, alpha float64) (differences []Difference) {
	count := float64(len(a.Layers) * len(Quantities))
	for _, la := range a.Layers {
		for _, q := range Quantities {
			d := Difference{Layer: la.Name, Quantity: q.Name, A: q.Get(la), B: q.Get(b.Layer(la.Name))}
			se := math.Sqrt(float64(d.A.SE*d.A.SE) + float64(d.B.SE*d.B.SE))
			d.Value, d.SE = d.B.Value-d.A.Value, result.Number(se)
			quantile := theory.StudentQuantile(alpha/count/2, min(d.A.DoF(), d.B.DoF()))
			d.IsSignificant = math.Abs(float64(d.Value)) > quantile*se
			differences = append(differences, d)
		}
	}
	return differences
}
