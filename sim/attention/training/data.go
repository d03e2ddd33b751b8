package training

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Data is what seeds begin with: tokens and weights, standard normal numbers each, before
// anything is scaled. Seeds that are to be compared have the same of it.
type Data struct {
	Seeds  int
	sizes  [8]int
	groups [][][kernel.Width]float32 // of so many seeds, the numbers of each
}

// sizes returns how many numbers a seed has of each kind, in the order of load, and of all.
func sizes(s Setting) (each [8]int, all int) {
	key := Tokens * s.Dimension
	each = [8]int{Sequences * Keys * Tokens, key, key, key, key, Tokens * Values, Values * Values, s.Dimension}
	for _, n := range each {
		all += n
	}
	return each, all
}

// Draw draws the data of so many seeds. What it draws depends on the d_k alone, so that all
// that is trained at one has the same beginning.
func Draw(lanes *stream.Lanes, s Setting, seeds int) *Data {
	each, all := sizes(s)
	d := &Data{Seeds: seeds, sizes: each}
	normal := kernel.Vectors(distribution.Normal)
	for first := 0; first < seeds; first += kernel.Width {
		numbers := make([][kernel.Width]float32, all)
		normal(lanes, numbers)
		d.groups = append(d.groups, numbers)
	}
	return d
}

// fill writes numbers of the seeds from first on into a matrix, times a factor. The last
// seed stands in for those beyond it.
func (d *Data) fill(m *Matrix, first, offset int, factor float64) {
	for l := range Width {
		seed := min(first+l, d.Seeds-1)
		numbers := d.groups[seed/kernel.Width][offset:]
		for i := range m.V {
			m.V[i][l] = float64(factor * float64(numbers[i][seed%kernel.Width]))
		}
	}
}

// load gives a network the tokens and weights of the seeds from first on.
func (n *Network) load(d *Data, first int) {
	gain := elementary.Pow(float64(n.Dimension), n.Rule.Gain) / math.Sqrt(Tokens)
	offset := 0
	for i, to := range []struct {
		m      *Matrix // nil of what the setting does not have
		factor float64
	}{{n.keys, 1}, {n.query, gain}, {n.key, gain}, {n.firstQuery, gain}, {n.firstKey, gain},
		{n.value, 1 / math.Sqrt(Tokens)}, {n.output, 1 / math.Sqrt(Values)},
		{n.additive, 1 / math.Sqrt(float64(n.Dimension))}} {
		if to.m != nil {
			d.fill(to.m, first, offset, to.factor)
		}
		offset += d.sizes[i]
	}
	if n.Rule.Variant == Copying {
		n.positions()
	} else {
		n.falling()
	}
	n.ask()
}

// falling makes the j-th number of a key fall as 1/j, with their mean square 1.
func (n *Network) falling() {
	const half = Tokens - Values
	var squares float64
	for j := range half {
		squares += 1 / float64((j+1)*(j+1))
	}
	size := math.Sqrt(half / squares)
	for i := range n.keys.Rows {
		for j := range half {
			x := &n.keys.Row(i)[j]
			for l := range x {
				x[l] = float64(x[l] * (size / float64(j+1)))
			}
		}
	}
}

// positions makes the key of token i of every sequence the i-th unit vector, as long as
// normal keys are.
func (n *Network) positions() {
	for i := range n.keys.Rows {
		row := n.keys.Row(i)[:Tokens-Values]
		clear(row)
		for l := range Width {
			row[i%Keys][l] = math.Sqrt(Tokens - Values)
		}
	}
}

// Asked returns which token a sequence asks for: each in turn.
func Asked(sequence int) int { return sequence % Keys }

// ask writes, of the tokens, the values, the tokens that ask and what is wanted.
func (n *Network) ask() {
	for i := range n.keys.Rows {
		copy(n.values.Row(i), n.keys.Row(i)[Tokens-Values:])
	}
	for b := range Sequences {
		asked := b*Keys + Asked(b)
		for j, x := range n.keys.Row(asked)[:Tokens-Values] {
			for l := range Width {
				n.queries.Row(b)[j][l] = float64(math.Sqrt2 * x[l])
			}
		}
		copy(n.wanted.Row(b), n.values.Row(asked))
	}
	for b := range n.sequence.Rows { // of two layers: the tokens of a sequence, then the one that asks
		s, i := b/(Keys+1), b%(Keys+1)
		if i < Keys {
			copy(n.sequence.Row(b), n.keys.Row(s*Keys+i))
		} else {
			copy(n.sequence.Row(b), n.queries.Row(s))
		}
	}
}
