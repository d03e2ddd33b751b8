//go:build !linux

package schedule

import "time"

// spent is how long the program runs: other systems do not tell all alike how long a thread
// had a core.
func spent() time.Duration { return time.Since(started) }
