package plot

import (
	"mcsim/report/axis"
	"mcsim/sim/names"
)

// Grade is a label of a gradient survival R, from a value of R on.
type Grade struct {
	Mark string // in a cell or a bar, so that colour is not needed
	Name string
	from float64
}

// Grades are the labels, from the best to the worst. They are those of the
// shares of rows that the document holds.
var Grades = []Grade{{"H", names.LabelHealthy, 0.5}, {"F", names.LabelFading, 0.05}, {"D", names.LabelDying, 0.001}, {"X", names.LabelDead, 0}}

// Meaning is the grade's name with its bound.
func (g Grade) Meaning() string {
	if g.from == 0 {
		return g.Name
	}
	return g.Name + ", $R ≥ " + axis.Short(g.from) + "$"
}

// GradeOf returns the label of a value of R.
func GradeOf(r float64) Grade {
	for _, g := range Grades {
		if r >= g.from {
			return g
		}
	}
	return Grades[len(Grades)-1]
}
