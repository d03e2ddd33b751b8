package rows

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// Limits has the limits that define the labels of rows with n ≥ 2 keys.
type Limits struct {
	collision float64 // Σα² above which a row is concentrated
	dead      float64 // ‖∂α/∂K‖_F below which a concentrated row is dead
	idle      float64 // ‖∂α_t/∂k_t‖ below which the target is idle
}

// NewLimits returns the limits for the given number of keys. Both gradients are compared with those
// of uniform weights and logits with standard deviation 1, which are √(n−1)/n and (n−1)/n².
func NewLimits(keys int) Limits {
	n := float64(keys)
	return Limits{theory.ConcentrationLimit(keys), DeadGradient(keys), names.DeadThreshold * (n - 1) / (n * n)}
}

// DeadGradient returns the ‖∂α/∂K‖_F below which a concentrated row with the given keys is dead.
func DeadGradient(keys int) float64 {
	n := float64(keys)
	return names.DeadThreshold * math.Sqrt(n-1) / n
}

// Concentrated reports whether rows with this mean Σα² are concentrated.
func (l Limits) Concentrated(collision float64) bool { return collision > l.collision }

// Dead reports whether a row with these Σα² and ‖∂α/∂K‖_F is dead.
func (l Limits) Dead(collision, keyGradient float64) bool {
	return l.Concentrated(collision) && keyGradient < l.dead
}

// RelativeGradient returns ‖∂α/∂K‖_F divided by its value for uniform weights and logits with
// standard deviation 1.
func (l Limits) RelativeGradient(keyGradient float64) float64 {
	return float64(keyGradient/l.dead) * names.DeadThreshold
}

// Label returns the label of one row.
func (l Limits) Label(collision, keyGradient float64) string {
	switch {
	case l.Dead(collision, keyGradient):
		return names.LabelDead
	case l.Concentrated(collision):
		return names.LabelConcentrated
	}
	return names.LabelSpread
}
