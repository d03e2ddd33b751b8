package scalefit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A mask of any size is told from logits that q·k explains, however far apart these are.
func TestVisible(t *testing.T) {
	const keys, d = 64, 64
	r := rand.New(rand.NewPCG(71, 72))
	scores := make([]float64, keys)
	for j := range scores {
		scores[j] = 8 * r.NormFloat64()
	}
	sink := slices.Clone(scores)
	sink[0], sink[1] = 900, -4000
	all := func(int) bool { return true }
	early := func(j int) bool { return j < 40 }
	for name, c := range map[string]struct {
		scores []float64
		logit  func(j int, score float64) float64
		sees   func(j int) bool
	}{
		"none":                   {scores, func(_ int, s float64) float64 { return s / 8 }, all},
		"sinks":                  {sink, func(_ int, s float64) float64 { return s / 8 }, all},
		"sinks, no scale":        {sink, func(_ int, s float64) float64 { return s }, all},
		"sinks, rounded":         {sink, func(_ int, s float64) float64 { return math.Round(s) / 8 }, all},
		"sinks, multiplied":      {sink, func(_ int, s float64) float64 { return 8 * s }, all},
		"ALiBi":                  {scores, func(j int, s float64) float64 { return s/8 - float64(j) }, all},
		"soft cap":               {sink, func(_ int, s float64) float64 { return 20 * math.Tanh(s/160) }, all},
		"added −100":             {scores, func(j int, s float64) float64 { return s/8 - 100*late(j, 40) }, early},
		"added −30":              {scores, func(j int, s float64) float64 { return s/8 - 30*late(j, 40) }, early},
		"added −65504, no scale": {scores, func(j int, s float64) float64 { return s - 65504*late(j, 40) }, early},
		"two masks added": {scores, func(j int, s float64) float64 {
			return s - 1e4*late(j, 40) - 1e4*late(j,
				50)
		}, early},
		"filled, with sinks": {sink, func(j int, s float64) float64 { return s/8*(1-late(j, 40)) - 1e4*late(j, 40) },
			early},
		"−∞": {scores, func(j int, s float64) float64 { return s/8 - math.Inf(1)*late(j, 40) }, early},
		"one key seen": {scores, func(j int, s float64) float64 { return s/8 - 1e9*late(j, 1) },
			func(j int) bool { return j < 1 }},
		"ALiBi and a mask": {scores, func(j int, s float64) float64 {
			return s/8 - float64(j)/4 - 1e4*late(j,
				40)
		}, early},
		"all filled, such as a pad": {scores, func(int, float64) float64 { return -1e9 }, all},
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
			if got := Visible(c.scores, logits, d, nil); !slices.Equal(got, want) {
				t.Errorf("sees %v, want %v", got, want)
			}
		})
	}
}

// late is 1 from a key on, and 0 before.
func late(j, first int) float64 {
	if j >= first {
		return 1
	}
	return 0
}
