package experiment

import (
	"math"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
	"mcsim/sim/statistics/quantile"
)

// TestAddQuantile checks the value, the standard error, the interval and the resolution of a
// quantile inside the scale, on an atom, at the ends of the scale, in a coarse bin, and with too
// few numbers.
func TestAddQuantile(t *testing.T) {
	linear := Transform{
		Inverse: func(position float64) float64 { return 2 * position },
		Slope:   func(float64) float64 { return 2 },
	}
	proportion := Transform{Inverse: quantile.FromLogit, Slope: quantile.FromLogitSlope}
	inf, absent := math.Inf(1), math.NaN()
	for name, c := range map[string]struct {
		e                                 quantile.Estimate
		scale                             Transform
		atom, tooFew                      bool
		wantValue, wantSE, wantLo, wantHi float64
		wantResolution                    float64
	}{
		"inside": {
			e: quantile.Estimate{Value: 3, Lo: 2, Hi: 4.5, BinLo: 2.9, BinHi: 3.1, InWindow: true, OuterLo: 1.9,
				OuterHi: 4.6},
			scale: linear, wantValue: 6, wantSE: 2.5, wantLo: 4, wantHi: 9,
		},
		"on an atom": {
			e: quantile.Estimate{Value: 3, Lo: 3, Hi: 3, BinLo: 2.75, BinHi: 3.25, InWindow: true, OuterLo: 2.75,
				OuterHi: 3.25},
			scale: linear, atom: true, wantValue: 6, wantSE: absent, wantLo: 5.5, wantHi: 6.5, wantResolution: 1,
		},
		"in a coarse bin": {
			e:     quantile.Estimate{Value: 3, Lo: 2, Hi: 4, BinLo: 2, BinHi: 4, OuterLo: 2, OuterHi: 4},
			scale: linear, wantValue: 6, wantSE: 2, wantLo: 4, wantHi: 8, wantResolution: 4,
		},
		"below the scale": {
			e: quantile.Estimate{Value: -inf, Lo: -inf, Hi: -inf, BinLo: -inf, BinHi: 0, OuterLo: -inf,
				OuterHi: 0},
			scale: proportion, wantValue: 0, wantSE: absent, wantLo: 0, wantHi: 0.5, wantResolution: 0.5,
		},
		"too few numbers": {
			e:     quantile.Estimate{Value: 3, Lo: 2, Hi: 4, BinLo: 2, BinHi: 4, InWindow: true},
			scale: linear, tooFew: true, wantValue: 6, wantSE: absent, wantLo: absent, wantHi: absent,
		},
		"upper end infinite": {
			e: quantile.Estimate{Value: 3, Lo: 2, Hi: inf, BinLo: 2, BinHi: 4, InWindow: true, OuterLo: 2,
				OuterHi: inf},
			scale: linear, wantValue: 6, wantSE: absent, wantLo: absent, wantHi: absent,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var f CellEstimates
			r := result.Estimate{Lo: result.Absent(), Hi: result.Absent(), Level: result.Absent()}
			f.AddQuantile(r, MeasuredQuantile{Estimate: c.e, Z: 1, OnAtom: c.atom, HasEnoughNumbers: !c.tooFew}, c.scale)
			r = f.Estimates[0]
			check := func(what string, got result.Number, want float64) {
				t.Helper()
				bothAbsent := !got.Present() && math.IsNaN(want)
				if !bothAbsent && !(math.Abs(float64(got)-want) < 1e-12) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
			check("value", r.Value, c.wantValue)
			check("standard error", r.SE, c.wantSE)
			check("lower end", r.Lo, c.wantLo)
			check("upper end", r.Hi, c.wantHi)
			check("resolution", r.Resolution, c.wantResolution)
			hasInterval := !math.IsNaN(c.wantLo)
			if got := r.Level.Present(); got != hasInterval {
				t.Errorf("the estimate has a level: got %v, want %v", got, hasInterval)
			}
			if got := len(f.Warnings) == 0; got != hasInterval {
				t.Errorf("warnings %v; a warning is expected if and only if there is no interval", f.Warnings)
			}
		})
	}
}

// TestLevelZ compares LevelZ with our own quantile function, and with norm.ppf(0.975) of SciPy
// 1.10.1.
func TestLevelZ(t *testing.T) {
	if want := elementary.Quantile(0.5 + Level/2); LevelZ != want {
		t.Errorf("LevelZ is %v, but the quantile is %v", LevelZ, want)
	}
	if want := 1.959963984540054; math.Abs(LevelZ-want) > 1e-15 {
		t.Errorf("LevelZ is %v, but SciPy's quantile is %v", LevelZ, want)
	}
}
