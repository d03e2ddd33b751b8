package chart

import (
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/sim/names"
	"mcsim/sim/names/formats"
	"mcsim/sim/result"
)

// without is the sample less the rows and lines of formats that have the value.
func without(param string, values ...string) *result.Document {
	doc := sample.Document()
	has := func(p result.Params) bool {
		text, _ := p.Text(param)
		for _, v := range values {
			if text == v {
				return true
			}
		}
		return false
	}
	var estimates []result.Estimate
	for _, e := range doc.Estimates {
		if !has(e.Params) {
			estimates = append(estimates, e)
		}
	}
	var curves []result.Curve
	for _, c := range doc.Curves {
		if !has(c.Params) {
			curves = append(curves, c)
		}
	}
	doc.Estimates, doc.Curves = estimates, curves
	return doc
}

// Captions on formats speak of what is drawn: each format, arithmetic and placement alone.
func TestCaptionsOnFormats(t *testing.T) {
	e4m3 := []string{formats.E4M3Saturating, formats.E4M3NaN}
	for _, c := range []struct {
		what       string
		doc        *result.Document
		has, lacks string // of both captions, in parts with bars between them
	}{
		{"all", sample.Document(), "At d_k = 80, the largest here|the scale is rounded to the format, too|e4m3fn is that of e4m3fn-saturating|What it costs to scale the query first|% in float16|% in bfloat16 and|% in e4m3fn.|In (b) products|lines of (b)|nearly coincide|with the scale before the product this happens at no", ""},
		{"no float16", without(names.ParamFormat, formats.Float16), "% in bfloat16 and|% in e4m3fn.|overflows e4m3fn", "% in float16|nearly coincide"},
		{"no bfloat16", without(names.ParamFormat, formats.BFloat16), "% in float16 and|% in e4m3fn.", "bfloat16"},
		{"no e4m3fn", without(names.ParamFormat, e4m3...), "% in float16 and|% in bfloat16.", "e4m3fn"},
		{"no e5m2", without(names.ParamFormat, formats.E5M2), "overflows e4m3fn", "e5m2|coincide"},
		{"no sums in the format", without(names.ParamArithmetic, formats.Worst), "with sums in float32", "(b) products|no matrix unit|scale is rounded"},
		{"no sums in float32", without(names.ParamArithmetic, formats.Practice), "with sums in the format|In (b) products", "(a)|with sums in float32"},
		{"no scale before the product", without(names.ParamPlacement, formats.Before), "overflows e4m3fn from", "before the product|lines of (b)|What it costs"},
		{"no scale after the product", without(names.ParamPlacement, formats.After), "lines of (b)", "more than one score in a million|% in"},
	} {
		var all string
		for _, chart := range []string{precisionWeights.Name, precisionHeadroom.Name} {
			for _, f := range All {
				if f.Name == chart && f.Of(c.doc).Shows() {
					all += f.Of(c.doc).Finding(asIs) + " " + f.Of(c.doc).Reading(asIs) + " "
				}
			}
		}
		all = strings.ReplaceAll(all, "\u00a0", " ")
		for _, part := range strings.Split(c.has, "|") {
			if !strings.Contains(all, part) {
				t.Errorf("%s: no %q in\n%s", c.what, part, all)
			}
		}
		for _, part := range strings.Split(c.lacks, "|") {
			if part != "" && strings.Contains(all, part) {
				t.Errorf("%s: %q in\n%s", c.what, part, all)
			}
		}
	}
}

// Scores begin to overflow e4m3fn at d_k = 8986.6, by SciPy 1.10.1: where the integral of
// 2Φ(−464/√r) over the density of χ² with d_k degrees at r is one in a million. The caption
// has the points of the line on either side; where all points are beyond it has none.
func TestWhereScoresOverflow(t *testing.T) {
	const crossing = 8987
	doc := sample.Document()
	o := overflows(doc, formats.After)
	if !o.drawn || !o.ever || !(o.below < crossing && crossing < o.at && o.at < 1.25*o.below) {
		t.Errorf("scores begin to overflow: %+v", o)
	}
	if o := overflows(doc, formats.Before); !o.drawn || o.ever {
		t.Errorf("with the scale before the product scores overflow: %+v", o)
	}
	if o := overflows(without(names.ParamPlacement, formats.Before), formats.Before); o.drawn || o.ever {
		t.Errorf("without a line scores overflow: %+v", o)
	}
	for i, c := range doc.Curves {
		if c.Quantity == names.Headroom {
			doc.Curves[i].Y = make([]result.Number, len(c.Y))
		}
	}
	if text := precisionHeadroom.Of(doc).Finding(asIs); !strings.Contains(text, "e4m3fn at every") || strings.Contains(text, "before the product") {
		t.Error(text)
	}
}
