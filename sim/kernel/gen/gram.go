package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A tile has the scores of 8 queries by 48 keys. The queries are half of a row of memory, and the
// keys are 3 rows, each in its own panel. A panel has one row for each component.
const (
	tileQueries = 8
	tilePanels  = 3
)

const gramSignature = "func(q, k *float32, stride, d int, tile *float32, keep int, sums *float32)"

// emitGram writes the function that adds the products of d components to a tile. After the last
// components, it adds the tile's scores and their squares to sums instead of storing the tile.
//
// AVX-512 holds the whole tile in 24 registers. AVX2 holds a quarter of it, 4 queries by 24 keys,
// in 12 registers. NEON holds a quarter of 8 queries by 12 keys in 24 registers. AVX2 and NEON
// compute one quarter after the other.
func (m *machine) emitGram() {
	m.beginFunction("gram", "adds the products of d components to a tile of 8 queries by 48 keys.", gramSignature,
		false)
	queries, columnParts := tileQueries, m.registersPerRow()
	if m.extension == avx2 {
		queries = tileQueries / 2
	}
	columns := m.registersPerRow() * tilePanels / columnParts
	q, k, stride := m.loadArgument("q"), m.loadArgument("k"), m.loadArgument("stride")
	panels := make([]reg.Register, tilePanels) // start of each panel of keys
	panels[0] = k
	for p := 1; p < tilePanels; p++ {
		panels[p] = m.GP64()
		m.MOVQ(panels[p-1], panels[p])
		m.ADDQ(stride, panels[p])
	}
	d, tile, keep, sums := m.loadArgument("d"), m.loadArgument("tile"), m.loadArgument("keep"), m.loadArgument("sums")
	for i := range tileQueries / queries {
		for j := range columnParts {
			m.emitTilePart(tilePart{
				m: m, label: string(rune('a'+i)) + string(rune('a'+j)),
				queries: queries, firstQuery: i * queries, columns: columns, firstColumn: j * columns,
				q: q, panels: panels, d: d, tile: tile, keep: keep, sums: sums,
			})
		}
	}
	m.endFunction()
}

// tilePart is a part of a tile that fits in registers.
type tilePart struct {
	m                   *machine
	label               string
	queries, firstQuery int // number of queries, and index of the first of them
	columns             int // number of columns; the keys of a column are in one register
	firstColumn         int // index of the first column

	// Registers with the arguments of the function, and with the start of each panel.
	q                   reg.Register
	panels              []reg.Register
	d, tile, keep, sums reg.Register
}

// Flags of the argument keep.
const (
	tileLoad  = 1 // the function begins with the scores in tile, otherwise with zeros
	tileStore = 2 // it stores the scores in tile, otherwise it adds them to sums
)

// emitTilePart writes the code for a part of the tile: the loop over components and, before and
// after it, what the flags of keep require.
func (m *machine) emitTilePart(w tilePart) {
	scores := make([]value, w.queries)
	for i := range scores {
		scores[i] = m.registers(w.columns)
	}
	// forEach calls f with the indexes of query and column and with the register of every element.
	forEach := func(f func(i, j int, r reg.VecVirtual)) {
		for i := range scores {
			for j, r := range scores[i] {
				f(i, j, r)
			}
		}
	}
	m.TESTQ(operand.U32(tileLoad), w.keep)
	m.JNZ(operand.LabelRef(w.label + "Load"))
	forEach(func(_, _ int, r reg.VecVirtual) { m.clear(r) })
	m.JMP(operand.LabelRef(w.label + "Start"))
	m.Label(w.label + "Load")
	forEach(func(i, j int, r reg.VecVirtual) { m.VMOVUPS(w.address(i, j), r) })
	m.Label(w.label + "Start")

	m.emitTileProducts(w, scores)

	m.TESTQ(operand.U32(tileStore), w.keep)
	m.JNZ(operand.LabelRef(w.label + "Store"))
	for j := range w.columns {
		m.addToSums(w, j, func(i int) reg.VecVirtual { return scores[i][j] })
	}
	m.JMP(operand.LabelRef(w.label + "End"))
	m.Label(w.label + "Store")
	forEach(func(i, j int, r reg.VecVirtual) { m.VMOVUPS(r, w.address(i, j)) })
	m.Label(w.label + "End")
}

func (m *machine) clear(r reg.VecVirtual) {
	if m.isAVX512 {
		m.VPXORD(r, r, r)
	} else {
		m.VPXOR(r, r, r)
	}
}

// address returns the address in the tile of the scores of one query and one column of the part.
func (w tilePart) address(query, column int) operand.Mem {
	perRow := w.m.registersPerRow() * tilePanels
	return operand.Mem{Base: w.tile, Disp: w.m.bytes * ((w.firstQuery+query)*perRow + w.firstColumn + column)}
}

// emitTileProducts adds the products of d components, one component after the other.
func (m *machine) emitTileProducts(w tilePart, scores []value) {
	q, cursors := m.GP64(), make([]reg.Register, tilePanels)
	m.MOVQ(w.q, q)
	for p := range cursors {
		cursors[p] = m.GP64()
		m.MOVQ(w.panels[p], cursors[p])
	}
	m.emitLoop(w.label+"Product", w.d, 2, func(times int) {
		for step := range times {
			keys := m.registers(w.columns)
			for j := range keys {
				column := w.firstColumn + j
				m.VMOVUPS(m.address(cursors[column/m.registersPerRow()], step, column%m.registersPerRow()), keys[j])
			}
			m.emitProducts(w, operand.Mem{Base: q, Disp: rowBytes*step + 4*w.firstQuery}, keys, scores)
		}
		m.advance(times, append([]reg.Register{q}, cursors...)...)
	})
}

// emitProducts adds the products of one component of the queries, which are next to each other in
// memory.
func (m *machine) emitProducts(w tilePart, queries operand.Mem, keys value, scores []value) {
	const inRegister = 4 // queries in a register of NEON, which can multiply by one element of it
	var query reg.VecVirtual
	for i := range scores {
		switch {
		case !m.isNEON:
			query = m.register()
			m.VBROADCASTSS(queries.Offset(4*i), query)
		case i%inRegister == 0:
			query = m.register()
			m.VMOVUPS(queries.Offset(4*i), query)
		}
		for j, r := range scores[i] {
			if m.isNEON {
				m.emitUpdate("FMLA", r, operand.U8(i%inRegister), query, keys[j])
			} else {
				m.VFMADD231PS(query, keys[j], r)
			}
		}
	}
}

// addToSums adds a column of scores and their squares to the sums, in the order of the queries.
func (m *machine) addToSums(w tilePart, j int, score func(i int) reg.VecVirtual) {
	perRow := m.registersPerRow() * tilePanels
	sumAddress := func(sum int) operand.Mem {
		return operand.Mem{Base: w.sums, Disp: m.bytes * (sum*perRow + w.firstColumn + j)}
	}
	sum, squareSum, square := m.register(), m.register(), m.register()
	m.VMOVUPS(sumAddress(0), sum)
	m.VMOVUPS(sumAddress(1), squareSum)
	for i := range w.queries {
		m.VADDPS(score(i), sum, sum)
		m.VMULPS(score(i), score(i), square)
		m.VADDPS(square, squareSum, squareSum)
	}
	m.VMOVUPS(sum, sumAddress(0))
	m.VMOVUPS(squareSum, sumAddress(1))
}
