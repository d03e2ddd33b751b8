package show

import (
	"fmt"
	"io"
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
)

// printEffects prints what the usual scales do, a line for each.
func (a *Inspected) printEffects(w io.Writer) {
	rows := NewRows("q·k times", "logit_sd", "max_weight·n", "entropy_ratio", "effective keys")
	for _, e := range a.Overall.ByScale {
		rows.Add(digits.Significant(float64(e.Scale), 4), formatError(e.LogitSD), plainly(e.PeakRatio),
			formatError(e.EntropyRatio), formatEffectiveKeys(e))
	}
	rows.Print(w)
	Paragraph(w, "", 0, fmt.Sprintf("logit_sd is within rows; max_weight·n and entropy_ratio are means over %s; "+
		"effective keys are 1 over the mean of Σα².", Counted(a.Overall.ByScale[0].Rows, "row")))
}

func formatEffectiveKeys(e inspect.ScaleEstimates) string {
	return formatError(e.EffectiveKeys) + ": " + e.Label
}

// maxHeads is the number of heads that are printed unless all are requested.
const maxHeads = 24

// printHeads prints a line for each head, or for each layer if there are several.
func (a *Inspected) printHeads(w io.Writer, all bool) {
	layers := a.layers()
	if !all && len(layers) > 1 {
		printLayers(w, layers)
		return
	}
	shown := a.Heads
	if !all {
		shown = shown[:min(maxHeads, len(shown))]
	}
	columns := []string{"head", "logit_sd", "scaled_variance", "largest", "max_weight·n", "effective keys", "p"}
	areWeights := a.Heads[0].Participation.Present()
	if areWeights {
		columns = append(columns, "directions")
	}
	rows := NewRows(columns...)
	for _, h := range shown {
		largest, evenness, effective, exponent := digits.None, digits.None, digits.None, digits.None
		if len(h.ByScale) > 0 {
			e := h.ByScale[0]
			largest, evenness = digits.Significant(float64(h.MaxLogit), 3), plainly(e.PeakRatio)
			effective = formatEffectiveKeys(e)
		}
		if h.Exponent.Value.Present() {
			exponent = formatError(h.Exponent)
		}
		directions := ""
		if areWeights {
			directions = digits.Significant(float64(h.Participation), 3)
		}
		rows.Add(h.Title(), formatError(h.LogitSD), formatError(h.ScaledVariance), largest, evenness, effective, exponent,
			directions)
	}
	rows.Print(w)
	if areWeights {
		fmt.Fprintln(w, "directions is the participation ratio of W_QᵀW_K: in how many directions a head looks.")
	}
	if len(shown) < len(a.Heads) {
		fmt.Fprintf(w, "%d of %d heads are shown; --rows shows all.\n", len(shown), len(a.Heads))
	}
}

// layers returns the heads of each layer.
func (a *Inspected) layers() (layers [][]inspect.Head) {
	for i, h := range a.Heads {
		if i == 0 || h.Layer != a.Heads[i-1].Layer {
			layers = append(layers, nil)
		}
		last := len(layers) - 1
		layers[last] = append(layers[last], h)
	}
	return layers
}

// printLayers prints a line for each layer.
func printLayers(w io.Writer, layers [][]inspect.Head) {
	rows := NewRows("layer", "heads", "logit_sd: least", "median", "greatest", "largest logit", "labels")
	format := func(x float64) string { return digits.Significant(x, 3) }
	for _, heads := range layers {
		sds, largest := make([]float64, len(heads)), math.Inf(-1)
		for i, h := range heads {
			sds[i] = float64(h.LogitSD.Value)
			largest = max(largest, float64(h.MaxLogit))
		}
		slices.Sort(sds)
		rows.Add(heads[0].Layer, len(heads), format(sds[0]), format(elementary.Median(sds)), format(sds[len(sds)-1]),
			format(largest), countLabels(heads))
	}
	rows.Print(w)
	fmt.Fprintln(w, "--rows shows every head.")
}

// csv prints a line for each head.
func (a *Inspected) csv(w io.Writer) error {
	rows := NewRows("layer", "head", "score_mean", "score_variance", "score_variance_se",
		"scaled_variance", "scaled_variance_se", "logit_sd", "logit_sd_lo", "logit_sd_hi", "max_logit",
		"alignment_exponent", "alignment_exponent_se", "head_participation",
		"effective_keys", "effective_keys_lo", "effective_keys_hi", "max_weight_times_keys", "entropy_ratio", "label")
	for _, h := range a.Heads {
		e := h.FirstScale()
		rows.Add(h.Layer, h.Head, h.Mean, h.Variance.Value, h.Variance.SE,
			h.ScaledVariance.Value, h.ScaledVariance.SE, h.LogitSD.Value, h.LogitSD.Lo, h.LogitSD.Hi, h.MaxLogit,
			h.Exponent.Value, h.Exponent.SE, h.Participation,
			e.EffectiveKeys.Value, e.EffectiveKeys.Lo, e.EffectiveKeys.Hi, e.PeakRatio, e.EntropyRatio.Value, e.Label)
	}
	return rows.CSV(w)
}

// Map returns a map of the heads with a band and its meaning.
func (a *Inspected) Map(lo, hi float64, meaning string) figure.HeadMap {
	m := figure.HeadMap{Lo: lo, Hi: hi, Meaning: meaning}
	for _, heads := range a.layers() {
		layer := figure.HeadLayer{Name: heads[0].Layer}
		for _, h := range heads {
			layer.SD = append(layer.SD, float64(h.LogitSD.Value))
		}
		m.Layers = append(m.Layers, layer)
	}
	return m
}

// plainly writes a number that describes given data, to three decimals, and of small
// numbers two digits.
func plainly[T ~float64](x T) string {
	if math.IsNaN(float64(x)) {
		return digits.None
	}
	return digits.Decimals(float64(x), 3)
}
