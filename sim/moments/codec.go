package moments

import (
	"encoding/binary"
	"errors"
	"math"
)

// AppendNode appends the node's binary form: the numbers of its moments and
// counts, each moment's N, order, mean and sums, each count, little-endian.
func AppendNode(b []byte, n Node) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(n.Moments)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(n.Counts)))
	for _, m := range n.Moments {
		b = binary.LittleEndian.AppendUint64(b, uint64(m.N))
		b = binary.LittleEndian.AppendUint64(b, uint64(m.Order))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Mean))
		for p := 2; p <= m.Order; p++ {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Sum[p]))
		}
	}
	for _, c := range n.Counts {
		b = binary.LittleEndian.AppendUint64(b, uint64(c))
	}
	return b
}

var errNode = errors.New("a node is cut short or malformed")

// ReadNode reads a node off the front of b and returns what follows it.
func ReadNode(b []byte) (Node, []byte, error) {
	if len(b) < 8 {
		return Node{}, nil, errNode
	}
	columns, counts := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	b = b[8:]
	if columns > len(b)/24 || counts > len(b)/8 {
		return Node{}, nil, errNode
	}
	n := Node{Moments: make([]Moments, columns), Counts: make([]int64, counts)}
	var ok bool
	for i := range n.Moments {
		if n.Moments[i], b, ok = readMoments(b); !ok {
			return Node{}, nil, errNode
		}
	}
	if len(b) < 8*counts {
		return Node{}, nil, errNode
	}
	for i := range n.Counts {
		n.Counts[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return n, b[8*counts:], nil
}

func readMoments(b []byte) (m Moments, rest []byte, ok bool) {
	if len(b) < 24 {
		return m, nil, false
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	m.N, m.Mean = int64(word(0)), math.Float64frombits(word(2))
	order := word(1)
	if order < 2 || order > MaxOrder || m.N < 0 || len(b) < int(8*(order+2)) {
		return m, nil, false
	}
	m.Order = int(order)
	for p := 2; p <= m.Order; p++ {
		m.Sum[p] = math.Float64frombits(word(p + 1))
	}
	return m, b[8*(order+2):], true
}
