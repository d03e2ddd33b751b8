package theory

import "sync"

// memo holds what was worked out, since rows and lines of theory ask for the same points.
type memo[K comparable, V any] struct{ sync.Map }

// of is what is known at a point, worked out if nobody has asked before.
func (m *memo[K, V]) of(at K, work func() V) V {
	if v, ok := m.Load(at); ok {
		return v.(V)
	}
	v := work()
	m.Store(at, v)
	return v
}

// outward calls add with first, first + 1, …, and then with first − 1, first − 2, …, on
// either side until it is false.
func outward(first int, add func(int) bool) {
	for i := first; add(i); i++ {
	}
	for i := first - 1; add(i); i-- {
	}
}
