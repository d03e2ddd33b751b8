// Package checkpoint lets a computation that takes long leave on its way what it has come
// to, so that another process goes on from there with the same bits.
//
// A computation has a [Track]. Each of its loops says with [Track.Begin] which variables are
// its state, and with [Track.Point] where they are whole; before [Most] has passed such a point is
// kept. To go on from one, the computation runs as ever: what Begin is given is then what it
// was at the point, the counters of loops among it, so that they are at the iteration that was
// begun.
//
//	row := 0
//	defer track.Begin(&row, tally, lanes)()
//	for ; row < rows; row++ {
//		track.Point()
//		tally.add(draw(lanes))
//	}
//
// States are memory as the program has it (state.go), and mean something to the same program
// alone: [Program] names it.
package checkpoint

import (
	"encoding/binary"
	"reflect"
	"time"
)

// Most is how much of a computation may be lost: a point is kept when as long has passed as leaves the time to the next
// one, going by the longest yet between two points.
const Most = 700 * time.Millisecond

// least is the part of that after which a point may be kept, however far the next one.
const least = 3

// Track is the way of one computation. A nil one keeps nothing, and its methods do nothing.
type Track struct {
	keep        func(state []byte)
	stop        <-chan struct{}
	most        time.Duration
	kept, point time.Time     // when a point was kept, and when there was one
	longest     time.Duration // between two points
	stopped     bool          // a point was kept since the stop
	levels      [][]any       // what is begun and has not ended, the outermost first
	resumed     [][]byte      // states of levels that are still to begin
	size        int           // of the last state
}

// New is the way of a computation that goes on from a state which was kept, or begins where there is none. It calls
// keep with the state at some points, so that no more than the time most is lost if points come often enough, and once
// when stop is closed. What keep is given is its own.
//
// A state that is not of the computation makes Begin or End panic with [Mismatch].
func New(from []byte, most time.Duration, stop <-chan struct{}, keep func(state []byte)) *Track {
	now := time.Now()
	return &Track{keep: keep, stop: stop, most: most, kept: now, point: now, resumed: levelsOf(from)}
}

// Mismatch says that a state is not of the computation that was to go on from it. The computation has to be done from
// its beginning, by scratch that has no part of the state.
type Mismatch struct{}

func (Mismatch) Error() string { return "checkpoint: a state is of another computation" }

// Begin begins a part of the computation whose state is in the given variables: pointers to
// all that changes in the part and is read after a point of it. Where a point of the part was
// kept, they get what they were there. It returns what ends the part.
func (t *Track) Begin(state ...any) (end func()) {
	if t == nil {
		return func() {}
	}
	if len(t.resumed) > 0 {
		restore(t.resumed[0], state)
		t.resumed = t.resumed[1:]
	}
	t.levels = append(t.levels, state)
	level := len(t.levels)
	return func() { t.levels = t.levels[:level-1] }
}

// Point says that the state of all parts is whole.
func (t *Track) Point() {
	if t == nil || len(t.resumed) > 0 { // it is on the way to where it was kept
		return
	}
	now := time.Now()
	t.longest, t.point = max(t.longest, now.Sub(t.point)), now
	if t.due() {
		t.keep(t.state())
		t.kept = now
	}
}

// End says that the computation is done. It must have been where it was kept.
func (t *Track) End() {
	if t != nil && len(t.resumed) > 0 {
		panic(Mismatch{})
	}
}

// due reports whether the point is to be kept.
func (t *Track) due() bool {
	if t.point.Sub(t.kept) >= max(t.most-t.longest, t.most/least) {
		return true
	}
	select {
	case <-t.stop:
		was := t.stopped
		t.stopped = true
		return !was
	default:
		return false
	}
}

// state is that of all parts: of each the number of its bytes, and these.
func (t *Track) state() []byte {
	b := make([]byte, 0, t.size)
	for _, variables := range t.levels {
		at := len(b)
		b = append(b, make([]byte, lengthSize)...)
		for _, v := range variables {
			b = appendValue(b, reflect.ValueOf(v).Elem())
		}
		binary.LittleEndian.PutUint64(b[at:], uint64(len(b)-at-lengthSize))
	}
	t.size = len(b) + len(b)/8 // lists may have grown by the next
	return b
}

// lengthSize is the size of a number of bytes.
const lengthSize = 8

// levelsOf are the states of parts.
func levelsOf(b []byte) (levels [][]byte) {
	for len(b) > 0 {
		var level []byte
		level, b = counted(b)
		levels = append(levels, level)
	}
	return levels
}

// counted takes off the front of b a number, and so many bytes.
func counted(b []byte) (first, rest []byte) {
	if len(b) < lengthSize {
		panic(Mismatch{})
	}
	n := binary.LittleEndian.Uint64(b)
	if b = b[lengthSize:]; n > uint64(len(b)) {
		panic(Mismatch{})
	}
	return b[:n], b[n:]
}

// restore gives variables the state of a part.
func restore(b []byte, variables []any) {
	for _, v := range variables {
		b = readValue(b, reflect.ValueOf(v).Elem())
	}
	if len(b) > 0 {
		panic(Mismatch{})
	}
}
