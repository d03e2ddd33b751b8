package training

import (
	"math"
	"testing"

	"mcsim/sim/base/stream"
)

func sampleTestData(s Setting, seeds int) *Data {
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 11, Cell: "training"}).Block(&lanes, 0)
	return SampleData(&lanes, s, seeds)
}

// testSettings returns a setting of every variant, and one whose weights all train.
func testSettings() []Setting {
	settings := []Setting{{Rule: Rule{Variant: Plain, Exponent: 0.5}, AllWeights: true}}
	for v := Plain; v <= SoftCap; v++ {
		settings = append(settings, Setting{Rule: Rule{Variant: v, Exponent: 0.5, Cap: 2}})
	}
	for i := range settings {
		settings[i].Dimension, settings[i].Steps, settings[i].Epsilon = 20, 10, Epsilon
	}
	return settings
}

// TestScaleGainAndRateAreOneParameter checks that two settings have the same losses up to rounding:
// p = 1/2 with gain 1, and p = 0 with gain d^(−1/4), d = d_k. The second is the first in other
// units: its weights are smaller by the factor d^(1/4), and their gradients larger by the same
// factor. If the first has the rate η and Adam's ε, the second has the rate η·d^(−1/2) under
// gradient descent, and the rate η·d^(−1/4) and ε·d^(1/4) under Adam. The tolerance 10⁻¹¹ allows
// for a rounding error of about 10⁻¹⁵ in each step, which training amplifies by less than a
// thousand.
func TestScaleGainAndRateAreOneParameter(t *testing.T) {
	const steps = 60
	for _, d := range []int{16, 64, 200} {
		for _, adam := range []bool{false, true} {
			fourthRoot := math.Pow(float64(d), 0.25)
			scaled := Setting{Rule: Rule{Variant: Plain, Exponent: 0.5}, Dimension: d, Adam: adam, Steps: steps,
				Epsilon: Epsilon, Rate: 1}
			unscaled := scaled
			unscaled.Rule = Rule{Variant: Plain, GainExponent: -0.25}
			if adam {
				scaled.Rate = 0.01
				unscaled.Rate, unscaled.Epsilon = scaled.Rate/fourthRoot, scaled.Epsilon*fourthRoot
			} else {
				unscaled.Rate = scaled.Rate / (fourthRoot * fourthRoot)
			}
			data := sampleTestData(scaled, Width)
			a, b := trainLosses(scaled, data), trainLosses(unscaled, data)
			for step := range a {
				for l := range Width {
					if difference := math.Abs(a[step][l] - b[step][l]); difference > 1e-11 {
						t.Fatalf("d_k = %d, Adam %v: the loss after %d steps is %v for p = 1/2 and %v for p = 0; want "+
							"equal losses", d, adam, step, a[step][l], b[step][l])
					}
				}
			}
			if a[steps][0] > a[0][0]/2 {
				t.Errorf("d_k = %d, Adam %v: the loss falls from %v to %v only, so that the test says little", d,
					adam, a[0][0], a[steps][0])
			}
			faster := unscaled
			faster.Rate *= 1.1
			if c := trainLosses(faster, data); math.Abs(c[steps][0]-a[steps][0]) < 1e-6 {
				t.Errorf("d_k = %d, Adam %v: a rate that is larger by a tenth gives the same loss", d, adam)
			}
		}
	}
}

// trainLosses returns the losses of Width seeds before each step and after the last.
func trainLosses(s Setting, d *Data) (losses []Number) {
	n := New(s)
	n.reset(d, 0)
	adam := NewAdam(s.Epsilon)
	for range s.Steps + 1 {
		n.tape.Forward()
		losses = append(losses, n.loss.V[0])
		n.tape.Backward(n.trainableMatrices())
		n.update(adam)
	}
	return losses
}

// TestSeedsAreIndependent checks that the result of a seed does not depend on the other seeds, or
// on earlier runs of the network.
func TestSeedsAreIndependent(t *testing.T) {
	for _, s := range testSettings() {
		s.Rate, s.OtherRate = 0.5, 0.1
		n := New(s)
		records := n.Run(sampleTestData(s, 6))
		again := n.Run(sampleTestData(s, 6))
		withoutLast := New(s).Run(sampleTestData(s, 5))
		for i := range records {
			if records[i] != again[i] {
				t.Errorf("%+v: seed %d has another record in the second run", s, i)
			}
		}
		if records[4] != withoutLast[4] {
			t.Errorf("%+v: seed 4 has another record if there is no seed 5", s)
		}
		if records[3] == records[4] {
			t.Errorf("%+v: seeds 3 and 4 have the same record", s)
		}
	}
}

// TestRecords checks that recorded losses are relative to the loss of uniform weights, and that
// Steps is the first step at which the relative loss is at most the threshold. A seed that diverges
// must be marked and must not reach the threshold.
func TestRecords(t *testing.T) {
	s := Setting{Rule: Rule{Variant: Plain, Exponent: 0.5}, Dimension: 64, Steps: 100, Epsilon: Epsilon, Rate: 4}
	data := sampleTestData(s, 8)
	losses := trainLosses(s, data)
	n := New(s)
	for seed, r := range n.Run(data)[:Width] {
		n.reset(data, 0)
		uniform := n.uniformLoss()[seed]
		first := Never
		for step := len(losses) - 1; step > 0; step-- {
			if losses[step][seed]/uniform <= Threshold(s.AllWeights) {
				first = step
			}
		}
		if first == Never {
			t.Errorf("seed %d does not reach the threshold, so that the test says little", seed)
		}
		want := Record{Steps: first, Mean: r.Mean, Losses: r.Losses}
		want.Losses[0], want.Losses[Checkpoints] = losses[0][seed]/uniform, losses[100][seed]/uniform
		if r != want {
			t.Errorf("seed %d: got %+v, want %+v", seed, r, want)
		}
	}
	s.AllWeights, s.OtherRate = true, 1e30 // if W_V trains, the loss is not bounded
	for seed, r := range New(s).Run(data) {
		if !r.Diverged || r.Steps != Never {
			t.Errorf("seed %d at a rate of 10³⁰: Diverged = %v and Steps = %d, want true and %d", seed,
				r.Diverged, r.Steps, Never)
		}
		if r.Losses[Checkpoints] != DivergedLoss || r.Mean < DivergedLoss/2 {
			t.Errorf("seed %d at a rate of 10³⁰: the last loss is %v and the mean %v, want %v and at least %v", seed,
				r.Losses[Checkpoints], r.Mean, DivergedLoss, DivergedLoss/2)
		}
	}
}

// TestReferenceRates checks that ReferenceRate is proportional to d_k to the power of RateSlope,
// and that RateSlope has the values that theory predicts for some rules.
func TestReferenceRates(t *testing.T) {
	for _, r := range []Rule{{}, {Exponent: 0.5}, {Exponent: 1}, {GainExponent: -0.25},
		{Exponent: 0.5, GainExponent: 0.25}, {Variant: HalfRoot, Exponent: 0.5}, {Variant: Fixed, Exponent: 1}} {
		for _, adam := range []bool{false, true} {
			got := math.Log(ReferenceRate(r, 1024, adam)/ReferenceRate(r, 16, adam)) / math.Log(64)
			if want := RateSlope(r, adam); math.Abs(got-want) > 1e-12 {
				t.Errorf("%+v, Adam %v: ReferenceRate grows as d_k^%v, want d_k^%v", r, adam, got, want)
			}
		}
	}
	for _, c := range []struct {
		p    float64
		adam bool
		want float64
	}{{0.5, false, 0}, {1, true, 0}, {0.5, true, -0.5}} {
		if got := RateSlope(Rule{Exponent: c.p}, c.adam); got != c.want {
			t.Errorf("p = %v, Adam %v: RateSlope = %v, want %v", c.p, c.adam, got, c.want)
		}
	}
}
