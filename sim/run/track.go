package run

import (
	"context"

	"mcsim/sim/checkpoint"
	"mcsim/sim/moments"
	"mcsim/sim/store"
)

// tracked draws something that may take long, one block or a pilot: it goes on from what the store has of it, and the store
// keeps it on the way. done is to be called when its node was added. What goes on from a state that is not its own, as no
// state should be, is drawn once more from its beginning: draw begins with scratch that is new where again is set.
func tracked(ctx context.Context, into *store.Store, c store.Cell, at moments.Place, draw func(track *checkpoint.Track, again bool) (moments.Node, bool)) (n moments.Node, ok bool, done func()) {
	u := into.Unfinished(c, at)
	way := func(from []byte) *checkpoint.Track { return checkpoint.New(from, checkpoint.Most, ctx.Done(), u.Keep) }
	n, ok, whole := attempt(func() *checkpoint.Track { return way(u.State()) }, func(t *checkpoint.Track) (moments.Node, bool) { return draw(t, false) })
	if !whole {
		n, ok = draw(way(nil), true)
	}
	return n, ok, u.Done
}

// attempt draws with a track; whole is false where the state that it went on from was not its own.
func attempt(way func() *checkpoint.Track, draw func(*checkpoint.Track) (moments.Node, bool)) (n moments.Node, ok, whole bool) {
	defer func() {
		if r := recover(); r != nil && r != (checkpoint.Mismatch{}) {
			panic(r)
		}
	}()
	track := way()
	if n, ok = draw(track); ok {
		track.End()
	}
	return n, ok, true
}
