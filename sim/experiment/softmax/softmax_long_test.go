//go:build long

package softmax

import "testing"

// TestSoftmaxAgainstSimulationLong samples about as many rows as the program of the reference.
func TestSoftmaxAgainstSimulationLong(t *testing.T) { compareSoftmaxWithReference(t, 1<<20) }

func TestFreezingAgainstReferenceLong(t *testing.T) { compareFreezingWithReference(t, 1<<19) }
