package run

import (
	"time"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/store"
)

// often is how often the store records what was drawn, where the end of the program does not reach it. With the
// longest place that a worker draws it is less than a second. The disk then keeps it as soon as it can.
const often = 500 * time.Millisecond

// keep has a store record what it is given, until end is called, which returns what went wrong. Where something does,
// fail is called at once.
func keep(into *store.Store, fail func()) (end func() error) {
	done := make(chan struct{})
	var group errgroup.Group
	for _, record := range []func() error{into.Flush, into.Sync} { // of which the second may take long
		group.Go(func() error {
			err := repeat(record, done)
			if err != nil {
				fail()
			}
			return err
		})
	}
	return func() error {
		close(done)
		return group.Wait()
	}
}

// repeat records again and again until done.
func repeat(record func() error, done chan struct{}) error {
	tick := time.NewTicker(often)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-tick.C:
			if err := record(); err != nil {
				return err
			}
		}
	}
}
