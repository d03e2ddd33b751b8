package rows

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// Limits has the limits that define the labels of a row with n ≥ 2 keys and weights α.
type Limits struct {
	collision float64 // Σα² above which a row is concentrated
	dead      float64 // ‖∂α/∂K‖_F below which a concentrated row is dead
	idle      float64 // ‖∂α_t/∂k_t‖ of the target key t below which the target is idle
}

// NewLimits returns the limits for the given number of keys. The limits of both gradients are
// names.DeadThreshold times the gradients for uniform weights and logits with standard deviation 1.
// These are ‖∂α/∂K‖_F = √(n−1)/n and ‖∂α_t/∂k_t‖ = (n−1)/n².
func NewLimits(keys int) Limits {
	n := float64(keys)
	return Limits{
		collision: theory.ConcentrationLimit(keys),
		dead:      DeadGradient(keys),
		idle:      names.DeadThreshold * (n - 1) / (n * n),
	}
}

// DeadGradient returns the ‖∂α/∂K‖_F below which a concentrated row with this number of keys is
// dead.
func DeadGradient(keys int) float64 {
	n := float64(keys)
	return names.DeadThreshold * math.Sqrt(n-1) / n
}

// Concentrated reports whether a row with this Σα², or rows with this mean Σα², are concentrated.
func (l Limits) Concentrated(collision float64) bool { return collision > l.collision }

// Dead reports whether a row with these values of Σα² and ‖∂α/∂K‖_F is dead.
func (l Limits) Dead(collision, keyGradient float64) bool {
	return l.Concentrated(collision) && keyGradient < l.dead
}

// RelativeGradient returns the given ‖∂α/∂K‖_F divided by its value for uniform weights and logits
// with standard deviation 1.
func (l Limits) RelativeGradient(keyGradient float64) float64 {
	return float64(keyGradient/l.dead) * names.DeadThreshold
}

// Label returns the label of a row with these values of Σα² and ‖∂α/∂K‖_F.
func (l Limits) Label(collision, keyGradient float64) string {
	switch {
	case l.Dead(collision, keyGradient):
		return names.LabelDead
	case l.Concentrated(collision):
		return names.LabelConcentrated
	}
	return names.LabelSpread
}
