package training

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Data has the tokens and the initial weights of several seeds before scaling, which are standard
// normal numbers. Settings whose results are compared use the same Data.
type Data struct {
	Seeds  int
	counts [8]int                    // see countNumbers
	panels [][][kernel.Width]float32 // panels[i][j] is number j of the kernel.Width seeds from i·kernel.Width on
}

// countNumbers returns how many numbers of a seed each matrix gets, in the order in which load sets
// the matrices, and the sum of these counts.
func countNumbers(s Setting) (counts [8]int, total int) {
	key := TokenSize * s.Dimension
	counts = [8]int{Sequences * Keys * TokenSize, key, key, key, key, TokenSize * ValueSize, ValueSize * ValueSize,
		s.Dimension}
	for _, n := range counts {
		total += n
	}
	return counts, total
}

// SampleData samples the data of the given number of seeds. Of the setting they depend only on d_k,
// so that all settings with the same d_k begin with the same numbers.
func SampleData(lanes *stream.Lanes, s Setting, seeds int) *Data {
	counts, total := countNumbers(s)
	d := &Data{Seeds: seeds, counts: counts}
	sampleNormals := kernel.Vectors(distribution.Normal)
	for first := 0; first < seeds; first += kernel.Width {
		numbers := make([][kernel.Width]float32, total)
		sampleNormals(lanes, numbers)
		d.panels = append(d.panels, numbers)
	}
	return d
}

// fill sets a matrix to factor times the numbers of the seeds from first on. offset is the index of
// its first number. If there are fewer than Width such seeds, the last one is repeated.
func (d *Data) fill(m *Matrix, first, offset int, factor float64) {
	for l := range Width {
		seed := min(first+l, d.Seeds-1)
		numbers := d.panels[seed/kernel.Width][offset:]
		for i := range m.V {
			m.V[i][l] = float64(factor * float64(numbers[i][seed%kernel.Width]))
		}
	}
}

// load sets the tokens and initial weights of a network for the seeds from first on.
func (n *Network) load(d *Data, first int) {
	gain := elementary.Pow(float64(n.Dimension), n.Rule.GainExponent) / math.Sqrt(TokenSize)
	offset := 0
	for i, part := range []struct {
		matrix *Matrix // nil if the setting does not have it
		factor float64
	}{{n.tokens, 1}, {n.queryWeights, gain}, {n.keyWeights, gain}, {n.firstQueryWeights, gain},
		{n.firstKeyWeights, gain},
		{n.valueWeights, 1 / math.Sqrt(TokenSize)}, {n.outputWeights, 1 / math.Sqrt(ValueSize)},
		{n.additiveWeights, 1 / math.Sqrt(float64(n.Dimension))}} {
		if part.matrix != nil {
			d.fill(part.matrix, first, offset, part.factor)
		}
		offset += d.counts[i]
	}
	if n.Rule.Variant == Copying {
		n.setPositionKeys()
	} else {
		n.scaleKeys()
	}
	n.setQuestions()
}

// scaleKeys multiplies the j-th number of every key by c/j. The constant c keeps the expected mean
// square of a key at 1.
func (n *Network) scaleKeys() {
	const keySize = TokenSize - ValueSize
	var squares float64
	for j := range keySize {
		squares += 1 / float64((j+1)*(j+1))
	}
	scale := math.Sqrt(keySize / squares)
	for i := range n.tokens.Rows {
		for j := range keySize {
			x := &n.tokens.Row(i)[j]
			for l := range x {
				x[l] = float64(x[l] * (scale / float64(j+1)))
			}
		}
	}
}

// setPositionKeys sets the key of token i of every sequence to the i-th unit vector, with the
// length of normal keys.
func (n *Network) setPositionKeys() {
	for i := range n.tokens.Rows {
		row := n.tokens.Row(i)[:TokenSize-ValueSize]
		clear(row)
		for l := range Width {
			row[i%Keys][l] = math.Sqrt(TokenSize - ValueSize)
		}
	}
}

// QueriedToken returns the index of the token for whose value the question of a sequence asks. The
// index goes through all tokens from sequence to sequence.
func QueriedToken(sequence int) int { return sequence % Keys }

// setQuestions sets the values, the questions, the targets and the sequences from the tokens.
func (n *Network) setQuestions() {
	for i := range n.tokens.Rows {
		copy(n.values.Row(i), n.tokens.Row(i)[TokenSize-ValueSize:])
	}
	for b := range Sequences {
		queried := b*Keys + QueriedToken(b)
		for j, x := range n.tokens.Row(queried)[:TokenSize-ValueSize] {
			for l := range Width {
				n.questions.Row(b)[j][l] = float64(math.Sqrt2 * x[l])
			}
		}
		copy(n.targets.Row(b), n.values.Row(queried))
	}
	for b := range n.sequence.Rows { // none unless there are two layers
		s, i := b/(Keys+1), b%(Keys+1)
		if i < Keys {
			copy(n.sequence.Row(b), n.tokens.Row(s*Keys+i))
		} else {
			copy(n.sequence.Row(b), n.questions.Row(s))
		}
	}
}
