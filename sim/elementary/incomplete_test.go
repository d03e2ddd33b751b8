package elementary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// off is the relative error of a chance below 1/10 over ten, the absolute one of any other.
func off(got, want float64) float64 { return math.Abs(got-want) / min(10*want, 1) }

// Values of scipy.special.gammainc and gammaincc of SciPy 1.10.1.
func TestGammaAgainstSciPy(t *testing.T) {
	for _, c := range []struct{ x, a, below, above float64 }{
		{0.15, 0.5, 0.416117579229635, 0.583882420770365},
		{0.45, 0.5, 0.6572182888520888, 0.34278171114790873},
		{0.5, 0.5, 0.6826894921370859, 0.31731050786291115},
		{0.55, 0.5, 0.7057338956950373, 0.2942661043049598},
		{1.0, 0.5, 0.8427007929497151, 0.15729920705028105},
		{0.3, 1, 0.25918177931828207, 0.740818220681718},
		{0.9, 1, 0.5934303402594008, 0.4065696597405992},
		{1, 1, 0.6321205588285577, 0.36787944117144245},
		{1.1, 1, 0.6671289163019205, 0.33287108369807955},
		{2, 1, 0.8646647167633873, 0.1353352832366127},
		{0.75, 2.5, 0.08693018545560456, 0.9130698145443954},
		{2.25, 2.5, 0.5201165618867003, 0.4798834381132997},
		{2.5, 2.5, 0.584119813004492, 0.4158801869955079},
		{2.75, 2.5, 0.642054119149042, 0.357945880850958},
		{5.0, 2.5, 0.9247647538534878, 0.07523524614651217},
		{6.0, 20, 5.180168937011945e-06, 0.999994819831063},
		{18.0, 20, 0.34908387201929825, 0.6509161279807018},
		{20, 20, 0.5297427331607607, 0.4702572668392401},
		{22.0, 20, 0.6939729794378251, 0.30602702056217485},
		{40, 20, 0.9998236971022614, 0.0001763028977385677},
		{40.949999999999996, 136.5, 6.4559835688527e-32, 1.0},
		{122.85000000000001, 136.5, 0.1188136204367952, 0.8811863795632049},
		{136.5, 136.5, 0.5113825579882426, 0.4886174420117574},
		{150.15, 136.5, 0.87693851886648, 0.12306148113351996},
		{273.0, 136.5, 1.0, 2.1691482146437853e-20},
		{4500.0, 5000, 1.2697731705204493e-13, 0.999999999999873},
		{5000, 5000, 0.5018806340338173, 0.49811936596618267},
		{5500.0, 5000, 0.9999999999963817, 3.6183295580964682e-12},
	} {
		below, above := Gamma(c.x, c.a)
		if most := (20 + c.a*math.Log(c.a+c.x)) * 0x1p-50; off(below, c.below) > most || off(above, c.above) > most {
			t.Errorf("x = %v, a = %v: %v and %v, SciPy has %v and %v", c.x, c.a, below, above, c.below, c.above)
		}
	}
}

func TestGammaAgainstGonum(t *testing.T) {
	for _, a := range []float64{0.5, 1, 3.5, 40, 136.5, 1000, 25_000} {
		for _, over := range []float64{0.2, 0.7, 0.95, 1, 1.03, 1.3, 3} {
			x := a * over
			below, above := Gamma(x, a)
			if want := mathext.GammaIncReg(a, x); math.Abs(below-want) > 1e-10 {
				t.Errorf("P(%v, %v) = %v, gonum has %v", a, x, below, want)
			}
			if want := mathext.GammaIncRegComp(a, x); math.Abs(above-want) > 1e-10 {
				t.Errorf("Q(%v, %v) = %v, gonum has %v", a, x, above, want)
			}
		}
	}
}

func TestGammaEnds(t *testing.T) {
	if below, above := Gamma(0, 3); below != 0 || above != 1 {
		t.Errorf("at 0: %v, %v", below, above)
	}
	if below, above := Gamma(math.Inf(1), 3); below != 1 || above != 0 {
		t.Errorf("at ∞: %v, %v", below, above)
	}
	if below, above := Gamma(1e6, 0.5); below != 1 || above > 1e-300 {
		t.Errorf("far out: %v, %v", below, above)
	}
}
