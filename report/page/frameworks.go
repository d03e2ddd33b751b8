package page

import (
	"fmt"
	"math"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// frameworksView is what the first page says of the defaults of frameworks.
type frameworksView struct {
	Model, Key string // the shape of the head
	Off        bool   // not all of them are safe
	Small      bool   // one is small on purpose
	Shapes     bool   // heads of other shapes were drawn too
	Table      view.Table
}

// knownInits are the initialisations of the first page, where they were drawn: what most
// people have, and the two ends.
var knownInits = []string{names.InitTorchMHA, names.InitTorchLinear, names.InitNormal002, names.InitKerasBefore2026, names.InitKeras, names.InitFlax,
	names.InitT5, names.InitMuP, names.InitHeNormal, names.InitHeFanOut}

// frameworks holds what known initialisations make of the logits of a head, whether that
// suits softmax, and what would mend it.
func frameworks(s *view.Source) frameworksView {
	grid := rows.InitGrid(s.Doc)
	v := frameworksView{Model: view.NumberIn(grid, names.ParamModel), Key: view.NumberIn(grid, names.ParamDimension), Shapes: len(rows.InitShapes(s.Doc)) > 1}
	v.Table = view.Table{
		Caption: fmt.Sprintf("Standard deviation σ of the logits at initialisation, under the scale of each framework itself, in %s. For rows of other lengths the verdicts have other bounds. *Too soft*: below about %g, where the largest of %d weights is under 1.25/%d on average. "+
			"*Freezes*: from about %g on, where the median row of %d keys lets through less than half of the gradient that equal weights would. *Safe*: between the two. The cure brings σ to 1.",
			ofShape(grid), names.SafeFrom, names.SafeKeys, names.SafeKeys, names.FreezesFrom, names.SafeKeys),
		Head: []string{"framework: initialisation", "σ of a logit", "verdict", "cure"},
		Left: []int{2, 3},
	}
	firm := s.Support(s.Estimates(rows.Init(names.LogitSD).Within(grid)), names.HeadVariance, names.LogitVariance).Firm
	for _, name := range knownInits {
		e, ok := rows.One(s.Doc, rows.Init(names.LogitSD).Within(grid).With(names.ParamInit, name))
		if !ok {
			continue
		}
		scheme, _ := rows.Scheme(s.Doc, names.ExperimentInit, name)
		verdict := sizeOf(e)
		v.Off = v.Off || firm && (verdict == names.LabelTooSoft || verdict == names.LabelFreezes)
		remedy := cure(e, verdict)
		if name == names.InitMuP && verdict == names.LabelTooSoft {
			v.Small = true
			verdict, remedy = verdict+", on purpose", "none: see below"
		}
		v.Table.Rows = append(v.Table.Rows, []string{markdown.WithSubscripts(owner(scheme)) + ": " + markdown.Escape(name), view.Said(e), verdict, remedy})
	}
	return v
}

// owner is whose an initialisation is, or what it is where it is nobody's.
func owner(scheme result.Scheme) string {
	if scheme.Framework == "generic" || scheme.Framework == "" {
		return scheme.Title
	}
	return scheme.Framework
}

// sizeOf labels the standard deviation of a logit, by two labels where its interval
// reaches into both, and not at all where it has none.
func sizeOf(e result.Estimate) string {
	if !e.Lo.Present() || !e.Hi.Present() {
		return ""
	}
	low, high := names.InitLabel(float64(e.Lo)), names.InitLabel(float64(e.Hi))
	if low != high {
		return low + " or " + high
	}
	return low
}

// cure is what makes the standard deviation of a logit one where it is not safe: a factor
// of the scores, or its root for each of the two matrices that make them.
func cure(e result.Estimate, verdict string) string {
	sigma := float64(e.Theory)
	switch {
	case verdict == names.LabelSafe:
		return "none"
	case verdict == "" || !e.Theory.Present() || rows.Strays(e) || sigma <= 0:
		return digits.None
	}
	return fmt.Sprintf("multiply the scores by %s (or W_Q and W_K each by %s)", digits.Rough(1/sigma), digits.Rough(math.Sqrt(1/sigma)))
}
