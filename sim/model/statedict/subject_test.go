package statedict

import (
	"maps"
)

// join puts arrays together.
func join(all ...shapes) shapes {
	out := shapes{}
	for _, s := range all {
		maps.Copy(out, s)
	}
	return out
}

// pair are W_Q and W_K of 4 heads of 6 with names of their own, of 24 inputs.
func pair(q, k string) shapes { return shapes{q: {24, 24}, k: {24, 24}} }

// gains are arrays of 24 numbers.
func gains(names ...string) shapes {
	out := shapes{}
	for _, n := range names {
		out[n] = []int{24}
	}
	return out
}
