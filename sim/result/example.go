package result

import (
	"errors"
	"fmt"
	"slices"

	"mcsim/sim/names"
)

// Example is a worked example, computed step by step.
type Example struct {
	ID    string `json:"id"`
	Steps []Step `json:"steps"`
}

// Step is a matrix of an example, given or computed from the matrices before it. Lists of numbers
// are in row-major order. The labels of rows and columns may be omitted.
type Step struct {
	Name    string   `json:"name"`
	Shape   []int    `json:"shape"` // rows and columns
	Rows    []string `json:"rows,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Value   []Number `json:"value"`
}

// Row returns the values of row i.
func (s *Step) Row(i int) []Number { return s.Value[i*s.Shape[1] : (i+1)*s.Shape[1]] }

// Example returns the example with the id. If there is none, the returned example has no steps.
func (d *Document) Example(id string) Example {
	i := slices.IndexFunc(d.Examples, func(e Example) bool { return e.ID == id })
	if i < 0 {
		return Example{ID: id}
	}
	return d.Examples[i]
}

// Step returns the named step; ok is false if there is none.
func (e Example) Step(name string) (s Step, ok bool) {
	i := slices.IndexFunc(e.Steps, func(s Step) bool { return s.Name == name })
	if i < 0 {
		return Step{}, false
	}
	return e.Steps[i], true
}

// ErrShape is the error of a worked example whose numbers do not fit its shape.
var ErrShape = errors.New("worked example with the wrong shape")

// maxLength is the largest number of rows, or of columns, of a step.
const maxLength = 1 << 10

// CheckExamples returns ErrShape, with the step's name, if the number of values or labels of a step
// does not fit its shape. Users of a checked document need not check again.
func CheckExamples(examples []Example) error {
	for _, e := range examples {
		for i := range e.Steps {
			if s := &e.Steps[i]; !s.fitsShape() {
				return fmt.Errorf("%w: %s of %s", ErrShape, names.Printable(s.Name), names.Printable(e.ID))
			}
		}
	}
	return nil
}

func (s *Step) fitsShape() bool {
	if len(s.Shape) != 2 {
		return false
	}
	rows, columns := s.Shape[0], s.Shape[1]
	if rows < 1 || columns < 1 || rows > maxLength || columns > maxLength {
		return false
	}
	labelsFit := func(labels []string, n int) bool { return len(labels) == 0 || len(labels) == n }
	return len(s.Value) == rows*columns && labelsFit(s.Rows, rows) && labelsFit(s.Columns, columns)
}
