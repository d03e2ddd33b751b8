package schedule_test

import (
	"testing"

	"mcsim/sim/plan"
	"mcsim/sim/simtest"
)

// Every ready plan can be worked out.
func TestReadyPlans(t *testing.T) {
	for _, name := range plan.Names() {
		text, err := plan.Embedded(name)
		if err != nil {
			t.Fatal(err)
		}
		simtest.Scheduled(t, string(text))
	}
}
