package schedule_test

import (
	"testing"

	"mcsim/sim/engine/plan"
	"mcsim/sim/simtest"
)

func TestReadyPlans(t *testing.T) {
	for _, name := range plan.Names() {
		if testing.Short() && name != "controls" {
			continue // the others take seconds
		}
		text, err := plan.Embedded(name)
		simtest.Must(t, err)
		simtest.NewSchedule(t, string(text))
	}
}
