package scalefit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVisible checks that VisibleKeys finds masks whatever number they add or fill in. It must not
// mistake logits for masked ones if they differ much only because of q·k.
func TestVisible(t *testing.T) {
	const keys, d = 64, 64
	r := rand.New(rand.NewPCG(71, 72))
	scores := make([]float64, keys)
	for j := range scores {
		scores[j] = 8 * r.NormFloat64()
	}
	sink := slices.Clone(scores)
	sink[0], sink[1] = 900, -4000
	seesAll := func(int) bool { return true }
	seesEarly := func(j int) bool { return j < 40 }
	for name, c := range map[string]struct {
		scores []float64
		logit  func(j int, score float64) float64
		sees   func(j int) bool
	}{
		"none":                   {scores, func(_ int, s float64) float64 { return s / 8 }, seesAll},
		"sinks":                  {sink, func(_ int, s float64) float64 { return s / 8 }, seesAll},
		"sinks, no scale":        {sink, func(_ int, s float64) float64 { return s }, seesAll},
		"sinks, rounded":         {sink, func(_ int, s float64) float64 { return math.Round(s) / 8 }, seesAll},
		"sinks, multiplied":      {sink, func(_ int, s float64) float64 { return 8 * s }, seesAll},
		"ALiBi":                  {scores, func(j int, s float64) float64 { return s/8 - float64(j) }, seesAll},
		"soft cap":               {sink, func(_ int, s float64) float64 { return 20 * math.Tanh(s/160) }, seesAll},
		"added −100":             {scores, func(j int, s float64) float64 { return s/8 - 100*step(j, 40) }, seesEarly},
		"added −30":              {scores, func(j int, s float64) float64 { return s/8 - 30*step(j, 40) }, seesEarly},
		"added −65504, no scale": {scores, func(j int, s float64) float64 { return s - 65504*step(j, 40) }, seesEarly},
		"two masks added": {scores, func(j int, s float64) float64 {
			return s - 1e4*step(j, 40) - 1e4*step(j, 50)
		}, seesEarly},
		"filled, with sinks": {sink, func(j int, s float64) float64 { return s/8*(1-step(j, 40)) - 1e4*step(j, 40) },
			seesEarly},
		"−∞": {scores, func(j int, s float64) float64 { return s/8 - math.Inf(1)*step(j, 40) }, seesEarly},
		"one key seen": {scores, func(j int, s float64) float64 { return s/8 - 1e9*step(j, 1) },
			func(j int) bool { return j < 1 }},
		"ALiBi and a mask": {scores, func(j int, s float64) float64 {
			return s/8 - float64(j)/4 - 1e4*step(j, 40)
		}, seesEarly},
		"all filled, such as a pad": {scores, func(int, float64) float64 { return -1e9 }, seesAll},
	} {
		t.Run(name, func(t *testing.T) {
			var want []int
			logits := make([]float64, keys)
			for j, s := range c.scores {
				logits[j] = c.logit(j, s)
				if math.IsNaN(logits[j]) { // ∞·0
					logits[j] = s / 8
				}
				if c.sees(j) {
					want = append(want, j)
				}
			}
			if got := VisibleKeys(c.scores, logits, d, nil); !slices.Equal(got, want) {
				t.Errorf("the visible keys are %v, want %v", got, want)
			}
		})
	}
}

// step returns 1 for j ≥ first, otherwise 0.
func step(j, first int) float64 {
	if j >= first {
		return 1
	}
	return 0
}
