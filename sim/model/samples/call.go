package samples

import (
	"fmt"
	"regexp"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/result"
)

// Names of arrays of one number that a hook saves for each call of attention (contrib/python).
var (
	scalePattern  = newNamePattern("scale")
	causalPattern = newNamePattern("causal")
	maskedPattern = newNamePattern("masked")
)

// callSettings are the arguments of a layer's call of attention.
type callSettings struct {
	scale          float64  // factor of q·k; 0 if it is not saved
	causal, masked bool     // masked says that another mask was given, which the file does not have
	names          []string // names of the arrays that were read
}

// readCall reads the arguments of the call next to queries or log-sum-exps.
func readCall(files *tensor.Files, name string) (c callSettings, err error) {
	var causal, masked float64
	for _, setting := range []struct {
		pattern *regexp.Regexp
		number  *float64
	}{{scalePattern, &c.scale}, {causalPattern, &causal}, {maskedPattern, &masked}} {
		sibling := findSibling(files, name, setting.pattern, false)
		isRead, err := readNumber(files, sibling, setting.number)
		if err != nil {
			return c, err
		}
		if isRead {
			c.names = append(c.names, sibling)
		}
	}
	c.causal, c.masked = causal != 0, masked != 0
	return c, nil
}

// readNumber reads an array of one number. It returns false if the name is empty, or if the array
// has several numbers or whole numbers.
func readNumber(files *tensor.Files, name string, number *float64) (bool, error) {
	if name == "" {
		return false, nil
	}
	a, err := files.Lookup(name)
	if err != nil {
		return false, err
	}
	m, err := a.Matrix()
	if len(a.Shape) > 2 || err != nil || m.Rows*m.Columns != 1 || a.IsWhole() {
		return false, nil
	}
	target := []float64{0}
	err = tensor.Read(m, target)
	*number = target[0]
	return err == nil, err
}

// IsCausal reports whether the file says that query i sees only the keys 0 to i. It returns an
// error if only some layers are causal.
func (s *Samples) IsCausal() (bool, error) {
	for _, l := range s.layers {
		if l.call.causal != s.layers[0].call.causal {
			return false, fmt.Errorf("layers %s and %s are not both causal: name one kind by --q and --k, and say "+
				"--causal for causal ones", s.layers[0].title, l.title)
		}
	}
	return s.layers[0].call.causal, nil
}

// judgeSavedScale compares the saved scales of all layers with the scale. It returns nil if a layer
// has none.
func (s *Samples) judgeSavedScale(o inspect.Options) *inspect.AppliedScale {
	a := &inspect.AppliedScale{Scale: result.Number(o.Scale), Correlation: result.Absent(), Source: "saved scale"}
	for i, l := range s.layers {
		if l.call.scale == 0 {
			return nil
		}
		verdict := compareFactor(l.call.scale, 0, o.Scale)
		if i > 0 && (verdict != result.Fail || a.Verdict == result.Fail) {
			continue
		}
		a.Factor, a.Verdict = result.Number(l.call.scale), verdict
		if verdict == result.Fail {
			shape := scalefit.LayerShape{Dimension: s.Dimension, Heads: l.query.heads, KeyHeads: l.key.heads,
				Keys: s.Keys}
			a.Diagnosis = scalefit.ExplainFactor(l.call.scale, 0, o.Scale, shape)
			if l.title != "" {
				a.Diagnosis += ", in layer " + l.title
			}
		}
	}
	return a
}
