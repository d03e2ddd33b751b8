package folder

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/kernel"
)

// How long a command may take without having said so: somebody waits for an answer, and
// looks after a plan later.
const patience, patienceWithPlan = 10 * time.Second, 2 * time.Minute

// Warn says how long it takes to draw what the nodes lack of a schedule, where that is long.
func Warn(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int) {
	if lasts, long := lasting(status, s, nodes, workers, patience); long {
		Say(status, "what is to be drawn takes %s", here(lasts, workers))
	}
}

// WarnOfPlan is Warn for a plan, of which so much, of 1, was drawn before. It says what takes less, too.
func WarnOfPlan(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int, before float64) {
	lasts, long := lasting(status, s, nodes, workers, patienceWithPlan)
	if !long {
		return
	}
	what := s.Plan.Title()
	if before > 0 || len(s.Plan.Only) > 0 {
		what = "what is to be drawn of " + what
	}
	Say(status, "%s takes %s; %s", what, here(lasts, workers), less(s))
}

// lasting is how long drawing takes, where that is long and somebody hears it.
func lasting(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int, patience time.Duration) (lasts time.Duration, long bool) {
	if status == io.Discard {
		return 0, false
	}
	return s.Lasts(patience, nodes, workers)
}

// here is how long something takes on this machine.
func here(lasts time.Duration, workers int) string {
	return fmt.Sprintf("%s on %s here (kernel %s)", show.Lasting(lasts), show.Counted(schedule.Cores(workers), "core"), kernel.Name())
}

// less says what may be run in place of a schedule that takes so long, and takes less.
func less(s *schedule.Schedule) string {
	if q := s.Plan.Smaller(); q != nil {
		command := "mcsim run " + q.Name
		if len(q.Only) > 0 {
			command += " --only " + strings.Join(q.Only, ",")
		}
		return fmt.Sprintf("`%s` takes less and judges with wider tolerances", command)
	}
	return "less is drawn with --only, --set or a wider --tolerance"
}
