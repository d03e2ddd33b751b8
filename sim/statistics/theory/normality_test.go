package theory

import (
	"math"
	"testing"
)

// TestNormalityAgainstReference compares Distance with values of eight decimals and Threshold with
// values of five, which another program computed (testdata/ks_normal.csv).
func TestNormalityAgainstReference(t *testing.T) {
	for _, row := range readTable(t, "ks_normal.csv", 0) {
		d, distance := int(row.numbers["d_k"]), row.numbers["ks_distance"]
		threshold, tail := row.numbers["z_at_sup"], row.numbers["P_abs_gt_1sd"]
		n := NewNormality(d)
		if math.Abs(n.Distance-distance) > 6e-9 || math.Abs(n.Threshold-threshold) > 1.5e-5 {
			t.Errorf("d = %d: the distance is %.9f at %.6f, want %v at %v", d, n.Distance, n.Threshold, distance,
				threshold)
		}
		if got := 1 - newMixture(d).inside(1); math.Abs(got-tail) > 6e-9 {
			t.Errorf("d = %d: P(|S| > √d) = %.9f, want %v", d, got, tail)
		}
	}
}
