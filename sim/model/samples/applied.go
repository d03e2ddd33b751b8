package samples

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/result"
)

// sure is how many standard errors decide, and surest how many where the worst of many counts.
const (
	sure   = 4
	surest = 6
)

// tiny takes the place of a length of 0, of which there is no logarithm.
const tiny = 1e-300

// within judges a factor with its error against the scale.
func within(factor, se, scale float64) result.Verdict {
	off, allowed := math.Abs(factor-scale), scalefit.Exactness*math.Abs(scale)
	switch {
	case off+float64(sure*se) <= allowed:
		return result.Pass
	case off-float64(sure*se) > allowed:
		return result.Fail
	}
	return result.Undecided
}

// conclude sets the verdict, and says why after what is said already.
func conclude(a *inspect.Applied, v result.Verdict, format string, args ...any) {
	a.Verdict, a.Looks = v, joinPhrases(a.Looks, fmt.Sprintf(format, args...))
}

// judge judges what the logits, or weights, of all heads show; nil if there are none.
func (o *observed) judge() (*inspect.Applied, error) {
	if !o.Logits && !o.Weights {
		return nil, nil
	}
	a, err := o.judgeFits()
	if err != nil {
		return nil, err
	}
	return o.judgeWeights(a)
}

// roughness is the part of the variance of logits that rounding leaves at most.
const roughness = 1e-3

// judgeFits judges the factor: whether there is one, and whether it is the scale.
func (o *observed) judgeFits() (*inspect.Applied, error) {
	a, f := &inspect.Applied{From: "logits", Scale: result.Number(o.options.Scale)}, o.logits
	if !o.Logits || o.byWeights {
		a.From, f = "weights", o.weights
	}
	a.Masked, a.Pairs = f.masked, f.pairs
	a.Factor, a.SE, a.Correlation = result.Absent(), result.Absent(), result.Absent()
	all := f.all()
	if all.Known() {
		a.Factor, a.SE = result.Number(all.Slope()), result.Number(all.SE())
		a.Correlation = result.Number(math.Copysign(math.Sqrt(1-all.Rest()/all.YY), all.Slope()))
	}
	o.judgeZeros(a, f, all)
	if a.Verdict != "" {
		return a, nil
	}
	err := o.judgeShape(a, f)
	if err != nil || a.Verdict != "" { // there is no one factor
		a.SE = result.Absent()
		return a, err
	}
	verdict := within(all.Slope(), all.SE(), o.options.Scale)
	if rest := all.Rest() / all.YY; rest > roughness || rest > roughness/100 && verdict == result.Undecided {
		return a, o.judgeBiased(a, f)
	}
	o.judgeFactor(a, all.Slope(), all.SE(), verdict)
	return a, nil
}

// judgeZeros concludes if logits are 0, or −∞, that should not be, or if too few are left.
func (o *observed) judgeZeros(a *inspect.Applied, f *fits, all scalefit.Line) {
	used := f.zeros + int(all.Free+all.Rows)
	zeros := float64(f.zeros) / float64(max(1, used))
	mean := f.squares / float64(max(1, used-f.zeros))
	const many = 0.005 // of the logits
	// Logits that are rounded to 0 have small scores.
	unexplained := f.zeros > 8 && zeros > many && f.zeroSquares/float64(max(1, f.zeros)) > mean/4
	switch {
	case f.overflowed > 0 && f.overflowed == f.infinite:
		conclude(a, result.Fail, "%s %s −∞ where q·k is below −%d, the least of float16: multiply q by the scale before the "+
			"product", plural(f.overflowed, "logit"), isOrAre(f.overflowed), maxHalf)
	case unexplained && f.ahead == f.zeros:
		conclude(a, result.Fail, "the logits of keys behind their query are 0, not −∞, so that softmax gives them weight")
	case unexplained && zeros == 1:
		conclude(a, result.Fail, "all logits are 0")
	case unexplained && all.Known() && within(all.Slope()*(1-zeros)/o.options.Scale, 0.01, 1) != result.Fail:
		conclude(a, result.Fail, "%.2g %% of the logits are exactly 0: dropout on the logits, which scales the others by %.4g",
			100*zeros, 1/(1-zeros))
	case unexplained:
		conclude(a, result.Fail, "%.2g %% of the logits are exactly 0 where q·k is not: a mask that multiplies, or dropout",
			100*zeros)
	case !all.Known():
		conclude(a, result.Undecided, "too few pairs: %d of %d are left without those that are masked, or "+
			"alike in their row, and three more than rows are needed", f.pairs-f.masked, f.pairs)
	}
}

// judgeFactor judges one factor.
func (o *observed) judgeFactor(a *inspect.Applied, factor, se float64, verdict result.Verdict) {
	switch verdict {
	case result.Pass:
		a.Verdict = verdict
	case result.Fail:
		conclude(a, verdict, "%s", scalefit.Name(factor, se, o.options.Scale, o.shape()))
	default:
		conclude(a, verdict, "too few pairs for their precision: the factor is known to %.2g %% only, and must be right "+
			"to %g %%; save more rows, or logits in float32", 100*sure*se/math.Abs(o.options.Scale), 100*scalefit.Exactness)
	}
}

// shape is what numbers may refer to.
func (s *Samples) shape() scalefit.Layer {
	l := s.layers[0]
	return scalefit.Layer{Dimension: s.Dimension, Heads: l.query.heads, KeyHeads: l.key.heads, Keys: s.Keys}
}

// judgeShape concludes if the factor is not one number.
func (o *observed) judgeShape(a *inspect.Applied, f *fits) error {
	all := f.all()
	perHead, perText, perPlace := restOf(f.heads), restOf(f.texts), restOf(f.positions[:])
	perLog, bent := 0.0, 0.0 // what is left
	for _, h := range f.heads {
		rest, _, _ := h.WithLog()
		perLog += rest
		rest, _ = h.WithCubes()
		bent += rest
	}
	heads, texts, places := float64(len(f.heads)), float64(len(f.texts)), float64(len(f.positions))
	// explains reports whether so many numbers more take away a good part of what is left, and clearly
	// more than chance does by the F-statistic.
	explains := func(after, before, more float64) bool {
		const part, clearly = 0.3, 25
		gain, chance := (before-after)/more, after/max(1, all.Free-heads-more)
		return before-after > part*before && gain > clearly*chance
	}
	// accounts reports whether one explanation does nearly as well as another of more numbers.
	accounts := func(rest, other float64) bool { return all.Rest()-rest > 0.95*(all.Rest()-other) }
	// Products of numbers with 11 bits, as of TF32, are rounded by 2⁻¹² of their size, and a few large
	// logits may make up most of all.
	half := math.Ldexp(1, -min(max(minDigits, f.digits), 12))
	material := float64(half * half * all.YY)
	switch {
	case perHead > material && explains(perLog, perHead, heads) && accounts(perLog, min(bent, perPlace)):
		o.sayLog(a, all)
	case perHead > material && explains(bent, perHead, heads) && accounts(bent, perPlace):
		return o.sayCap(a, all)
	case explains(perHead, all.Rest(), heads) && accounts(perHead, min(perText, perPlace)):
		o.sayHeads(a, f)
	case explains(perText, all.Rest(), texts) && accounts(perText, perPlace):
		o.sayParts(a, f.texts, "text", func(i int) string { return fmt.Sprintf("text %d", i) })
	case perHead > material && explains(perPlace, all.Rest(), places):
		o.sayParts(a, f.positions[:], "row", func(i int) string {
			return fmt.Sprintf("query %d", (i*o.Queries+len(f.positions)-1)/len(f.positions))
		})
	}
	if a.Verdict == "" && all.Rest() <= roughness*all.YY { // one of many may be wrong
		o.sayHeads(a, f)
	}
	return nil
}

// sayLog says that the factor grows with the logarithm of the number of keys.
func (o *observed) sayLog(a *inspect.Applied, all scalefit.Line) {
	_, constant, perLog := all.WithLog()
	factor := fmt.Sprintf("s·ln n times the scale, s = %.4g, as in scalable softmax (SSMax)", perLog/o.options.Scale)
	if math.Abs(constant) > 0.05*math.Abs(all.Slope()) {
		factor = fmt.Sprintf("%.4g + %.4g·ln n", constant, perLog)
	}
	conclude(a, result.Fail, "the factor depends on the row: it is %s; n is how many keys a row sees", factor)
}

// sayCap says that logits bend, and where they end if they do.
func (o *observed) sayCap(a *inspect.Applied, all scalefit.Line) error {
	if _, bend := all.WithCubes(); bend*all.Slope() > 0 {
		conclude(a, result.Fail, "the logits are not a multiple of q·k: they grow faster where |q·k| is large")
		return nil
	}
	limit, factor, size, err := o.findCap(o.places()[0])
	largest := math.Abs(factor * size / limit)
	if err != nil || 1-elementary.Tanh(largest)/largest < scalefit.Exactness {
		return err
	}
	conclude(a, result.Fail, "a soft cap of about %.3g: the logits are c·tanh(f·q·k/c), with f = %.4g", limit, factor)
	if math.Abs(factor/o.options.Scale-1) > 10*scalefit.Exactness {
		conclude(a, result.Fail, "as to f, %s", scalefit.Name(factor, scalefit.Exactness*factor, o.options.Scale, o.shape()))
	}
	return nil
}

// sayHeads says which heads have another factor, if that is sure.
func (o *observed) sayHeads(a *inspect.Applied, f *fits) {
	places := o.places()
	o.sayParts(a, f.heads, "head", func(i int) string {
		_, title, _ := strings.Cut(places[i].title(), ", ")
		return title
	})
}

// sayParts says which parts have another factor, if that is sure.
func (o *observed) sayParts(a *inspect.Applied, lines []scalefit.Line, part string, title func(int) string) {
	var factors []float64
	var known []int
	for i, l := range lines {
		if l.Free >= minComparable && l.Rest() < l.YY/2 {
			factors, known = append(factors, l.Slope()), append(known, i)
		}
	}
	if len(known) < 2 {
		return
	}
	usual := slices.Sorted(slices.Values(factors))[(len(factors)-1)/2]
	var others []string
	first := usual
	for i, number := range known {
		if math.Abs(factors[i]-usual) > float64(surest*lines[number].SE())+float64(5*scalefit.Exactness*math.Abs(usual)) {
			if len(others) == 0 {
				first = factors[i]
			}
			others = append(others, title(number))
		}
	}
	switch n := len(others); {
	case n == 0:
		return
	case n > len(known)/2:
		conclude(a, result.Fail, "the factor differs from %s to %s, from %.4g to %.4g", part, part,
			slices.Min(factors), slices.Max(factors))
		return
	case n > 1:
		others[0] += fmt.Sprintf(" (and %d more)", n-1)
	}
	conclude(a, result.Fail, "the factor differs from %s to %s: at %s it is %.4g, %.4g times that of most, %.4g", part, part,
		others[0], first, first/usual, usual)
	if within(usual, 0, o.options.Scale) == result.Fail {
		conclude(a, result.Fail, "%s", scalefit.Name(usual, scalefit.Exactness*usual/3, o.options.Scale, o.shape()))
	}
}

// minComparable is how many pairs, less one for each row, the error of a factor that is compared
// rests on at least.
const minComparable = 20

// judgeBiased judges logits of which q·k explains a part: what else is there?
func (o *observed) judgeBiased(a *inspect.Applied, f *fits) error {
	kind, without, err := o.findBias(f)
	if err != nil {
		return err
	}
	says := []func(*inspect.Applied) error{
		func(a *inspect.Applied) error { return o.sayKeys(a, f, kind) }, o.sayNorm, o.sayPartly}
	known := without != nil
	if known {
		f = without
		a.Looks = "a bias seems to be added, " + kind.Says
		says = []func(*inspect.Applied) error{func(a *inspect.Applied) error { return o.judgeShape(a, f) },
			func(a *inspect.Applied) error { return o.sayKeys(a, f, kind) }}
	}
	for _, say := range says {
		if err := say(a); err != nil || a.Verdict != "" {
			a.SE = result.Absent()
			return err
		}
	}
	all := f.all()
	a.Factor, a.SE = result.Number(all.Slope()), result.Number(all.SE())
	o.judgeBeside(a, all, known, all.Rest() <= max(f.rounding(), roughness/100*all.YY))
	return nil
}

// judgeBeside judges the factor beside what is known, or not known, to be added, of which no more
// than rounding may be left.
func (o *observed) judgeBeside(a *inspect.Applied, all scalefit.Line, known, rounded bool) {
	factor, se, scale := all.Slope(), all.SE(), o.options.Scale
	verdict, margin, off := within(factor, se, scale), 100*sure*se/math.Abs(scale), math.Abs(factor/scale-1)
	const near = 1 // percent
	// What is left may have as large a part that goes with q·k.
	doubtful := !rounded && off < math.Sqrt(all.Rest()/all.YY)
	what := a.Looks
	switch {
	case known && doubtful && all.Rest() > roughness*all.YY:
		what += ", and more is added to the logits, or the factor varies"
	case !known && rounded:
		what = "the logits have noise, such as rounding"
	case !known:
		what = "a bias, or noise, seems to be added (if q and k are those that are multiplied, after RoPE and every norm)"
	default:
		doubtful = false
	}
	switch {
	case math.Abs(factor) < 10*se:
		a.SE, a.Looks = result.Absent(), ""
		conclude(a, result.Undecided, "the logits are not a multiple of these q·k, there is no linear relation: save q and k "+
			"as they are multiplied, after RoPE and every norm, with their heads in the same order")
	case verdict == result.Undecided && rounded && 100*off <= margin && margin <= near:
		a.Verdict, a.Looks = result.Pass, fmt.Sprintf("%s, beside which the factor is known to %.2g %% only", what, margin)
	case verdict == result.Undecided || doubtful:
		a.Verdict, a.Looks = result.Undecided, fmt.Sprintf("%s; it is too large to tell the factor, which is about %.4g: save "+
			"logits without it, or more texts with the same bias", what, factor)
	default:
		a.Looks = what
		o.judgeFactor(a, factor, se, verdict)
	}
}

// sayNorm says whether logits are a multiple of the cosine, as if queries and keys were normalised
// after they were saved, or of q·k though they should be normalised.
func (o *observed) sayNorm(a *inspect.Applied) error {
	p, other := o.places()[0], o.options
	other.Length = 1
	if o.options.Length > 0 {
		other.Length = 0
	}
	rows, err := o.study(p, p.keyHead(), other)
	f := scalefit.ByRow(rows)
	switch {
	case !f.Known() || f.Rest() >= 1e-3*f.YY:
	case other.Length == 0:
		conclude(a, result.Fail, "the logits are %.4g times q·k as it is: the norm of --scale is not applied", f.Slope())
	default:
		scale := fmt.Sprintf("\"cosine(%.4g)\"", f.Slope())
		if math.Abs(float64(f.Slope()/math.Sqrt(float64(o.Dimension))-1)) < scalefit.Exactness {
			scale = "qk-norm"
		}
		conclude(a, result.Undecided, "the logits are %.4g times the cosine of q and k, not q·k: a norm stands between; save q "+
			"and k after it, or say --scale %s", f.Slope(), scale)
	}
	return err
}

// sayPartly says whether the factor depends on queries and keys, so that what is beside it is no
// bias. The factor of a head does not matter.
func (o *observed) sayPartly(a *inspect.Applied) error {
	var all []scalefit.Row
	for _, p := range o.places()[:min(maxStudiedHeads, o.Heads)] {
		rows, err := o.study(p, p.keyHead(), o.options)
		if err != nil {
			return err
		}
		f := scalefit.ByRow(rows)
		if !f.Known() || math.Abs(f.Slope()) < 10*f.SE() {
			continue
		}
		for _, r := range rows {
			for i := range r.Y {
				r.Y[i] /= f.Slope()
			}
			all = append(all, r)
		}
	}
	switch {
	case scalefit.Depends(all, func(r scalefit.Row, key int) int { return bits.Len(uint(max(key-r.Query, r.Query-key))) }):
		conclude(a, result.Undecided, "the factor depends on the distance of query and key: save q and k after their "+
			"positions (RoPE), as they are multiplied")
	case scalefit.Depends(all, func(r scalefit.Row, _ int) int { return int(8 * elementary.Log(max(r.Size, tiny))) }):
		conclude(a, result.Undecided, "the factor depends on the length of the query: save q and k after every norm, as they "+
			"are multiplied")
	}
	return nil
}

// sayKeys says whether logits of heads that their keys do not explain go with keys of other heads.
func (o *observed) sayKeys(a *inspect.Applied, f *fits, b scalefit.Bias) error {
	var swapped []string
	inTurns, asked := true, 0
	for i, p := range o.places()[:o.Heads] {
		if h := f.heads[i]; !h.Known() || h.Rest() <= h.YY/2 || asked == maxStudiedHeads {
			continue
		}
		asked++
		k, square, err := o.findKeys(p, b)
		if err != nil {
			return err
		}
		if square < 0.9 || k == p.keyHead() {
			continue
		}
		inTurns = inTurns && k == p.headInLayer()%p.layer.key.heads
		_, title, _ := strings.Cut(p.title(), ", ")
		swapped = append(swapped, fmt.Sprintf("%s uses the keys of head %d, not %d", title, k, p.keyHead()))
	}
	l := o.shape()
	switch {
	case len(swapped) == 0:
	case inTurns && len(swapped) > 1 && l.KeyHeads < l.Heads:
		conclude(a, result.Fail, "keys go to the wrong heads: head h uses the keys of head h %% %d, where neighbouring heads "+
			"share them: h // %d (repeat_interleave, not repeat)", l.KeyHeads, l.Heads/l.KeyHeads)
	default:
		conclude(a, result.Fail, "keys go to the wrong heads: %s", strings.Join(swapped[:min(3, len(swapped))], ", "))
	}
	return nil
}
