package run

import (
	"context"

	"mcsim/sim/checkpoint"
	"mcsim/sim/moments"
	"mcsim/sim/store"
)

// begin begins the way of something that may take long, one block or a pilot: it goes on from what the store has of it,
// and the store keeps it on the way. done is to be called when its node was added. Where nothing is kept the track is nil.
func begin(ctx context.Context, into *store.Store, c store.Cell, at moments.Place, opt Options) (track *checkpoint.Track, done func()) {
	if !opt.Keep {
		return nil, func() {}
	}
	u := into.Unfinished(c, at)
	track = checkpoint.New(u.State(), checkpoint.Every, ctx.Done(), u.Keep)
	return track, func() {
		track.End()
		u.Done()
	}
}
