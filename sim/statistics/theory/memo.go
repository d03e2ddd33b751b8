package theory

import "sync"

// memo caches computed values by their arguments, since experiments and curves need them often.
type memo[K comparable, V any] struct{ sync.Map }

// get returns the value for a point, the arguments of a function. It calls compute only if the
// value is not cached; concurrent first calls may compute it twice.
func (m *memo[K, V]) get(point K, compute func() V) V {
	if v, ok := m.Load(point); ok {
		return v.(V)
	}
	v := compute()
	m.Store(point, v)
	return v
}

// visitOutward calls visit with first, first + 1, … until it returns false, and then with
// first − 1, first − 2, … until it returns false.
func visitOutward(first int, visit func(int) bool) {
	for i := first; visit(i); i++ {
	}
	for i := first - 1; visit(i); i-- {
	}
}
