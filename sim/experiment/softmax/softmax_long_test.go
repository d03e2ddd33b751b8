//go:build long

package softmax

import "testing"

// TestSoftmaxAgainstSimulationLong has about as many rows as the other program.
func TestSoftmaxAgainstSimulationLong(t *testing.T) { compareSoftmaxWithReference(t, 1<<20) }

func TestFreezingAgainstReferenceLong(t *testing.T) { compareFreezingWithReference(t, 1<<19) }
