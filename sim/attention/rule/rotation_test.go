package rule

import (
	"math"
	"testing"

	"mcsim/sim/kernel"
)

// TestYaRNAgainstTransformers checks the factor of q·k. The library transformers multiplies q and k
// each by the attention_factor 0.1·ln s + 1 (_compute_yarn_parameters in modeling_rope_utils.py,
// commit 0044e3b), and so q·k by its square. The expected values are from Python 3.11.2.
func TestYaRNAgainstTransformers(t *testing.T) {
	for s, want := range map[float64]float64{
		1: 1, 4: 1.2964769927807063, 32: 1.8132604340394958, 40: 1.8738542070926265, 1024: 2.8667473750380923,
	} {
		if got := YaRN(s); math.Abs(got/want-1) > 1e-14 {
			t.Errorf("YaRN(%v) = %v, want %v", s, got, want)
		}
	}
}

// TestRotationAgainstNumPy checks the rotation of the key (1, 2, …, d) at position KeyDistance =
// 16. As in apply_rotary_emb of Llama (meta-llama/llama, model.py, commit 57b0eb6), components 2i
// and 2i + 1 form a complex number, which is multiplied by exp(√−1·16·10000^(−2i/d)). The expected
// values are from NumPy 1.24.2.
func TestRotationAgainstNumPy(t *testing.T) {
	for _, want := range [][]float64{
		{-0.38185284699325406, -2.2032222773118346},
		{-0.38185284699325406, -2.2032222773118346, 1.196278814673936, 4.854782899117357, 5},
		{-0.38185284699325406, -2.2032222773118346, -4.085892979069887, 2.881922719919361,
			3.980227177192659, 6.719954733324991, 6.871109480377933, 8.110971243239646},
	} {
		d := len(want)
		key, rotated := make([][kernel.Width]float32, d), make([][kernel.Width]float32, d)
		for i := range key {
			for lane := range key[i] {
				key[i][lane] = float32(i + 1)
			}
		}
		rotation := NewRotation(d)
		split := d / 4 * 2 // an even index: long vectors are rotated in parts, too
		rotation.Rotate(key[:split], rotated[:split], 0)
		rotation.Rotate(key[split:], rotated[split:], split)
		for i := range want {
			for lane, got := range rotated[i] {
				if math.Abs(float64(got)-want[i]) > 2e-6 { // of float32 numbers up to 8
					t.Errorf("d_k = %d: component %d of lane %d is %v, want %v", d, i, lane, got, want[i])
				}
			}
		}
	}
}
