package schedule

import (
	"time"

	"golang.org/x/sys/unix"
)

// spent is how long the thread has had a core: what other programs take meanwhile is no
// part of it.
func spent() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}
