package training

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"mcsim/sim/kernel"
)

// torchCase is a setting with the results of PyTorch 1.13 in float64, which testdata/training.py
// wrote.
type torchCase struct {
	Variant        string
	Exponent, Gain float64
	Cap            float64
	Adam           bool
	All            bool    // all weights train
	Rate           float64 // rate of W_Q and W_K
	Rest           float64 // rate of all other weights
	Steps          int
	Gradients      [][]float64 // Gradients[i] is the gradient of matrix i for the first seed at the first step
	Losses         [][]float64 // Losses[i][t] is the loss of seed i after t steps
}

var torchVariants = map[string]Variant{"plain": Plain, "copying": Copying, "two-layers": TwoLayers,
	"qk-norm": Normalised, "additive-scores": Additive, "half-root": HalfRoot, "mup": Fixed, "soft-cap": SoftCap}

func (c torchCase) setting(d int) Setting {
	return Setting{Rule: Rule{torchVariants[c.Variant], c.Exponent, c.Gain, c.Cap}, Dimension: d, Adam: c.Adam,
		AllWeights: c.All, Rate: c.Rate, OtherRate: c.Rest, Steps: c.Steps, Epsilon: Epsilon}
}

// newHashedData returns Data with the hashed numbers that training.py uses. They are exact in
// float32.
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
		t.Fatalf("training.json has %d cases, want at least 20", len(file.Cases))
	}
	return file.Dimension, file.Cases
}

// TestAgainstTorch compares training with PyTorch for every rule. The gradients of the first step
// must agree to 10⁻¹² of the largest element of a matrix, and the losses of all steps to a relative
// tolerance of 10⁻⁸. There are 100 steps for p = 1/2, whose training is stable, and 20 otherwise.
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
					t.Fatalf("%+v: the loss after %d steps is %v, want %v of PyTorch", n.Setting, step,
						n.loss.V[0][seed], losses[step])
				}
			}
			n.tape.Backward(n.trainableMatrices())
			if step == 0 {
				maxGradientError = max(maxGradientError, compareGradients(t, n, c.Gradients))
			}
			n.update(adam)
		}
	}
	t.Logf("largest relative differences from PyTorch: %.1e for gradients, %.1e for losses", maxGradientError,
		maxLossError)
}

// compareGradients compares the gradients of the first seed with want. It returns the largest
// difference, divided by the largest element of the matrix.
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
			t.Errorf("%+v: the gradient of matrix %d differs from PyTorch by %.1e of its largest element", n.Setting, i,
				difference/largest)
		}
	}
	return maxError
}
