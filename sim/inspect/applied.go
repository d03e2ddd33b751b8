package inspect

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"mcsim/sim/elementary"
	"mcsim/sim/result"
)

// Applied is the factor that a model multiplies q·k by, as its logits, or weights, show.
type Applied struct {
	Factor      result.Number  `json:"factor"`
	SE          result.Number  `json:"factor_se"`   // of rounding, and of what else the logits have; absent if it varies
	Scale       result.Number  `json:"scale"`       // what it should be
	Correlation result.Number  `json:"correlation"` // of logits with q·k within rows
	Verdict     result.Verdict `json:"verdict"`
	Looks       string         `json:"looks_like,omitempty"` // which mistake, or why nothing is decided
	From        string         `json:"from"`                 // logits or weights
	Masked      int            `json:"masked_pairs"`         // that are left out, or of weight 0
	Pairs       int            `json:"pairs"`                // of all
}

// Exactness is how far a factor may be from the scale, as a part of it: bfloat16 rounds by up
// to four times as much.
const Exactness = 0.001

// sure is how many standard errors decide, and surest how many where the worst of many counts.
const (
	sure   = 4
	surest = 6
)

// within judges a factor with its error against the scale.
func within(factor, se, scale float64) result.Verdict {
	off, allowed := math.Abs(factor-scale), Exactness*math.Abs(scale)
	switch {
	case off+float64(sure*se) <= allowed:
		return result.Pass
	case off-float64(sure*se) > allowed:
		return result.Fail
	}
	return result.Undecided
}

// conclude sets the verdict, and adds why.
func (a *Applied) conclude(v result.Verdict, format string, args ...any) {
	a.Verdict = v
	if format != "" {
		a.add(format, args...)
	}
}

// add adds a phrase to what the logits look like.
func (a *Applied) add(format string, args ...any) {
	if a.Looks != "" {
		a.Looks += "; "
	}
	a.Looks += fmt.Sprintf(format, args...)
}

// judge judges what the logits, or weights, of all heads show; nil if there are none.
func (o *observed) judge() (*Applied, error) {
	a := &Applied{From: "logits", Scale: result.Number(o.options.Scale)}
	f := o.logits
	switch {
	case !o.Logits && !o.Weights:
		return nil, nil
	case !o.Logits:
		a.From, f = "weights", o.weights
	}
	a.Masked, a.Pairs = f.masked, f.pairs
	if err := o.judgeFits(a, f); err != nil {
		return nil, err
	}
	return a, o.judgeWeights(a)
}

// judgeFits judges the factor: whether there is one, and whether it is the scale.
func (o *observed) judgeFits(a *Applied, f *fits) error {
	var all fit
	for _, h := range f.heads {
		all.join(h)
	}
	a.Factor, a.SE, a.Correlation = result.Absent(), result.Absent(), result.Absent()
	if used := f.zeros + int(all.free+all.rows); f.zeros > 8 && f.zeros > used/200 {
		o.judgeZeros(a, f, float64(f.zeros)/float64(used))
	} else if !all.known() {
		a.conclude(result.Undecided, "too few pairs: %d of %d are masked, or alike in their row", f.masked, f.pairs)
		return nil
	}
	a.Factor, a.SE = result.Number(all.slope()), result.Number(all.se())
	a.Correlation = result.Number(math.Copysign(math.Sqrt(1-all.rest()/all.yy), all.slope()))
	if a.Verdict != "" {
		return nil
	}
	done, err := o.judgeShape(a, f, all)
	if done || err != nil {
		return err
	}
	factor, se := all.slope(), all.se()
	const noise = 1e-5 // of the variance of logits: more than rounding leaves
	verdict := within(factor, se, o.options.Scale)
	if rest := all.rest() / all.yy; rest > 100*noise || rest > noise && verdict == result.Undecided {
		return o.judgeBiased(a, all)
	}
	o.judgeFactor(a, factor, se, verdict)
	return nil
}

// judgeFactor judges one factor.
func (o *observed) judgeFactor(a *Applied, factor, se float64, verdict result.Verdict) {
	switch verdict {
	case result.Pass:
		a.conclude(verdict, "")
	case result.Fail:
		a.conclude(verdict, "%s", nameFactor(factor, se, o.options.Scale, o.shape()))
	default:
		a.conclude(verdict, "too few pairs: the factor is known to %.2g %% only, and must be right to %g %%",
			100*sure*se/math.Abs(o.options.Scale), 100*Exactness)
	}
}

// shape is what numbers may refer to.
func (s *Samples) shape() layer {
	l := s.layers[0]
	return layer{s.Dimension, l.query.heads, l.key.heads, s.Keys}
}

// judgeZeros explains logits that are 0.
func (o *observed) judgeZeros(a *Applied, f *fits, share float64) {
	if f.ahead == f.zeros {
		a.conclude(result.Fail, "the logits of keys behind their query are 0, not −∞, so that softmax gives them weight")
		return
	}
	a.conclude(result.Fail, "%.2g %% of the logits are exactly 0: dropout on the logits, which scales the others by %.4g",
		100*share, 1/(1-share))
}

// judgeShape looks for a factor that is not one number, and reports whether it is done.
func (o *observed) judgeShape(a *Applied, f *fits, all fit) (done bool, err error) {
	var perHead, perPlace, perLog, bent float64 // what is left
	for _, h := range f.heads {
		perHead += h.rest()
		rest, _, _ := h.withLog()
		perLog += rest
		rest, _ = h.withCubes()
		bent += rest
	}
	for _, p := range f.positions {
		perPlace += p.rest()
	}
	const much = 0.3 // of what a factor for each head leaves, or one for all
	explains := func(after, before float64) bool { return after < (1-much)*before }
	material := func(rest float64) bool { return rest > Exactness*Exactness*all.yy } // off by the exactness, on average
	switch {
	case material(perHead) && explains(perLog, perHead) && perLog <= min(bent, perPlace):
		o.sayLog(a, f)
	case material(perHead) && explains(bent, perHead) && bent <= perPlace:
		err = o.sayCap(a, f)
	case material(all.rest()) && explains(perHead, all.rest()) && perHead <= perPlace && o.sayHeads(a, f):
	case material(perHead) && explains(perPlace, all.rest()) && sayPlaces(a, f, o.Queries):
	default:
		return false, nil
	}
	if a.Verdict == "" {
		return false, err
	}
	a.SE = result.Absent()
	return true, err
}

// sayLog says that the factor grows with the logarithm of the number of keys.
func (o *observed) sayLog(a *Applied, f *fits) {
	var all fit
	for _, h := range f.heads {
		all.join(h)
	}
	_, constant, perLog := all.withLog()
	s := perLog / o.options.Scale
	if math.Abs(constant) < 0.05*math.Abs(all.slope()) {
		a.conclude(result.Fail, "the factor depends on the row: it is s·ln n times the scale, s = %.4g and n the keys that a row "+
			"sees, as in scalable softmax (SSMax)", s)
		return
	}
	a.conclude(result.Fail, "the factor depends on the row: it is %.4g + %.4g·ln n times the scale, n being the keys that a "+
		"row sees", constant/o.options.Scale, s)
}

// sayCap says that logits bend, and where they end if they do.
func (o *observed) sayCap(a *Applied, f *fits) error {
	head, worst := 0, 0.0
	for i, h := range f.heads {
		if rest, _ := h.withCubes(); h.rest()-rest > worst {
			head, worst = i, h.rest()-rest
		}
	}
	p := o.places()[head]
	if _, bend := f.heads[head].withCubes(); bend*f.heads[head].slope() > 0 {
		a.conclude(result.Fail, "the logits are not a multiple of q·k: they grow faster where |q·k| is large")
		return nil
	}
	limit, factor, err := o.findCap(p)
	if err != nil {
		return err
	}
	a.conclude(result.Fail, "a soft cap of about %.3g: the logits are c·tanh(f·q·k/c), with f = %.4g", limit, factor)
	if off := math.Abs(factor/o.options.Scale - 1); off > 10*Exactness {
		a.add("f is %s", strings.TrimPrefix(nameFactor(factor, Exactness*factor, o.options.Scale, o.shape()), "that is "))
	}
	return nil
}

// sayHeads says which heads have another factor, if that is sure.
func (o *observed) sayHeads(a *Applied, f *fits) bool {
	var known []int
	var factors []float64
	for i, h := range f.heads {
		if h.known() && h.rest() < h.yy/2 {
			known, factors = append(known, i), append(factors, h.slope())
		}
	}
	if len(known) < 2 {
		return false
	}
	usual := slices.Sorted(slices.Values(factors))[(len(factors)-1)/2]
	var others []int
	for i, h := range known {
		if math.Abs(factors[i]-usual) > float64(surest*f.heads[h].se())+float64(Exactness*math.Abs(usual)) {
			others = append(others, i)
		}
	}
	switch places := o.places(); {
	case len(others) == 0:
		return false
	case len(others) > len(known)/2 || len(others) > 2 && !sameLayer(places, known, others):
		a.conclude(result.Fail, "the factor differs from head to head, from %.4g to %.4g",
			slices.Min(factors), slices.Max(factors))
		return true
	default:
		var titles []string
		for _, i := range others[:min(2, len(others))] {
			_, title, _ := strings.Cut(places[known[i]].title(), ", ")
			titles = append(titles, title)
		}
		if len(others) > 2 {
			titles = []string{titles[0], fmt.Sprintf("%d more", len(others)-1)}
		}
		first := factors[others[0]]
		a.conclude(result.Fail, "the factor differs from head to head: at %s it is %.4g, which is %.4g times that of most, %.4g",
			strings.Join(titles, " and "), first, first/usual, usual)
	}
	if within(usual, 0, o.options.Scale) == result.Fail {
		a.add("%s", nameFactor(usual, Exactness*usual/3, o.options.Scale, o.shape()))
	}
	return true
}

// sameLayer reports whether the given ones among heads are of one layer.
func sameLayer(places []place, heads, chosen []int) bool {
	for _, i := range chosen {
		if places[heads[i]].layer != places[heads[chosen[0]]].layer {
			return false
		}
	}
	return true
}

// sayPlaces says between which rows the factor differs, if that is sure.
func sayPlaces(a *Applied, f *fits, queries int) bool {
	lowest, highest := -1, -1
	for i, p := range f.positions {
		if !p.known() {
			continue
		}
		if lowest < 0 || p.slope() < f.positions[lowest].slope() {
			lowest = i
		}
		if highest < 0 || p.slope() > f.positions[highest].slope() {
			highest = i
		}
	}
	if lowest < 0 {
		return false
	}
	lo, hi := f.positions[lowest], f.positions[highest]
	if hi.slope()-lo.slope() < surest*math.Hypot(lo.se(), hi.se()) {
		return false
	}
	row := func(i int) int { return (i*queries + len(f.positions) - 1) / len(f.positions) }
	a.conclude(result.Fail, "the factor depends on the row: it is %.4g at query %d and %.4g at query %d, as if queries were "+
		"scaled by their position", lo.slope(), row(lowest), hi.slope(), row(highest))
	return true
}

// judgeBiased judges logits of which q·k explains a part: what else is there?
func (o *observed) judgeBiased(a *Applied, all fit) error {
	scale := o.options.Scale
	if all.rest() > all.yy/2 {
		if done, err := o.sayKeys(a); done || err != nil {
			return err
		}
	}
	if done, err := o.sayNorm(a); done || err != nil {
		return err
	}
	b, err := o.findBias()
	if err != nil {
		return err
	}
	factor, se := all.slope(), all.se()
	kind := "a bias, or noise, seems to be added"
	const most = 0.9 // of what the line leaves
	if b.explained > most {
		factor, se, kind = b.factor, b.se, "a bias seems to be added, "+b.says
		a.Factor, a.SE = result.Number(factor), result.Number(se)
	}
	if clear := 10 * se; math.Abs(factor) < clear {
		a.SE = result.Absent()
		a.conclude(result.Undecided, "the logits are not a multiple of these q·k, there is no linear relation: save q and k as "+
			"they are multiplied, after RoPE and every norm, with their heads in the same order")
		return nil
	}
	if done, err := o.sayPartly(a); b.explained <= most && (done || err != nil) {
		return err
	}
	verdict := within(factor, se, scale)
	const close = 0.1 // of the scale
	if off := math.Abs(factor - scale); verdict == result.Undecided && off <= sure*se && sure*se <= close*math.Abs(scale) {
		a.conclude(result.Pass, "%s, beside which the factor is known to %.2g %% only", kind,
			100*sure*se/math.Abs(scale))
		return nil
	}
	a.add("%s", kind)
	if verdict == result.Undecided {
		a.conclude(verdict, "it is too large to tell the factor, which is known to %.2g %%: save logits without it",
			100*sure*se/math.Abs(scale))
		return nil
	}
	o.judgeFactor(a, factor, se, verdict)
	return nil
}

// sayNorm says whether logits are a multiple of the cosine, as if queries and keys were normalised
// after they were saved.
func (o *observed) sayNorm(a *Applied) (done bool, err error) {
	p, unit := o.places()[0], o.options
	unit.Length = 1
	pairs, err := o.study(p, p.keyHead(), unit)
	if err != nil || o.options.Length > 0 {
		return false, err
	}
	f := byRow(pairs)
	if !f.known() || f.rest() > 1e-3*f.yy {
		return false, nil
	}
	a.SE = result.Absent()
	a.conclude(result.Undecided, "the logits are %.4g times the cosine of q and k, not q·k: a norm stands between; save q and k "+
		"after it, or say --scale qk-norm, or --scale \"cosine(%.4g)\"", f.slope(), f.slope())
	return true, nil
}

// sayPartly says whether what is beside q·k times a factor depends on queries and keys, so that it is no bias.
func (o *observed) sayPartly(a *Applied) (done bool, err error) {
	for _, p := range o.places()[:min(4, o.Heads)] {
		pairs, err := o.study(p, p.keyHead(), o.options)
		if err != nil {
			return false, err
		}
		switch {
		case depends(pairs, func(p studied) int { return bits.Len(uint(max(p.key-p.query, p.query-p.key))) }):
			a.conclude(result.Undecided, "the factor depends on the distance of query and key: save q and k after their positions "+
				"(RoPE), as they are multiplied")
		case depends(pairs, func(p studied) int { return int(8 * elementary.Log(max(p.size, tiny))) }):
			a.conclude(result.Undecided, "the factor depends on the length of the query: save q and k after every norm, as they are "+
				"multiplied")
		default:
			continue
		}
		a.SE = result.Absent()
		return true, nil
	}
	return false, nil
}

// sayKeys says whether logits go with keys of other heads.
func (o *observed) sayKeys(a *Applied) (done bool, err error) {
	var swapped []string
	everyKind, count := true, 0
	for _, p := range o.places()[:min(maxStudiedHeads, o.Heads)] {
		k, fit, err := o.findKeys(p)
		if err != nil {
			return false, err
		}
		if fit < 0.9 {
			continue
		}
		count++
		if k != p.keyHead() {
			swapped = append(swapped, fmt.Sprintf("head %d uses the keys of head %d, not %d", p.own(), k, p.keyHead()))
		}
		everyKind = everyKind && k == p.own()%p.layer.key.heads
	}
	switch shared := o.layers[0].key.heads; {
	case len(swapped) == 0:
		return false, nil
	case everyKind && count > 1:
		a.conclude(result.Fail, "keys go to the wrong heads: head h uses the keys of head h %% %d, where neighbouring heads share "+
			"them: h // %d (repeat_interleave, not repeat)", shared, o.layers[0].query.heads/shared)
	default:
		a.conclude(result.Fail, "keys go to the wrong heads: %s", strings.Join(swapped[:min(3, len(swapped))], ", "))
	}
	a.Factor, a.SE = result.Absent(), result.Absent()
	return true, nil
}
