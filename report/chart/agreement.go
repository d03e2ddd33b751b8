package chart

import (
	"fmt"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// agreement names rows that judge the document as a whole.
func agreement(quantity string) rows.Filter {
	return rows.Filter{Experiment: names.ExperimentAgreement, Quantity: quantity}
}

// severalScores is what the limit for all z-scores is called.
const severalScores = "at most 1 run in 20 has a mark outside"

// zScores is a strip for each experiment: one mark a cell, at the distance of a number
// from theory that was chosen before anything was drawn.
var zScores = figure.Chart{
	Name:   "z-scores",
	Title:  "Distance from theory in standard errors, of one number for each cell, by experiment",
	Height: 110,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: "distance from theory in standard errors, $z$"},
		Y:      plot.Axis{Param: names.ParamOfExperiment, Names: true},
		Points: []plot.Points{{Rows: agreement(names.ZScore), Label: "one cell", Bare: true}},
		Level:  &plot.Level{At: 0, Label: "theory"},
		Sides: []plot.Sides{
			{Rows: agreement(names.ZLimit).With(names.ParamTests, 1.0), Label: "1 in 20 marks may lie outside", Inner: true},
			{Rows: agreement(names.ZLimit).With(names.ParamTest, names.TestJoint), Label: severalScores},
		},
		Swarm: true,
	}},
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return []string{
			"Each mark is one cell, which is drawn with random bits of its own: the distance $z$ of one of its numbers from theory, in standard errors. Which number that is was fixed for each experiment before anything was drawn. Marks that would cover each other stand above and below their row.",
			figure.When(len(d) > 0 && len(d[0].Bounds) > 0, "If theory and errors are right, a mark lies between the inner lines 19 times of 20"+
				figure.When(drawsAll(d), ", and all of them between the outer lines with the same chance or a greater one")+"."),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		largest, ok := rows.One(doc, agreement(names.ZLargest))
		chance, known := rows.One(doc, agreement(names.PValue).With(names.ParamTest, names.TestLargest))
		if !ok || !known {
			return ""
		}
		return fmt.Sprintf("The farthest of %s numbers from theory is %s standard errors away; so far or farther lies the farthest of as many normal numbers with the chance %s.",
			digits.Count(largest.N), digits.Rough(float64(largest.Value)), digits.Rough(float64(chance.Value)))
	},
}

// drawsAll reports whether the limit for all is drawn.
func drawsAll(d figure.Drawn) bool {
	return slices.ContainsFunc(d, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Bounds, func(b plot.Bound) bool { return b.Label == severalScores })
	})
}
