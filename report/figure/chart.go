package figure

import (
	"slices"

	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Text writes a string that comes from a plan as plain text of the format
// that a sentence goes into (Markdown, XML).
type Text func(string) string

// Chart declares one figure. All its texts are in the notation of package
// label. Name, Title, Height and Panels must be there. Whatever else is left out has its
// default: one column of panels that are not repeated, no fixed parameters, a caption of
// what the engine says by itself.
type Chart struct {
	Name    string       // of its files, without extension
	Title   string       // what is plotted against what
	Height  float64      // in millimetres; at the full width of a page, for all rows of panels
	Panels  []plot.Panel // in reading order
	Columns int          // of panels at full width; 0 is 1
	Narrow  int          // of panels in one column of print; 0 is 1
	Each    *plot.Each   // repeats the panels
	// Fixed are the parameters that all rows of the panels have, where the
	// document must be read to know them. It may be nil.
	Fixed func(doc *result.Document) result.Params
	// Caption says how to read what is drawn. It is the same for every document, and so
	// says nothing that only some of them bear out.
	Caption string
}

// panels returns the panels of the chart for a document.
func (c Chart) panels(doc *result.Document) (out []plot.Panel) {
	own := c.fixed(doc)
	if c.Each == nil {
		return own
	}
	for _, p := range own {
		if p.Wide {
			if c.Each.Param == names.ParamLaw {
				p.Title = plot.NameOf(plot.Key{By: c.Each.Param, Of: rows.DefaultLaw(doc)})
			}
			out = append(out, p)
		}
	}
	values := rows.Values(rows.Estimates(doc, c.Each.Rows.Within(c.fixedParams(doc))), c.Each.Param)
	for _, value := range c.Each.Shown(values) {
		name := plot.NameOf(plot.Key{By: c.Each.Param, Of: value})
		for _, p := range own {
			switch {
			case p.Wide:
				continue
			case p.Title == "":
				p.Title = name
			default:
				p.Inside = name
			}
			out = append(out, p.At(c.Each.Param, value, true))
		}
	}
	return out
}

// fixed returns the declared panels with the parameters that are fixed. Most
// curves are of no one law.
func (c Chart) fixed(doc *result.Document) []plot.Panel {
	out := slices.Clone(c.Panels)
	for param, value := range c.fixedParams(doc) {
		for i := range out {
			out[i] = out[i].At(param, value, param != names.ParamLaw)
		}
	}
	return out
}

// fixedParams are the parameters that all rows have.
func (c Chart) fixedParams(doc *result.Document) result.Params {
	if c.Fixed == nil {
		return nil
	}
	return c.Fixed(doc)
}

// Experiment is the one whose rows or curves the chart shows; empty if it shows those of all.
func (c Chart) Experiment() string {
	for _, p := range c.Panels {
		switch {
		case len(p.Points) > 0:
			return p.Points[0].Rows.Experiment
		case len(p.Lines) > 0:
			return p.Lines[0].Curves.Experiment
		case len(p.Traces) > 0:
			return p.Traces[0].Curves.Experiment
		case len(p.Stack) > 0:
			return p.Stack[0].Rows.Experiment
		case p.Heat != nil:
			return p.Heat.Weights.Experiment
		}
	}
	return ""
}
