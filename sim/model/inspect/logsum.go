package inspect

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// LogSumHead has the estimates of one head from the log-sum-exps L = ln Σ exp(logit) of its rows.
type LogSumHead struct {
	Layer string `json:"layer,omitempty"`
	Head  int    `json:"head"`
	Texts int    `json:"texts"`
	Keys  int    `json:"keys"` // largest number of keys of a row
	// LogitSD is the standard deviation σ of the logits of a row, under the assumption that they
	// are normal with mean 0. Then E L is scalefit.ExpectedLogSum(n, σ), which is nearly ln n +
	// σ²/2 below √(2 ln n). It is absent if L is not above ln n, see Note.
	LogitSD Estimate `json:"logit_sd"`
	// The largest logit of a row of n keys is between L − ln n and L, whatever the distribution.
	// The bounds are the largest of these over the rows.
	MaxLogitLo    result.Number `json:"max_logit_lo"`
	MaxLogitHi    result.Number `json:"max_logit_hi"`
	EffectiveKeys Estimate      `json:"effective_keys"` // 1/E Σα² of normal logits with this standard deviation
	Label         string        `json:"label"`
	Note          string        `json:"note,omitempty"` // why LogitSD is absent
}

// Title returns the name of the head in messages.
func (h LogSumHead) Title() string { return Head{Layer: h.Layer, Head: h.Head}.Title() }

// minExcess is the smallest mean of L − ln n from which LogitSD is computed. The float32 of usual
// kernels does not resolve smaller ones.
const minExcess = 1e-5

// noExcessText explains why LogitSD is absent.
const noExcessText = "its mean log-sum-exp is not above ln n: logits are nearly 0, their mean is below 0, or n is wrong"

// EstimateLogSums estimates a head from the finite log-sum-exps of rows: texts × rows. keys[i] is
// the number of keys of row i, at least 1. If numbers of keys differ, as under a causal mask, only
// rows with at least half of the largest number are used for LogitSD. The errors are Student's,
// from the scatter between texts or, for one text, between sixteen batches of its rows; they then
// do not cover other keys. The error is absent if there is one text with fewer than 32 rows.
func EstimateLogSums(texts [][]float64, keys []int) LogSumHead {
	maxKeys, lo, hi := slices.Max(keys), math.Inf(-1), math.Inf(-1)
	var excesses [][]float64 // L − ln n of the used rows, for each text
	var used []int           // numbers of keys of the used rows
	for t, rows := range texts {
		excesses = append(excesses, nil)
		for i, sum := range rows {
			logKeys := elementary.Log(float64(keys[i]))
			lo, hi = max(lo, sum-logKeys), max(hi, sum)
			if 2*keys[i] >= maxKeys {
				excesses[t] = append(excesses[t], sum-logKeys)
				if t == 0 {
					used = append(used, keys[i])
				}
			}
		}
	}
	means := make([]float64, 0, len(texts))
	for _, xs := range excesses {
		means = append(means, elementary.Sum(xs)/float64(len(xs)))
	}
	const batches = 16
	if len(texts) == 1 && len(excesses[0]) >= 2*batches {
		means = batchMeans(excesses[0], batches)
	}
	mean := newStudentMean(means)
	h := LogSumHead{Texts: len(texts), Keys: maxKeys, MaxLogitLo: result.Number(lo), MaxLogitHi: result.Number(hi),
		LogitSD: undefined, EffectiveKeys: undefined}
	if mean.value >= minExcess {
		sigma, slope := scalefit.SolveLogSum(mean.value, used)
		se := mean.se / slope
		if len(means) < 2 {
			se = math.NaN()
		}
		h.LogitSD = meanEstimate{value: sigma, se: se, logSE: se / sigma, dof: mean.dof}.positiveEstimate()
		h.EffectiveKeys = h.LogitSD.effectiveNormalKeys(maxKeys)
	} else {
		h.Note, h.LogitSD.reason = noExcessText, noExcessText
	}
	limit := theory.FreezingSigma(maxKeys)
	switch {
	case float64(h.LogitSD.Hi) < limit:
		h.Label = names.LabelSpread
	case float64(h.LogitSD.Lo) > limit:
		h.Label = names.LabelConcentrated
	default:
		h.Label = names.LabelSpread + " or " + names.LabelConcentrated
	}
	return h
}

// effectiveNormalKeys returns the effective keys of rows of normal logits whose standard deviation
// is e.
func (e Estimate) effectiveNormalKeys(keys int) Estimate {
	f := func(sigma float64) float64 { return 1 / theory.NewSoftmax(keys, sigma).Collision }
	if !e.SE.Present() {
		estimate := undefined
		estimate.Value = result.Number(f(float64(e.Value)))
		return estimate
	}
	const relativeStep = 1e-3 // of the derivative
	sigma := float64(e.Value)
	slope := (f(sigma*(1-relativeStep)) - f(sigma*(1+relativeStep))) / (2 * relativeStep * sigma)
	n := e.applyDecreasing(f)
	n.SE *= result.Number(slope)
	return n
}

// SummariseLogSums joins the heads of a file. Only LogitSD and bounds of MaxLogit are known.
func SummariseLogSums(heads []LogSumHead) Summary {
	s := Summary{Texts: heads[0].Texts, Keys: heads[0].Keys, HeadCount: len(heads), Scale: result.Absent()}
	for _, h := range heads {
		bounds := undefined
		bounds.Value, bounds.Lo, bounds.Hi = (h.MaxLogitLo+h.MaxLogitHi)/2, h.MaxLogitLo, h.MaxLogitHi
		s.Heads = append(s.Heads, Head{Layer: h.Layer, Head: h.Head,
			Estimates: Estimates{LogitSD: h.LogitSD, MaxLogit: bounds, Exponent: undefined}})
	}
	return s
}
