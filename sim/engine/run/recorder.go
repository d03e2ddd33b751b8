package run

import (
	"time"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/store"
)

// flushInterval is the time between two flushes of the store. Together with maxUnflushed it limits
// the loss of a killed process to less than a second of sampling.
const flushInterval = 500 * time.Millisecond

// startRecorder starts two goroutines that flush and sync the store periodically until stop is
// called. There are two because a sync can take long and must not delay a flush. A goroutine that
// fails calls onError and ends. stop waits for both goroutines and returns the first error.
func startRecorder(nodes *store.Store, onError func()) (stop func() error) {
	done := make(chan struct{})
	var group errgroup.Group
	for _, record := range []func() error{nodes.Flush, nodes.Sync} {
		group.Go(func() error {
			err := repeatUntil(done, record)
			if err != nil {
				onError()
			}
			return err
		})
	}
	return func() error {
		close(done)
		return group.Wait()
	}
}

// repeatUntil calls do once per flushInterval until done is closed or do fails.
func repeatUntil(done <-chan struct{}, do func() error) error {
	ticker := time.NewTicker(flushInterval)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ticker.C:
			if err := do(); err != nil {
				return err
			}
		}
	}
}
