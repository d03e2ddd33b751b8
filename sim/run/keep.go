package run

import (
	"sync"
	"time"

	"mcsim/sim/store"
)

// often is how often the store records what was drawn, where the end of the program does not reach it. With the
// longest place that a worker draws it is less than a second. The disk then keeps it as soon as it can.
const often = 500 * time.Millisecond

// keep has a store record what it is given, until end is called, which returns what went wrong. Where something does,
// fail is called at once.
func keep(into *store.Store, fail func()) (end func() error) {
	done := make(chan struct{})
	var group sync.WaitGroup
	errs := make(chan error, 2)
	for _, record := range []func() error{into.Flush, into.Sync} { // of which the second may take long
		group.Go(func() {
			if err := repeat(record, done); err != nil {
				errs <- err
				fail()
			}
		})
	}
	return func() error {
		close(done)
		group.Wait()
		close(errs)
		return <-errs // the first, nil if there is none
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
