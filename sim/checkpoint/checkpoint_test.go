package checkpoint

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// A sum of random numbers, which another process goes on with from a point that was kept.
func Example() {
	sum := func(track *Track) float64 {
		source := rand.NewPCG(1, 2)
		numbers, i, total := rand.New(source), 0, 0.0
		defer track.Begin(&i, &total, source)()
		for ; i < 1000; i++ {
			track.Point()
			total += numbers.Float64()
		}
		return total
	}
	var kept []byte
	whole := sum(New(nil, 0, nil, func(state []byte) {
		if kept == nil || rand.IntN(10) > 0 {
			kept = state
		}
	}))
	fmt.Println(sum(New(kept, time.Hour, nil, nil)) == whole)
	// Output:
	// true
}

// all is a variable of every kind that a state can have.
type all struct {
	Flag   bool
	Number int
	floats [3]float64
	lanes  [][2]float32
	grid   [][]int64
	of     *all
	none   *all
	inner  struct{ small uint8 }
	deep   [2][]int
	name   string
	call   func()
	shared []float64
}

func some() all {
	return all{Flag: true, Number: -7, floats: [3]float64{1, math.Copysign(0, -1), math.Inf(1)}, lanes: [][2]float32{{1, 2}, {3, 4}},
		grid: [][]int64{{1}, nil, {2, 3}}, of: &all{Number: 9, lanes: [][2]float32{{5, 6}}}, inner: struct{ small uint8 }{200},
		deep: [2][]int{{1, 2}, {3}}, name: "same", call: func() {}, shared: []float64{1, 2}}
}

// Whatever stood in a variable, it gets the state; what is no part of it stays.
func TestStateOfEveryKind(t *testing.T) {
	want := some()
	state := appendValue(nil, reflect.ValueOf(&want).Elem())
	for what, got := range map[string]all{
		"empty":  {name: "same"},
		"larger": {Number: 3, lanes: make([][2]float32, 9), grid: [][]int64{{1, 2, 3}, {4}, {5}, {6}}, of: &all{shared: []float64{1}}, none: &all{}, deep: [2][]int{{9, 9, 9}, nil}, name: "same"},
		"same":   some(),
	} {
		rest := readValue(slices.Concat(state, []byte("rest")), reflect.ValueOf(&got).Elem())
		if string(rest) != "rest" {
			t.Errorf("%s: %d bytes are left", what, len(rest))
		}
		if again := appendValue(nil, reflect.ValueOf(&got).Elem()); !bytes.Equal(again, state) || got.none != nil || got.of.Number != 9 || len(got.grid) != 3 ||
			got.deep[0][1] != 2 || !math.Signbit(got.floats[1]) {
			t.Errorf("%s: it becomes %+v", what, got)
		}
	}
}

// What is the same is not written to: others may read it meanwhile. Slices of the same length stay in their place.
func TestStateStaysInPlace(t *testing.T) {
	v := some()
	state := appendValue(nil, reflect.ValueOf(&v).Elem())
	lanes, of := &v.lanes[0], v.of
	v.lanes[1][0] = 8
	readValue(state, reflect.ValueOf(&v).Elem())
	if &v.lanes[0] != lanes || v.of != of || v.lanes[1][0] != 3 {
		t.Error("it is in another place")
	}
}

// A state that is not of the variables is refused: cut short, or longer, or of others.
func TestStateOfOthers(t *testing.T) {
	v := some()
	state := appendValue(nil, reflect.ValueOf(&v).Elem())
	refused := func(b []byte, to ...any) (said string) {
		defer func() { said = fmt.Sprint(recover()) }()
		restore(b, to)
		return ""
	}
	for i := range state {
		w := some()
		if said := refused(state[:i], &w); said != (Mismatch{}).Error() {
			t.Fatalf("the first %d bytes of %d: %s", i, len(state), said)
		}
	}
	w, number := some(), 0
	for what, said := range map[string]string{"longer": refused(append(state, 0), &w), "another": refused(state, &number), "a length beyond": refused(bytes.Repeat([]byte{0xff}, 20), &w.shared)} {
		if said != (Mismatch{}).Error() {
			t.Errorf("%s: %s", what, said)
		}
	}
	if said := refused(nil, &map[string]int{}); !strings.Contains(said, "cannot be kept") {
		t.Errorf("a map: %s", said)
	}
	for _, levels := range [][]byte{{1}, {9, 0, 0, 0, 0, 0, 0, 0, 1}} {
		func() {
			defer func() {
				if recover() != (Mismatch{}) {
					t.Errorf("levels %v are read", levels)
				}
			}()
			New(levels, 0, nil, nil)
		}()
	}
}

// Points are kept no more often than asked for, and once when the computation is to stop.
func TestHowOften(t *testing.T) {
	count := 0
	keep := func([]byte) { count++ }
	walk := func(every time.Duration, stop <-chan struct{}) int {
		count = 0
		track := New(nil, every, stop, keep)
		defer track.Begin()()
		for range 100 {
			track.Point()
		}
		track.End()
		return count
	}
	closed := make(chan struct{})
	close(closed)
	if a, b, c := walk(time.Hour, nil), walk(0, nil), walk(time.Hour, closed); a != 0 || b != 100 || c != 1 {
		t.Errorf("of 100 points %d, %d and %d are kept, want 0, 100 and 1", a, b, c)
	}
	var none *Track
	none.Begin(&count)()
	none.Point()
	none.End()
}

// A computation that does not come by where it was kept is found out.
func TestElsewhere(t *testing.T) {
	var kept []byte
	track := New(nil, 0, nil, func(state []byte) { kept = state })
	a, b := 1, 2
	defer track.Begin(&a)()
	defer track.Begin(&b)()
	track.Point()
	defer func() {
		if recover() != (Mismatch{}) {
			t.Error("it is not found out")
		}
	}()
	again := New(kept, 0, nil, nil)
	again.Begin(&a)()
	again.End()
}

// The program is the same whenever it is asked for.
func TestProgram(t *testing.T) {
	a, ok := Program()
	b, _ := Program()
	if !ok || a != b || a == [len(a)]byte{} {
		t.Errorf("the hash of the program is %x, then %x", a, b)
	}
}
