package inspection

import (
	"fmt"
	"io"
	"math"
	"slices"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/series"
	"mcsim/sim/result"
)

// printEffects prints a line for each usual scale, with the logits and weights that result from it.
func (a *Report) printEffects(w io.Writer) {
	rows := show.NewTable("q·k times", "row_logit_sd", "max_weight·n", "entropy_ratio", "effective keys")
	for _, e := range a.Overall.ByScale {
		rows.Add(digits.Significant(float64(e.Scale), 4), formatWithError(e.LogitSD), show.FormatPlain(e.PeakRatio),
			formatWithError(e.EntropyRatio), formatEffectiveKeys(e))
	}
	rows.Print(w)
	show.Paragraph(w, "", 0, fmt.Sprintf("row_logit_sd is within rows; max_weight·n and entropy_ratio are means over "+
		"%s; "+
		"effective keys are 1 over the mean of Σα².", show.FormatCount(a.Overall.ByScale[0].Rows, "row")))
}

func formatEffectiveKeys(e inspect.ScaleEstimates) string {
	return formatWithError(e.EffectiveKeys) + ": " + e.Label
}

// maxHeads is the largest number of heads that are printed if the user does not request all.
const maxHeads = 24

// selectShown returns the first lines of a table, or all lines.
func selectShown[T any](lines []T, all bool) []T {
	if all {
		return lines
	}
	return lines[:min(maxHeads, len(lines))]
}

// printOmission says how many of the lines are shown, unless all are.
func printOmission(w io.Writer, shown, total int, noun string) {
	if shown < total {
		show.Linef(w, "%d of %d %s are shown; --rows shows all.", shown, total, noun)
	}
}

// printHeads prints a line for each head. If there are several layers, it prints a line for each
// layer instead, except if the user requests all heads.
func (a *Report) printHeads(w io.Writer, printAll bool) {
	layers := inspect.GroupByLayer(a.Heads)
	if !printAll && len(layers) > 1 {
		printLayers(w, layers)
		return
	}
	shown := selectShown(a.Heads, printAll)
	columns := []string{"head", "logit_sd", "scaled_variance", "largest", "max_weight·n", "effective keys", "p",
		"first key"}
	hasSink := a.Heads[0].FirstScale().SinkWeight != nil
	if hasSink {
		columns = append(columns, "sink")
	}
	hasDirections := a.Heads[0].Participation.Present() // only if weights are inspected
	if hasDirections {
		columns = append(columns, "directions")
	}
	rows := show.NewTable(columns...)
	for _, h := range shown {
		effectiveKeys, firstKey := digits.None, digits.None
		if len(h.ByScale) > 0 {
			effectiveKeys, firstKey = formatEffectiveKeys(h.ByScale[0]), formatWithError(h.ByScale[0].FirstKeyWeight)
		}
		cells := []any{h.Title(), formatWithError(h.LogitSD), formatWithError(h.ScaledVariance),
			digits.Significant(float64(h.MaxLogit.Value), 3), show.FormatPlain(h.FirstScale().PeakRatio), effectiveKeys,
			formatWithError(h.Exponent), firstKey}
		if hasSink {
			cells = append(cells, formatWithError(*h.FirstScale().SinkWeight))
		}
		if hasDirections {
			cells = append(cells, digits.Significant(float64(h.Participation), 3))
		}
		rows.Add(cells...)
	}
	rows.Print(w)
	if hasDirections {
		fmt.Fprintln(w, "directions is the participation ratio of W_QᵀW_K: in how many directions a head looks.")
	}
	printOmission(w, len(shown), len(a.Heads), "heads")
}

// printLayers prints a line for each layer, with the extremes over its heads.
func printLayers(w io.Writer, layers [][]inspect.Head) {
	rows := show.NewTable("layer", "heads", "logit_sd: smallest", "median", "largest", "largest logit", "labels")
	format := func(x float64) string { return digits.Significant(x, 3) }
	for _, heads := range layers {
		sds, maxLogit := make([]float64, len(heads)), math.Inf(-1)
		for i, h := range heads {
			sds[i] = float64(h.LogitSD.Value)
			maxLogit = max(maxLogit, float64(h.MaxLogit.Value))
		}
		slices.Sort(sds)
		rows.Add(heads[0].Layer, len(heads), format(sds[0]), format(elementary.Median(sds)), format(sds[len(sds)-1]),
			format(maxLogit), countLabels(heads))
	}
	rows.Print(w)
	fmt.Fprintln(w, "--rows shows every head.")
}

// printCSV prints a line for each head.
func (a *Report) printCSV(w io.Writer) error {
	rows := show.NewTable("layer", "head", "score_mean", "score_variance", "score_variance_se",
		"scaled_variance", "scaled_variance_se", "logit_sd", "logit_sd_lo", "logit_sd_hi", "max_logit",
		"alignment_exponent", "alignment_exponent_se", "head_participation",
		"effective_keys", "effective_keys_lo", "effective_keys_hi", "max_weight_times_keys", "entropy_ratio",
		"first_key_weight", "first_key_weight_se", "sink_weight", "sink_weight_se", "label")
	for _, h := range a.Heads {
		e := h.FirstScale()
		sink := inspect.Estimate{Value: result.Absent(), SE: result.Absent()}
		if e.SinkWeight != nil {
			sink = *e.SinkWeight
		}
		rows.Add(h.Layer, h.Head, h.Mean, h.Variance.Value, h.Variance.SE,
			h.ScaledVariance.Value, h.ScaledVariance.SE, h.LogitSD.Value, h.LogitSD.Lo, h.LogitSD.Hi, h.MaxLogit.Value,
			h.Exponent.Value, h.Exponent.SE, h.Participation,
			e.EffectiveKeys.Value, e.EffectiveKeys.Lo, e.EffectiveKeys.Hi, e.PeakRatio, e.EntropyRatio.Value,
			e.FirstKeyWeight.Value, e.FirstKeyWeight.SE, sink.Value, sink.SE, e.Label)
	}
	return rows.CSV(w)
}

// HeadMap returns a figure of the heads' standard deviations of logits by layer. The figure shows
// the band [lo, hi] and says what it means.
func (a *Report) HeadMap(lo, hi float64, meaning string) series.HeadMap {
	m := series.HeadMap{Lo: lo, Hi: hi, Meaning: meaning}
	for _, heads := range inspect.GroupByLayer(a.Heads) {
		layer := series.HeadLayer{Name: heads[0].Layer}
		for _, h := range heads {
			layer.SD = append(layer.SD, float64(h.LogitSD.Value))
		}
		m.Layers = append(m.Layers, layer)
	}
	return m
}
