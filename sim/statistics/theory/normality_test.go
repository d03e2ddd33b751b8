package theory

import (
	"math"
	"testing"
)

// testdata/ks_normal.csv, worked out by another program: distances to eight
// decimals, where they are taken to five.
func TestNormalityAgainstReference(t *testing.T) {
	for _, row := range readTable(t, "ks_normal.csv", 0) {
		d, distance, at, beyond := int(row.at["d_k"]), row.at["ks_distance"], row.at["z_at_sup"], row.at["P_abs_gt_1sd"]
		n := NewNormality(d)
		if math.Abs(n.Distance-distance) > 6e-9 || math.Abs(n.Threshold-at) > 1.5e-5 {
			t.Errorf("d = %d: %.9f at %.6f, want %v at %v", d, n.Distance, n.Threshold, distance, at)
		}
		if got := 1 - newMixture(d).inside(1); math.Abs(got-beyond) > 6e-9 {
			t.Errorf("d = %d: P(|S| > √d) = %.9f, want %v", d, got, beyond)
		}
	}
}
