package series

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/result"
)

// Series has the estimates of several files, and the trends over them or the comparison of two.
type Series struct {
	By     string  `json:"by,omitempty"` // axis over the files; empty for a comparison of two
	Alpha  float64 `json:"alpha"`
	Limit  float64 `json:"-"` // of the largest logit; 0 if none is given
	Points []Point `json:"files"`

	Subject []string `json:"subject"` // sentences on the arrays that are judged
	Caveats []string `json:"caveats"` // caveats and warnings of all files, without repetitions

	Trends      []Trend        `json:"trends,omitempty"`
	Scaling     []WidthScaling `json:"width,omitempty"`
	Differences []Difference   `json:"comparison,omitempty"`
}

// Trend has the lines of a layer's quantities over the files.
type Trend struct {
	Layer    string          `json:"layer"` // empty for all layers
	Lines    map[string]Line `json:"slopes"`
	Crossing *Crossing       `json:"limit,omitempty"` // of the largest logit
}

// Add adds a file and the caveats on it.
func (s *Series) Add(p Point, caveats []string) {
	s.Points, s.Caveats = append(s.Points, p), appendNew(s.Caveats, caveats)
}

// appendNew appends the texts that the list does not have yet.
func appendNew(list, texts []string) []string {
	for _, text := range texts {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// Evaluate compares two files, or sorts the files and fits the lines over them. It refuses files
// that are not of one model.
func (s *Series) Evaluate() error {
	if s.By != "" {
		if err := sortPoints(s.Points); err != nil {
			return err
		}
	}
	if err := Check(s.Points, s.By == "" || s.By == "width"); err != nil {
		return err
	}
	for _, p := range s.Points {
		s.Subject = appendNew(s.Subject, p.Subject)
	}
	layers := []string{""} // all layers, then each if there are several
	for _, l := range s.Points[0].Layers {
		if len(s.Points[0].Layers) > 1 {
			layers = append(layers, l.Name)
		}
	}
	switch s.By {
	case "":
		s.Differences = Compare(s.Points[0], s.Points[1], s.Alpha)
	case "width":
		for _, layer := range layers {
			s.Scaling = append(s.Scaling, FitWidth(s.Points, layer, s.Alpha))
		}
	default:
		for _, layer := range layers {
			s.Trends = append(s.Trends, s.fitTrend(layer))
		}
	}
	return nil
}

// fitTrend fits the lines of a layer.
func (s *Series) fitTrend(layer string) Trend {
	trend := Trend{Layer: layer, Lines: map[string]Line{}}
	for _, q := range Quantities {
		x, y := columns(s.Points, layer, q.Get)
		trend.Lines[q.Name] = FitLine(x, y, s.Alpha)
	}
	if s.Limit > 0 {
		crossing := FindCrossing(s.Points, layer, s.Limit)
		trend.Crossing = &crossing
	}
	return trend
}

// Verdict returns the worst verdict of the files, or pass if there is no gate.
func (s *Series) Verdict() result.Verdict {
	verdict := result.Pass
	for _, p := range s.Points {
		if p.Judgement != nil {
			verdict = result.Worse(verdict, p.Judgement.Verdict)
		}
	}
	return verdict
}

// sortPoints sorts points by their coordinates. The files must be given in this order, or in the
// order of their names, as the pattern of a shell gives them.
func sortPoints(points []Point) error {
	compareX := func(a, b Point) int { return cmp.Compare(a.X, b.X) }
	compareNames := func(a, b Point) int { return strings.Compare(a.File, b.File) }
	isOrdered := slices.IsSortedFunc(points, compareX) || slices.IsSortedFunc(points, compareNames)
	for i, p := range points[1:] {
		if !isOrdered && p.X < points[i].X {
			return fmt.Errorf("%s: its number %v is out of order after %v of %s; give files in the order of their "+
				"numbers or names", p.File, p.X, points[i].X, points[i].File)
		}
	}
	slices.SortStableFunc(points, compareX)
	return nil
}
