package inspect

import (
	"fmt"
	"math"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
)

// Head has the estimates of one head over all texts.
type Head struct {
	Layer string `json:"layer,omitempty"`
	Head  int    `json:"head"`
	Estimates
}

// Title returns the name of the head in messages.
func (h Head) Title() string {
	switch {
	case h.Head < 0:
		return MeanOfHeads
	case h.Layer == "":
		return fmt.Sprintf("head %d", h.Head)
	}
	return fmt.Sprintf("layer %s, head %d", h.Layer, h.Head)
}

// GroupByLayer returns the heads of each layer in their order. Heads of one layer must follow each
// other.
func GroupByLayer(heads []Head) (layers [][]Head) {
	for i, h := range heads {
		if i == 0 || h.Layer != heads[i-1].Layer {
			layers = append(layers, nil)
		}
		last := len(layers) - 1
		layers[last] = append(layers[last], h)
	}
	return layers
}

// FirstScale returns the estimates under the requested scale. They are undefined if rows are
// paired.
func (h Head) FirstScale() ScaleEstimates {
	if len(h.ByScale) == 0 {
		return ScaleEstimates{EffectiveKeys: undefined, PeakRatio: result.Absent(), EntropyRatio: undefined}
	}
	return h.ByScale[0]
}

// Summary joins all heads and texts.
type Summary struct {
	Dimension int  `json:"d_k"`
	Queries   int  `json:"queries"` // number of queries of a text or block
	Keys      int  `json:"keys"`    // number of keys of a text or block
	Texts     int  `json:"texts"`
	HeadCount int  `json:"heads"`
	Paired    bool `json:"paired"`
	// Blocks is the number of texts, or of batches of rows, from which errors are estimated. It is
	// 0 if rows are assumed to be independent.
	Blocks  int       `json:"blocks"`
	Overall Estimates `json:"all"`
	Heads   []Head    `json:"by_head,omitempty"`
	// Layers has the mean over the heads of each layer, if there are several layers.
	Layers []Head `json:"-"`
	// HeadsSD is the standard deviation of the scaled variance over heads. HeadsError is the
	// standard deviation that is expected if the heads differ only by their errors.
	HeadsSD    result.Number `json:"heads_sd,omitzero"`
	HeadsError result.Number `json:"heads_error,omitzero"`
	// EffectiveRows is the effective sample size of one text, if its rows depend on each other.
	EffectiveRows result.Number `json:"independent_rows,omitzero"`

	// Formats has the results of each head and placement in the number format of the options, if
	// any.
	Formats []FormatEstimate `json:"formats,omitempty"`

	Scale   result.Number `json:"scale"`
	Subject []string      `json:"subject,omitempty"` // sentences on the arrays that are judged
	// Caveats are phrases that follow the verdict, such as checks that were not possible.
	Caveats     []string `json:"caveats,omitempty"`
	Dependence  string   `json:"dependence"` // assumptions of the errors
	Warnings    []string `json:"warnings,omitempty"`
	Notes       []string `json:"notes,omitempty"` // assumptions about the file
	sameVectors bool     // queries and keys are equal in all texts
	neighbourZ  float64  // correlation of neighbouring rows in standard errors; 0 if it is not significant
	length      float64  // length to which rows were normalised; 0 if they were not
}

// HasSameVectors reports whether queries and keys are the same vectors in all texts.
func (s Summary) HasSameVectors() bool { return s.sameVectors }

// Summarise joins measured texts. headTexts holds all heads of the first text, then all heads of
// the next text, and so on.
//
// The variance of a head is the mean square about the mean of all texts, so it includes the
// variance between texts. The errors for several texts are Student's, from the scatter between
// texts. The errors for one text follow from the contributions of its rows; rows may depend on
// neighbouring rows. Heads are not a random sample: the error of the mean over heads describes
// how the mean varies if the tokens are sampled again.
func Summarise(headTexts []HeadText, heads int, o Options) Summary {
	texts, first := len(headTexts)/heads, headTexts[0]
	s := Summary{Dimension: first.Dimension, Queries: first.Queries, Keys: first.Keys, Texts: texts, HeadCount: heads,
		Paired: o.Paired, Scale: result.Number(o.Scale), length: o.Length}
	byHead, columnValues, columnTerms := make([][]HeadText, heads), make([][][]float64, heads), make([][]terms, heads)
	for i, text := range headTexts {
		byHead[i%heads] = append(byHead[i%heads], text)
		s.sameVectors = (s.sameVectors || i == 0) && text.SameVectors
	}
	for h, texts := range byHead {
		columnValues[h], columnTerms[h] = newColumns(texts)
	}
	var size sampleSize
	if texts == 1 {
		s.neighbourZ, size = effectiveSampleSize(headTexts)
	}
	means := make([][]meanEstimate, heads+1) // the columns of each head, then those of the mean over heads
	for c := range columnValues[0] {
		var joined []meanEstimate
		if texts > 1 {
			joined = computeMeansOverTexts(column(columnValues, c), o.Blocks)
		} else {
			joined = computeMeansInText(column(columnValues, c), column(columnTerms, c), size)
		}
		for h, m := range joined {
			means[h] = append(means[h], m)
		}
	}
	for _, m := range means {
		// p is a logarithm, so its values do not show the skewness of the variance. By simulation,
		// its error needs the correction for half of the variance's squared relative error.
		m[columnExponent].se *= skewnessFactor(m[columnVariance].se / m[columnVariance].value / math.Sqrt2)
	}
	for h, texts := range byHead {
		s.Heads = append(s.Heads, Head{Head: h, Estimates: newEstimates(texts, 1, means[h], o)})
	}
	s.Overall = newEstimates(headTexts, heads, means[heads], o)
	switch {
	case texts > 1:
		s.Blocks = int(means[heads][columnVariance].dof) + 1
	case s.neighbourZ > 0:
		s.EffectiveRows = result.Number(size.effective)
		s.Blocks = size.newBatching(len(columnTerms[0][columnVariance].queries)).count
	}
	s.setHeadsSD()
	s.Dependence = s.describeDependence()
	return s
}

// SetLayers sets the means over the heads of each layer, if there are several layers. headTexts are
// those of [Summarise], and s.Heads must have the names of their layers.
func (s *Summary) SetLayers(headTexts []HeadText, o Options) {
	layers, first := GroupByLayer(s.Heads), 0
	if len(layers) == 1 {
		return
	}
	for _, heads := range layers {
		var texts []HeadText
		for start := first; start < len(headTexts); start += s.HeadCount {
			texts = append(texts, headTexts[start:start+len(heads)]...)
		}
		s.Layers = append(s.Layers, Head{heads[0].Layer, -1, Summarise(texts, len(heads), o).Overall})
		first += len(heads)
	}
}

// column returns column c of each head.
func column[T any](heads [][]T, c int) (result []T) {
	for _, columns := range heads {
		result = append(result, columns[c])
	}
	return result
}

// setHeadsSD sets the standard deviation over heads and its expected error.
func (s *Summary) setHeadsSD() {
	s.HeadsSD, s.HeadsError = result.Absent(), result.Absent()
	if len(s.Heads) < 2 {
		return
	}
	var scaled []float64
	square := 0.0
	for _, h := range s.Heads {
		scaled = append(scaled, float64(h.ScaledVariance.Value))
		square += float64(h.ScaledVariance.SE*h.ScaledVariance.SE) / float64(len(s.Heads))
	}
	s.HeadsSD, s.HeadsError = result.Number(math.Sqrt(variance(scaled))), result.Number(math.Sqrt(square))
}

// effectiveSampleSize returns the effective sample size of a text, and the largest significant z
// of neighbouring rows over its heads. z is 0 if it is not significant in any head.
func effectiveSampleSize(heads []HeadText) (z float64, size sampleSize) {
	lag1 := 0.0
	for _, text := range heads {
		lag1 += text.lag1 / float64(len(heads))
		if text.z > z && text.isSignificant(comparisons*len(heads)) {
			z = text.z
		}
	}
	rows := float64(max(heads[0].Queries, heads[0].Keys))
	if z == 0 {
		return 0, sampleSize{rows, rows}
	}
	return z, sampleSize{rows, rows * (1 - lag1) / (1 + lag1)}
}

// variancePseudoValues returns one value per text. The mean of these values is the variance of the
// head over all texts. Each value is the mean square about the text's mean, plus the text's
// jackknife pseudo-value of the (unbiased) variance between the means of texts.
func variancePseudoValues(texts []HeadText) (pseudoValues []float64) {
	if len(texts) == 1 {
		return []float64{texts[0].Variance}
	}
	var means []float64
	for _, text := range texts {
		means = append(means, text.Mean)
	}
	n := float64(len(texts))
	mean, between := elementary.Sum(means)/n, variance(means)
	for _, text := range texts {
		square := float64((text.Mean - mean) * (text.Mean - mean))
		pseudoValue := between
		if n > 2 {
			betweenOthers := (float64((n-1)*between) - float64(square*n)/(n-1)) / (n - 2) // without this text
			pseudoValue = float64(n*between) - float64((n-1)*betweenOthers)
		}
		pseudoValues = append(pseudoValues, text.CentralSquare+pseudoValue)
	}
	return pseudoValues
}

// exponentPseudoValues returns the jackknife pseudo-values, one per text, of the exponent p in E
// (q·k)² = v_q·v_k·d_k^{2p}, where v_q and v_k are mean squares of components over all texts. p is
// 1/2 for independent components of mean 0, and 1 if all vectors have one direction.
func exponentPseudoValues(texts []HeadText) (pseudoValues []float64) {
	n := len(texts)
	exponentWithout := func(omitted int) float64 { // −1 omits no text
		var scores, queries, keys float64
		for t, text := range texts {
			if t != omitted || n == 1 {
				scores += float64(text.RelativeSquare * text.QuerySquare * text.KeySquare)
				queries += text.QuerySquare
				keys += text.KeySquare
			}
		}
		count := float64(max(1, n-1))
		if omitted < 0 {
			count = float64(n)
		}
		return elementary.Log(scores*count/float64(queries*keys)) / exponentBase(texts[0].Dimension)
	}
	overall := exponentWithout(-1)
	for t := range texts {
		pseudoValues = append(pseudoValues, float64(float64(n)*overall)-float64(float64(n-1)*exponentWithout(t)))
	}
	return pseudoValues
}

// WarnDependence adds a warning if rows depend on each other so much that errors are not known.
// Callers that print Dependence do not need it.
func (s *Summary) WarnDependence() {
	if s.lacksErrors() {
		s.Warnings = append(s.Warnings, strings.TrimSuffix(s.describeDependence(), "."))
	}
}

// lacksErrors reports whether rows depend on each other so much that errors are not known.
func (s Summary) lacksErrors() bool { return s.neighbourZ > 0 && !s.Overall.Variance.SE.Present() }

// describeDependence says what the errors assume.
func (s Summary) describeDependence() string {
	count := fmt.Sprintf("about %.0f", float64(s.EffectiveRows))
	if s.EffectiveRows < 2 {
		count = "fewer than 2"
	}
	size := fmt.Sprintf("%d rows are worth %s independent ones", max(s.Queries, s.Keys), count)
	switch {
	case s.lacksErrors():
		return fmt.Sprintf("Rows are alike: %s. These are too few for the errors to be known. Save longer texts, or "+
			"several, one after the other on the first axis.", size)
	case s.neighbourZ > 0:
		return fmt.Sprintf("Rows are alike: %s. Errors are those of batches of rows that follow each other.", size)
	case s.Blocks > 0:
		return fmt.Sprintf("Errors are Student's, from the scatter between %d texts, or blocks of rows, so rows "+
			"of one may depend on each other.", s.Blocks)
	}
	return "Errors take rows for independent: neighbours are not seen to be alike. They say nothing about other " +
		"texts: save several, one after the other on the first axis."
}
