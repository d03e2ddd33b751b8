package plot

import (
	"math"
	"slices"
	"strings"

	"mcsim/report/axis"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Grade is a label of rows, or of a setting by its rows.
type Grade struct {
	Mark  string // in a cell or a bar, so that colour is not needed
	Name  string
	from  float64 // the label holds from this R on
	bound string  // of the label, in the notation
	Shade float64 // where rows of this label stand on the colours of maps, 0 to 1
}

// Grades are the labels by the gradient survival R, from the best to the worst. They are
// those of the shares of rows that the document holds.
var Grades = []Grade{
	{"H", names.LabelHealthy, 0.5, "", 0.5},
	{"F", names.LabelFading, 0.05, "$R < " + axis.Short(0.5) + "$", 0.77},
	{"D", names.LabelDying, 0.001, "$R < " + axis.Short(0.05) + "$", 0.89},
	{"X", names.LabelDead, 0, "$R < " + axis.Short(0.001) + "$", 0.98},
}

// Blind is the label of settings whose largest weight is close to that of equal weights,
// at which softmax tells no key from another though R is at its best.
var Blind = Grade{Mark: "B", Name: names.LabelBlind, from: 1, bound: `$n\,\mathrm{E}\,\max \alpha < ` + axis.Short(names.BlindBelow) + "$"}

// Settings are the labels of settings, from blind to dead.
var Settings = append([]Grade{Blind}, Grades...)

// Meaning is the grade's name with its bound.
func (g Grade) Meaning() string {
	if g.bound == "" {
		return g.Name
	}
	return g.Name + ", " + g.bound
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

// SettingOf returns the label of a setting, by R of its median row and by the mean of its
// largest weight.
func SettingOf(median, weight result.Estimate) Grade {
	return settingOf(float64(median.Value), float64(weight.Value), weight.Params)
}

func settingOf(median, weight float64, p result.Params) Grade {
	keys, ok := p.Number(names.ParamKeys)
	if g := GradeOf(median); g.Name != names.LabelHealthy || !ok || keys*weight >= names.BlindBelow {
		return g
	}
	return Blind
}

// SettingNamed names the label of a setting, or all that its intervals leave open.
func SettingNamed(median, weight result.Estimate) string {
	var found []string
	for _, r := range ends(median) {
		for _, a := range ends(weight) {
			if name := settingOf(r, a, weight.Params).Name; !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return strings.Join(found, " or ")
}

// ends are those of a row's interval, or its value where it has none.
func ends(e result.Estimate) []float64 {
	if !e.Lo.Present() || !e.Hi.Present() {
		return []float64{float64(e.Value)}
	}
	return []float64{float64(e.Lo), float64(e.Hi)}
}

// stop is a value of a quantity and where it stands on the colours of maps.
type stop struct{ value, shade float64 }

// warm are the bounds of labels by R, and the ends of the scale.
var warm = []stop{{1, 0.5}, {0.5, 0.68}, {0.05, 0.83}, {0.001, 0.94}, {1e-6, 1}}

// cool are those by n·E max α, down from the root of n, halfway to one key that takes all,
// where the middle is: about what logits of unit variance have, whatever n is.
func cool(keys float64) []stop {
	return []stop{{math.Sqrt(keys), 0.5}, {names.BlindBelow, 0.14}, {1, 0}}
}

// Departure is where a setting stands between its two departures on the colours of maps:
// 0 where all weights are equal, 1 where one key has all in the median row, and 1/2 where
// it is neither. Between the bounds of labels colours go evenly with logarithms, so that
// a colour never contradicts the label.
func Departure(median, weight result.Estimate) (_ float64, ok bool) {
	keys, ok := weight.Params.Number(names.ParamKeys)
	if !ok || keys < 2 || !(weight.Value > 0) {
		return 0, false
	}
	bounds := cool(keys)
	u := between(warm, float64(median.Value)) + between(bounds, keys*float64(weight.Value)) - warm[0].shade
	switch SettingOf(median, weight).Name {
	case names.LabelBlind:
		return min(u, bounds[1].shade), true
	case names.LabelHealthy: // a little of both departures
		return min(max(u, bounds[1].shade), warm[1].shade), true
	}
	return between(warm, float64(median.Value)), true
}

// between is where a value stands among falling stops.
func between(stops []stop, value float64) float64 {
	for i := 1; i < len(stops); i++ {
		if a, b := stops[i-1], stops[i]; value >= b.value || i == len(stops)-1 {
			t := math.Log(a.value/max(value, b.value)) / math.Log(a.value/b.value)
			return a.shade + min(1, max(0, t))*(b.shade-a.shade)
		}
	}
	panic("plot: colours without an end")
}
