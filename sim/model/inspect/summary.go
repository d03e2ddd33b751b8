package inspect

import (
	"fmt"
	"math"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
)

// Head is one head over all texts.
type Head struct {
	Layer string `json:"layer,omitempty"`
	Head  int    `json:"head"`
	Numbers
}

// Title names the head.
func (h Head) Title() string {
	switch {
	case h.Head < 0:
		return MeanOfHeads
	case h.Layer == "":
		return fmt.Sprintf("head %d", h.Head)
	}
	return fmt.Sprintf("layer %s, head %d", h.Layer, h.Head)
}

// First returns the effect of the scale that was asked for; of pairs it is absent.
func (h Head) First() Effect {
	if len(h.Effects) == 0 {
		return Effect{Effective: absent, PeakRatio: result.Absent(), Entropy: absent}
	}
	return h.Effects[0]
}

// Summary joins all heads and texts.
type Summary struct {
	Dimension int  `json:"d_k"`
	Queries   int  `json:"queries"` // of a part
	Keys      int  `json:"keys"`
	Texts     int  `json:"texts"`
	HeadCount int  `json:"heads"`
	Paired    bool `json:"paired"`
	// Blocks is the number of texts, or of batches of rows, that errors rest on; 0 if rows are taken for
	// independent.
	Blocks int     `json:"blocks"`
	All    Numbers `json:"all"`
	Heads  []Head  `json:"by_head,omitempty"`
	// HeadsSD is the standard deviation of the scaled variance over heads, and HeadsError the part of
	// it that errors of the heads give on average.
	HeadsSD    result.Number `json:"heads_sd,omitzero"`
	HeadsError result.Number `json:"heads_error,omitzero"`
	// EffectiveRows is the effective sample size of one text, if its rows depend on each other.
	EffectiveRows result.Number `json:"independent_rows,omitzero"`

	Scale      result.Number `json:"scale"`
	Subject    []string      `json:"subject,omitempty"` // sentences: which arrays are judged, and how they were read
	Caveats    []string      `json:"caveats,omitempty"` // phrases after the verdict, such as what was not checked
	Dependence string        `json:"dependence"`        // what the error assumes
	Warnings   []string      `json:"warnings,omitempty"`
	Notes      []string      `json:"notes,omitempty"` // what was taken for granted
	same       bool          // queries and keys are the same vectors in all parts
	neighbourZ float64       // standard errors of the correlation of neighbouring rows, if they are too many
	length     float64       // that rows were scaled to first, or 0
}

// Same reports whether queries and keys are the same vectors in all parts.
func (s Summary) Same() bool { return s.same }

// Summarise joins the parts of texts and heads: all heads of the first text, then of the next.
//
// The variance of a head is that over all pairs of its texts: of several texts the mean square
// about the mean of all, so that what a text adds to all its scores counts. The errors of several
// texts are Student's, by the scatter between texts; those of one are by what its rows add, which
// may depend on their neighbours. Heads are fixed: the error over all heads is that of other
// tokens.
func Summarise(parts []Part, heads int, o Options) Summary {
	count, first := len(parts)/heads, parts[0]
	s := Summary{Dimension: first.Dimension, Queries: first.Queries, Keys: first.Keys, Texts: count, HeadCount: heads,
		Paired: o.Paired, Scale: result.Number(o.Scale), length: o.Length}
	byHead, values, all := make([][]Part, heads), make([][][]float64, heads), make([][]terms, heads)
	for i, p := range parts {
		byHead[i%heads] = append(byHead[i%heads], p)
		s.same = (s.same || i == 0) && p.Same
	}
	for h, texts := range byHead {
		values[h], all[h] = columns(texts)
	}
	var size sampleSize
	if count == 1 {
		s.neighbourZ, size = effectiveSize(parts)
	}
	means := make([][]mean, heads+1) // columns of each head, and of all
	for c := range values[0] {
		var joined []mean
		if count > 1 {
			joined = meansOverTexts(column(values, c), o.Blocks)
		} else {
			joined = meansInText(column(values, c), column(all, c), size)
		}
		for h, m := range joined {
			means[h] = append(means[h], m)
		}
	}
	for _, m := range means {
		// p is a logarithm whose skewness its own numbers do not show; half of the variance's counts, by
		// simulation.
		m[columnExponent].se *= skewnessFactor(m[columnVariance].se / m[columnVariance].value / math.Sqrt2)
	}
	for h, texts := range byHead {
		s.Heads = append(s.Heads, Head{Head: h, Numbers: newNumbers(texts, means[h], o)})
	}
	s.All = newNumbers(parts, means[heads], o)
	switch {
	case count > 1:
		s.Blocks = int(means[heads][columnVariance].dof) + 1
	case s.neighbourZ > 0:
		s.EffectiveRows = result.Number(size.effective)
		s.Blocks = size.batching(len(all[0][columnVariance].queries)).count
	}
	s.setHeadsSD()
	s.Dependence = s.dependence()
	return s
}

// column returns column c of each head.
func column[T any](heads [][]T, c int) (all []T) {
	for _, columns := range heads {
		all = append(all, columns[c])
	}
	return all
}

// setHeadsSD sets how much heads differ.
func (s *Summary) setHeadsSD() {
	s.HeadsSD, s.HeadsError = result.Absent(), result.Absent()
	if len(s.Heads) < 2 {
		return
	}
	var scaled []float64
	square := 0.0
	for _, h := range s.Heads {
		scaled = append(scaled, float64(h.Scaled.Value))
		square += float64(h.Scaled.SE*h.Scaled.SE) / float64(len(s.Heads))
	}
	s.HeadsSD, s.HeadsError = result.Number(math.Sqrt(variance(scaled))), result.Number(math.Sqrt(square))
}

// effectiveSize returns the largest z of neighbouring rows of a text in its heads, 0 if it is not
// significant in any, and the effective sample size.
func effectiveSize(heads []Part) (z float64, size sampleSize) {
	lag1 := 0.0
	for _, p := range heads {
		lag1 += p.lag1 / float64(len(heads))
		if p.z > z && p.isSignificant(comparisons*len(heads)) {
			z = p.z
		}
	}
	rows := float64(max(heads[0].Queries, heads[0].Keys))
	if z == 0 {
		return 0, sampleSize{rows, rows}
	}
	return z, sampleSize{rows, rows * (1 - lag1) / (1 + lag1)}
}

// variances returns what each text adds to the variance of one head over all its texts: the mean square
// about its own mean, and, for the variance of these means, the jackknife's pseudo-value, of which
// the mean is that variance, unbiased.
func variances(texts []Part) (each []float64) {
	if len(texts) == 1 {
		return []float64{texts[0].Variance}
	}
	var means []float64
	for _, p := range texts {
		means = append(means, p.Mean)
	}
	n := float64(len(texts))
	mean, between := elementary.Sum(means)/n, variance(means)
	for _, p := range texts {
		square := float64((p.Mean - mean) * (p.Mean - mean))
		pseudo := between
		if n > 2 {
			without := (float64((n-1)*between) - float64(square*n)/(n-1)) / (n - 2)
			pseudo = float64(n*between) - float64((n-1)*without)
		}
		each = append(each, p.Spread+pseudo)
	}
	return each
}

// exponents returns what each text adds to p of E (q·k)² = v_q·v_k·d_k^{2p}, v being mean squares
// of components over all texts: the jackknife's pseudo-values. p is 1/2 if components are
// independent and of mean 0, and 1 if all vectors have one direction.
func exponents(texts []Part) (each []float64) {
	n := len(texts)
	without := func(omitted int) float64 {
		var scores, queries, keys float64
		for t, p := range texts {
			if t != omitted || n == 1 {
				scores += float64(p.Square * p.QuerySquare * p.KeySquare)
				queries += p.QuerySquare
				keys += p.KeySquare
			}
		}
		count := float64(max(1, n-1))
		if omitted < 0 {
			count = float64(n)
		}
		return elementary.Log(scores*count/float64(queries*keys)) / exponentBase(texts[0].Dimension)
	}
	whole := without(-1)
	for t := range texts {
		each = append(each, float64(float64(n)*whole)-float64(float64(n-1)*without(t)))
	}
	return each
}

// WarnDependence adds the dependence to the warnings if it hides the errors. It is for weights, whose
// Dependence is said by itself.
func (s *Summary) WarnDependence() {
	if s.lacksErrors() {
		s.Warnings = append(s.Warnings, strings.TrimSuffix(s.dependence(), "."))
	}
}

// lacksErrors reports whether rows depend on each other so much that their errors are not known.
func (s Summary) lacksErrors() bool { return s.neighbourZ > 0 && !s.All.Variance.SE.Present() }

// dependence says what errors rest on.
func (s Summary) dependence() string {
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
			"of one may "+
			"depend on each other.", s.Blocks)
	}
	return "Errors take rows for independent: neighbours are not seen to be alike. They say nothing about other " +
		"texts: " +
		"save several, one after the other on the first axis."
}
