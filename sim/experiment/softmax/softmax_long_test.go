//go:build long

package softmax

import "testing"

// As many rows as the other program has, or as many as it takes.
func TestSoftmaxAgainstSimulationLong(t *testing.T) { againstSimulation(t, 1<<20) }

func TestFreezingAgainstReferenceLong(t *testing.T) { againstFreezing(t, 1<<19) }
