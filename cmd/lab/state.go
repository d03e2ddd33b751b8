package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/base/distribution"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/related"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/softmax"
	"mcsim/sim/names"
)

// Largest values of the page's controls.
const (
	maxDimension = 1024
	maxKeys      = 64
	maxSeed      = 1<<53 - 1 // JavaScript represents larger integers inexactly
	maxRow       = 1 << 40
)

// distributions are the distributions that the page offers.
var distributions = names.Map(distribution.Defaults(), distribution.Distribution.String)

// The seed of the site, and the row that the page shows first. Its largest weight is near the
// median at every d_k and grows with d_k.
const defaultSeed, defaultRow = "7", "2583"

// Controls that do not belong to an axis of an experiment.
const (
	controlSD   = "sd"   // standard deviation of the components of q and k
	controlMean = "mean" // mean of the components of q and k
	controlSeed = "seed"
	controlRow  = "row"
	controlHold = "hold"
)

// state is the parsed state of the page's controls.
type state struct {
	distribution, dimension, keys, rho experiment.AxisValue
	divisor                            rows.Scaling // only Axis and Value are set
	components                         replay.Components
	seed                               uint64
	row                                int64
	isHeld                             bool // the row keeps its numbers if the user changes d_k or the keys
}

// control is one control of the page.
type control struct {
	name, defaultText string
	parse             func(s *state, text string) error // parses the text and stores its value in s
}

// controls has the controls in the order of the page. Exponent, rule and temperature exclude each
// other, since each of them determines the divisor of scores; without any of them the divisor is
// √d_k.
var controls = []control{
	{names.ParamDistribution, names.DistributionNormal, func(s *state, text string) (err error) {
		if !slices.Contains(distributions, text) {
			return names.UnknownError{Kind: names.ParamDistribution, Name: text, Names: distributions}
		}
		s.distribution, err = experiment.DistributionAxis.Parse(text)
		return err
	}},
	{names.ParamDimension, "64", parseInteger(1, maxDimension, func(s *state, n int64) {
		s.dimension.Number = float64(n)
	})},
	{names.ParamKeys, "8", parseInteger(2, maxKeys, func(s *state, n int64) { s.keys.Number = float64(n) })},
	{names.ParamExponent, "", parseDivisor(experiment.ExponentAxis)},
	{names.ParamRule, "", parseDivisor(experiment.RuleAxis)},
	{names.ParamTemperature, "", parseDivisor(rows.TemperatureAxis)},
	{controlSD, "1", func(s *state, text string) error {
		v, err := related.QuerySDAxis.Parse(text)
		s.components.QuerySD, s.components.KeySD = v.Number, v.Number
		return err
	}},
	{controlMean, "0", func(s *state, text string) error {
		v, err := related.KeyMeanAxis.Parse(text)
		s.components.QueryMean, s.components.KeyMean = v.Number, v.Number
		return err
	}},
	{names.ParamRho, "0", func(s *state, text string) (err error) {
		s.rho, err = related.RhoAxis.Parse(text)
		return err
	}},
	{controlSeed, defaultSeed, parseInteger(0, maxSeed, func(s *state, n int64) { s.seed = uint64(n) })},
	{controlRow, defaultRow, parseInteger(0, maxRow, func(s *state, n int64) { s.row = n })},
	{controlHold, names.Yes, func(s *state, text string) error {
		if text != names.Yes && text != names.No {
			return names.UnknownError{Kind: controlHold, Name: text, Names: []string{names.Yes, names.No}}
		}
		s.isHeld = text == names.Yes
		return nil
	}},
}

// parseInteger returns a function that parses an integer in [minValue, maxValue] and passes it to
// set.
func parseInteger(minValue, maxValue int64, set func(*state, int64)) func(*state, string) error {
	return func(s *state, text string) error {
		n, err := experiment.Integer(text, minValue, maxValue)
		set(s, n)
		return err
	}
}

// parseDivisor returns a function that parses the divisor of scores as a value of an axis.
func parseDivisor(a experiment.Axis) func(*state, string) error {
	return func(s *state, text string) error {
		if s.divisor.Axis != "" {
			return fmt.Errorf("and %s are both given; one divides", s.divisor.Axis)
		}
		v, err := a.Parse(text)
		s.divisor = rows.Scaling{Axis: a.Name, Value: v}
		return err
	}
}

// parseControls parses the texts of the controls by their names. A missing control has its
// default.
func parseControls(texts map[string]string) (s state, err error) {
	for name := range texts {
		if !slices.ContainsFunc(controls, func(c control) bool { return c.name == name }) {
			return s, fmt.Errorf("there is no control %q", name)
		}
	}
	for _, c := range controls {
		text, isGiven := texts[c.name]
		if !isGiven {
			text = c.defaultText
		}
		if text == "" && !isGiven { // a control of the divisor, which has no default
			continue
		}
		if err := c.parse(&s, text); err != nil {
			return s, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if s.divisor.Axis == "" {
		squareRoot := experiment.AxisValue{Number: 0.5} // d_k^0.5
		s.divisor = rows.Scaling{Axis: names.ParamExponent, Value: squareRoot}
	}
	return s, rows.RefuseScalings(s.cell(int(s.dimension.Number), int(s.keys.Number)))
}

// cell returns the cell of rows with d components and the given number of keys. The keys are
// independent, or one of them is aligned with the query if rho is not 0. The scalings of the cell
// are the exponent 0, which leaves scores as they are, and the divisor.
func (s state) cell(d, keys int) experiment.Cell {
	values := map[string]experiment.AxisValue{
		names.ParamDistribution: s.distribution,
		names.ParamDimension:    {Number: float64(d)},
		names.ParamKeys:         {Number: float64(keys)},
	}
	e := softmax.Experiment
	if s.rho.Number != 0 {
		e = related.Alignment
		values[names.ParamRho] = s.rho
	} else {
		values[names.ParamSharedKeys] = experiment.AxisValue{Name: names.No}
	}
	c := experiment.NewCell(e, values)
	c.Shared = map[string][]experiment.AxisValue{names.ParamExponent: {{Number: 0}}}
	if s.isDivided() {
		c.Shared[s.divisor.Axis] = append(c.Shared[s.divisor.Axis], s.divisor.Value)
	}
	return c
}

// isDivided reports whether the divisor changes the scores: all do except for the exponent 0.
func (s state) isDivided() bool {
	return s.divisor.Axis != names.ParamExponent || s.divisor.Value.Number != 0
}

// shownCell returns the cell of the rows that the page shows.
func (s state) shownCell() experiment.Cell {
	return s.cell(int(s.dimension.Number), int(s.keys.Number))
}

// sampledCell returns the cell of the rows that the program samples. If the row is held, the cell
// has the largest d_k and number of keys, so that the program samples no new row if the user
// changes either.
func (s state) sampledCell() experiment.Cell {
	if s.isHeld {
		return s.cell(maxDimension, maxKeys)
	}
	return s.shownCell()
}

// probeCommand returns the shell command that prints the same row. The text is empty for a held
// row: the page shows only a part of it, and the command would print a different row.
func (s state) probeCommand() string {
	if s.isHeld {
		return ""
	}
	line := []string{"mcsim probe --distribution", s.distribution.Name,
		"--d-k", s.dimension.String(), "--keys", s.keys.String()}
	add := func(a experiment.Axis, v experiment.AxisValue) {
		if v.String() != a.OmittedValue {
			line = append(line, "--"+a.Flag(), quote(v.String()))
		}
	}
	if s.rho.Number != 0 {
		add(related.RhoAxis, s.rho)
	}
	line = append(line, "--exponent 0")
	if s.isDivided() {
		add(*softmax.Experiment.Axis(s.divisor.Axis), s.divisor.Value)
	}
	for _, c := range []struct {
		axis  string
		value float64
	}{
		{names.ParamQuerySD, s.components.QuerySD},
		{names.ParamKeySD, s.components.KeySD},
		{names.ParamQueryMean, s.components.QueryMean},
		{names.ParamKeyMean, s.components.KeyMean},
	} {
		if v := (experiment.AxisValue{Number: c.value}).String(); v != related.Mismatch.Axis(c.axis).OmittedValue {
			line = append(line, "--set", c.axis+"="+v)
		}
	}
	line = append(line, "--seed", strconv.FormatUint(s.seed, 10), "--row", strconv.FormatInt(s.row, 10), "--json")
	return strings.Join(line, " ")
}

// quote puts a text in quotation marks if a shell needs them.
func quote(text string) string {
	if strings.ContainsAny(text, "()* ") {
		return `"` + text + `"`
	}
	return text
}
