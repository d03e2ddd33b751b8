package training

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"mcsim/sim/kernel"
)

// torchCase is a setting that testdata/training.py trained with PyTorch 1.13 in float64.
type torchCase struct {
	Variant        string
	Exponent, Gain float64
	Adam, All      bool
	Rate, Rest     float64
	Steps          int
	Gradients      [][]float64 // of each matrix, for the first seed at the first step
	Losses         [][]float64 // of each seed, by step
}

var torchVariants = map[string]Variant{"plain": Plain, "copying": Copying, "two-layers": TwoLayers,
	"qk-norm": Normalised, "additive-scores": Additive, "half-root": HalfRoot, "mup": Fixed}

func (c torchCase) setting(d int) Setting {
	return Setting{Rule: Rule{torchVariants[c.Variant], c.Exponent, c.Gain}, Dimension: d, Adam: c.Adam,
		AllWeights: c.All,
		Rate:       c.Rate, OtherRate: c.Rest, Steps: c.Steps, Epsilon: Epsilon}
}

// newHashedData returns the numbers with which training.py begins. They are exact in float32.
func newHashedData(s Setting, seeds int) *Data {
	counts, total := countNumbers(s)
	d := &Data{Seeds: seeds, counts: counts}
	numbers := make([][kernel.Width]float32, total)
	for i := range numbers {
		for seed := range seeds {
			z := uint64(seed*1000003+1+i) * 0x9E3779B97F4A7C15
			z ^= z >> 30
			z *= 0xBF58476D1CE4E5B9
			z ^= z >> 27
			numbers[i][seed] = float32(3.5 * (float64(z>>44)/(1<<20) - 0.5))
		}
	}
	d.panels = append(d.panels, numbers)
	return d
}

func readTorchCases(t *testing.T) (d int, cases []torchCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/training.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Dimension int `json:"d_k"`
		Cases     []torchCase
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 20 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	return file.Dimension, file.Cases
}

// TestAgainstTorch checks that the first gradients agree with PyTorch to 10⁻¹² of the largest, for
// every rule, and losses to 10⁻⁸ over all steps: 100 for p = 1/2, below the edge of stability, and
// 20 for the others.
func TestAgainstTorch(t *testing.T) {
	d, cases := readTorchCases(t)
	var maxGradientError, maxLossError float64
	for _, c := range cases {
		n := New(c.setting(d))
		n.reset(newHashedData(n.Setting, len(c.Losses)), 0)
		adam := NewAdam(n.Epsilon)
		for step := range c.Steps + 1 {
			n.tape.Forward()
			for seed, losses := range c.Losses {
				difference := math.Abs(n.loss.V[0][seed]/losses[step] - 1)
				maxLossError = max(maxLossError, difference)
				if !(difference < 1e-8) {
					t.Fatalf("%+v: loss %v at step %d, PyTorch has %v", n.Setting, n.loss.V[0][seed], step,
						losses[step])
				}
			}
			n.tape.Backward(n.trainableMatrices())
			if step == 0 {
				maxGradientError = max(maxGradientError, compareGradients(t, n, c.Gradients))
			}
			n.update(adam)
		}
	}
	t.Logf("gradients differ by %.1e of the largest at most, losses by %.1e", maxGradientError, maxLossError)
}

// compareGradients returns the largest difference of a gradient of the first seed, over the largest
// gradient of its matrix.
func compareGradients(t *testing.T, n *Network, want [][]float64) (maxError float64) {
	t.Helper()
	if len(want) != len(n.trainable) {
		t.Fatalf("%+v trains %d matrices, PyTorch %d", n.Setting, len(n.trainable), len(want))
	}
	for i, w := range n.trainable {
		var largest, difference float64
		for j, g := range w.G {
			largest = max(largest, math.Abs(want[i][j]))
			difference = max(difference, math.Abs(g[0]-want[i][j]))
		}
		maxError = max(maxError, difference/largest)
		if !(difference < 1e-12*largest) {
			t.Errorf("%+v: the gradient of matrix %d is off by %.1e of its largest", n.Setting, i, difference/largest)
		}
	}
	return maxError
}
