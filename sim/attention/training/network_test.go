package training

import (
	"math"
	"testing"

	"mcsim/sim/base/stream"
)

func sampleFor(s Setting, seeds int) *Data {
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 11, Cell: "training"}).Block(&lanes, 0)
	return SampleData(&lanes, s, seeds)
}

// testSettings returns a setting of every variant, and one whose weights all train.
func testSettings() []Setting {
	settings := []Setting{{Rule: Rule{Plain, 0.5, 0}, AllWeights: true}}
	for v := Plain; v <= Fixed; v++ {
		settings = append(settings, Setting{Rule: Rule{v, 0.5, 0}})
	}
	for i := range settings {
		settings[i].Dimension, settings[i].Steps, settings[i].Epsilon = 20, 10, Epsilon
	}
	return settings
}

// TestScaleGainAndRateAreOneKnob uses that p = 0 with gain d^(−1/4) is p = 1/2 with gain 1 in other
// units: W is smaller by d^(1/4), and its gradient larger by the same factor. Under gradient
// descent at the rate η·d^(−1/2), and under Adam at η·d^(−1/4) with ε·d^(1/4), losses are equal up
// to rounding. Each step adds about 10⁻¹⁵ to losses that fall to a tenth, and training amplifies
// this by less than a thousand.
func TestScaleGainAndRateAreOneKnob(t *testing.T) {
	const steps = 60
	for _, d := range []int{16, 64, 200} {
		for _, adam := range []bool{false, true} {
			quarter := math.Pow(float64(d), 0.25)
			root := Setting{Rule: Rule{Plain, 0.5, 0}, Dimension: d, Adam: adam, Steps: steps, Epsilon: Epsilon,
				Rate: 1}
			raw := root
			raw.Rule = Rule{Plain, 0, -0.25}
			if adam {
				root.Rate = 0.01
				raw.Rate, raw.Epsilon = root.Rate/quarter, root.Epsilon*quarter
			} else {
				raw.Rate = root.Rate / (quarter * quarter)
			}
			data := sampleFor(root, Width)
			a, b := trainLosses(root, data), trainLosses(raw, data)
			for step := range a {
				for l := range Width {
					if difference := math.Abs(a[step][l] - b[step][l]); difference > 1e-11 {
						t.Fatalf("d_k = %d, Adam %v: losses %v and %v after %d steps", d, adam, a[step][l], b[step][l],
							step)
					}
				}
			}
			if a[steps][0] > a[0][0]/2 {
				t.Errorf("d_k = %d, Adam %v: the loss does not fall, so the test is void: %v", d, adam, a[steps][0])
			}
			other := raw
			other.Rate *= 1.1
			if c := trainLosses(other, data); math.Abs(c[steps][0]-a[steps][0]) < 1e-6 {
				t.Errorf("d_k = %d, Adam %v: another rate gives the same", d, adam)
			}
		}
	}
}

// trainLosses returns the losses of each step.
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
		records := n.Run(sampleFor(s, 6))
		again := n.Run(sampleFor(s, 6))
		few := New(s).Run(sampleFor(s, 5))
		for i := range records {
			if records[i] != again[i] {
				t.Errorf("%+v: seed %d differs the second time", s, i)
			}
		}
		if records[4] != few[4] {
			t.Errorf("%+v: seed 4 differs if seed 5 is missing", s)
		}
		if records[3] == records[4] {
			t.Errorf("%+v: two seeds are the same", s)
		}
	}
}

// TestRecords checks that losses are relative to uniform weights, that Steps is the first step at
// which the loss is at most the threshold, and that a seed that diverges is marked and never
// reaches it.
func TestRecords(t *testing.T) {
	s := Setting{Rule: Rule{Plain, 0.5, 0}, Dimension: 64, Steps: 100, Epsilon: Epsilon, Rate: 4}
	data := sampleFor(s, 8)
	losses := trainLosses(s, data)
	n := New(s)
	for seed, r := range n.Run(data)[:Width] {
		n.reset(data, 0)
		uniform := n.uniformLoss()[seed]
		first := Never
		for step := len(losses) - 1; step > 0; step-- {
			if losses[step][seed]/uniform <= Threshold(false) {
				first = step
			}
		}
		if r.Steps != first || first == Never || r.Losses[0] != losses[0][seed]/uniform ||
			r.Losses[Checkpoints] != losses[100][seed]/uniform || r.Diverged {
			t.Errorf("seed %d: %+v, the first step is %d", seed, r, first)
		}
	}
	s.AllWeights, s.OtherRate = true, 1e30 // if values train, the loss is not bounded
	for seed, r := range New(s).Run(data) {
		if !r.Diverged || r.Steps != Never || r.Losses[Checkpoints] != DivergedLoss || r.Mean < DivergedLoss/2 {
			t.Errorf("seed %d at a rate of 10³⁰: %+v", seed, r)
		}
	}
}

// TestReference checks that ReferenceRate is proportional to d_k to the power of RateSlope.
func TestReference(t *testing.T) {
	for _, r := range []Rule{{Plain, 0, 0}, {Plain, 0.5, 0}, {Plain, 1, 0}, {Plain, 0, -0.25}, {Plain, 0.5, 0.25},
		{HalfRoot, 0.5, 0}, {Fixed, 1, 0}} {
		for _, adam := range []bool{false, true} {
			got := math.Log(ReferenceRate(r, 1024, adam)/ReferenceRate(r, 16, adam)) / math.Log(64)
			if want := RateSlope(r, adam); math.Abs(got-want) > 1e-12 {
				t.Errorf("%+v, Adam %v: %v, says %v", r, adam, got, want)
			}
		}
	}
	// The rate is constant for p = 1/2 under gradient descent and p = 1 under Adam, and falls as
	// d_k^(−1/2) for p = 1/2 under Adam.
	if RateSlope(Rule{Plain, 0.5, 0}, false) != 0 || RateSlope(Rule{Plain, 1, 0}, true) != 0 ||
		RateSlope(Rule{Plain, 0.5, 0}, true) != -0.5 {
		t.Error("the powers are not those that are predicted")
	}
}
