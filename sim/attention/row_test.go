package attention

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"mcsim/sim/kernel"
)

// computeRow returns the Row of scores. It computes the same row in every lane and returns one.
func computeRow(scores []float32, scale float64) Row {
	rows := make([][kernel.Width]float32, len(scores))
	for j, s := range scores {
		for lane := range rows[j] {
			rows[j][lane] = s
		}
	}
	return computeRows(rows, scale)[3]
}

// computeRows computes sixteen rows.
func computeRows(scores [][kernel.Width]float32, scale float64) (rows [kernel.Width]Row) {
	var p kernel.Peaks
	var sums kernel.RowSums
	kernel.FindPeaks(scores, &p)
	kernel.SumRows(scores, &p, scale, &sums)
	FillRows(&sums, len(scores), &rows)
	return rows
}

// score returns the same number as score in testdata/rows.py: score j of n scores of a kind.
func score(kind string, j, n int) float32 {
	scattered := float64(j * 40503 % 65536)
	switch kind {
	case "scattered":
		return float32(scattered / 8192)
	case "ten thousand":
		return float32(scattered*20000/65536 - 10000)
	case "near ties":
		return float32(8192 + float64(j*40503%65536%4)/1024)
	case "equal":
		return 3
	case "two at the top":
		if j < 2 {
			return 40
		}
		return 0
	case "one at the top":
		if j == n/2 {
			return 300
		}
		return float32(scattered / 65536)
	}
	panic(kind)
}

// rounding bounds the relative error of every statistic of a Row. Σe, Σe² and Σe³ have relative
// errors of at most 2.4, 2.7 and 2.9·10⁻⁶ (kernel.RowSums). Each statistic is at most proportional
// to one of the first two sums, except ‖J‖_F. In the square of ‖J‖_F, the terms with Σe² are at
// most three times the other terms, and the square root halves the error.
const rounding = 5e-6

// TestRowAgainstMpmath compares the statistics of rows with testdata/rows.csv, which mpmath 1.2.1
// computed with 700 digits. Differences of logits are up to 19 thousand. Numbers below 10⁻³⁰⁰ may
// underflow to 0.
func TestRowAgainstMpmath(t *testing.T) {
	f, err := os.Open("testdata/rows.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 100 {
		t.Fatalf("rows.csv: got %d lines with the error %v, want at least 100", len(lines), err)
	}
	worst := 0.0
	for _, line := range lines {
		n, err := strconv.Atoi(line[1])
		if err != nil {
			t.Fatal(err)
		}
		numbers := make([]float64, len(line)-2)
		for i, text := range line[2:] {
			if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		scores := make([]float32, n)
		for j := range scores {
			scores[j] = score(line[0], j, n)
		}
		r := computeRow(scores, numbers[0])
		for i, c := range []struct {
			name string
			got  float64
		}{{"max weight", r.MaxWeight}, {"entropy", r.Entropy}, {"Σα²", r.Collision}, {"1 − Σα²", r.Trace},
			{"‖J‖_F", r.JacobianNorm}} {
			want := numbers[1+i]
			if want < 1e-300 {
				if !(c.got >= 0 && c.got < 1e-300) {
					t.Errorf("%s, %d keys, scale %v: %s is %v, want a number in 0..1e-300", line[0], n, numbers[0],
						c.name,
						c.got)
				}
				continue
			}
			relative := math.Abs(c.got/want - 1)
			worst = max(worst, relative)
			if !(relative <= rounding) {
				t.Errorf("%s, %d keys, scale %v: %s is %v, want %v", line[0], n, numbers[0], c.name, c.got, want)
			}
		}
	}
	t.Logf("the largest relative error is %.2g", worst)
}

// TestExtremeRows checks that the statistics of rows with extreme scores are in their range, also
// if logits or sums exceed the range of float32.
func TestExtremeRows(t *testing.T) {
	for name, scores := range map[string][]float32{
		"one key":              {-1e38},
		"far apart":            {1e38, -1e38, 0},
		"far apart, a tie":     {1e38, 1e38, -1e38},
		"all equal":            {1e38, 1e38, 1e38, 1e38},
		"zeros of both signs":  {0, float32(math.Copysign(0, -1))},
		"subnormal":            {1e-45, -1e-45, 0},
		"nearly equal":         {1, math.Nextafter32(1, 2), math.Nextafter32(1, 0)},
		"the smallest weight":  {0, -744},
		"a weight that is 0":   {0, -746},
		"more keys than lanes": {9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		for _, scale := range []float64{0, 1e-30, 0.125, 1, 1e24} {
			r := computeRow(scores, scale)
			n := float64(len(scores))
			for _, c := range []struct {
				name        string
				got, lo, hi float64
			}{
				{"T", r.RestRatio, 0, n - 1},
				{"max weight", r.MaxWeight, 1 / n, 1},
				{"Σα²", r.Collision, 1 / n, 1},
				{"effective keys", r.EffectiveKeys(), 1, n},
				{"1 − Σα²", r.Trace, 0, 1 - 1/n},
				{"R", r.RelativeTrace(), 0, 1},
				{"‖J‖_F", r.JacobianNorm, 0, 0.5},
				{"entropy", r.Entropy, 0, math.Log(n)},
			} {
				if !(c.got >= c.lo*(1-rounding) && c.got <= c.hi*(1+rounding)) {
					t.Errorf("%s, scale %v: %s is %v, want a number in %v..%v", name, scale, c.name, c.got, c.lo, c.hi)
				}
			}
		}
	}
	if r := computeRow([]float32{2, 2, 2, 2}, 1); r.RelativeTrace() != 1 || r.MaxWeight != 0.25 ||
		r.EffectiveKeys() != 4 {
		t.Errorf("four equal scores: R = %v, max weight %v, effective keys %v; want 1, 0.25, 4", r.RelativeTrace(),
			r.MaxWeight, r.EffectiveKeys())
	}
	// J = ¼ (1, −1; −1, 1). This is the smallest row for which a wrong formula of the norm shows.
	if r := computeRow([]float32{0, 0}, 1); r.JacobianNorm != 0.5 {
		t.Errorf("two equal scores: ‖J‖_F = %v, want 0.5", r.JacobianNorm)
	}
}
