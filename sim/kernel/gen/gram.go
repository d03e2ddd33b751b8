package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A tile of products: 8 queries, half of the 16 that lie side by side in a row
// of memory, by 48 keys, three such rows.
const (
	tileQueries = 8
	tilePanels  = 3
)

const gramSignature = "func(q, k *float32, stride, d int, tile *float32, keep int, sums *float32)"

// gram writes the function that adds the products of d components to a tile
// and, at the last components, the tile's scores and their squares to sums.
//
// AVX-512 holds the whole tile in 24 registers. AVX2 holds a quarter of it, 4
// queries by 24 keys, in 12, NEON one of 8 queries by 12 keys in 24, and they work
// through the quarters in turn.
func (m *machine) gram() {
	m.begin("gram", "adds the products of d components to a tile of 8 queries by 48 keys.", gramSignature, false)
	queries, parts := tileQueries, m.perRow()
	if m.extension == avx2 {
		queries = tileQueries / 2
	}
	columns := m.perRow() * tilePanels / parts
	q, k, stride := m.argument("q"), m.argument("k"), m.argument("stride")
	panels := make([]reg.Register, tilePanels) // where each panel of keys starts
	panels[0] = k
	for p := 1; p < tilePanels; p++ {
		panels[p] = m.GP64()
		m.MOVQ(panels[p-1], panels[p])
		m.ADDQ(stride, panels[p])
	}
	d, tile, keep, sums := m.argument("d"), m.argument("tile"), m.argument("keep"), m.argument("sums")
	for half := range tileQueries / queries {
		for part := range parts {
			m.partProducts(tilePart{m: m, label: string(rune('a'+half)) + string(rune('a'+part)), queries: queries,
				first:   half * queries,
				columns: columns, column: part * columns, q: q, panels: panels, d: d, tile: tile, keep: keep,
				sums: sums})
		}
	}
	m.end()
}

// tilePart is the part of a tile that fits the registers.
type tilePart struct {
	m              *machine
	label          string
	queries, first int // how many queries, from which on
	columns        int // registers of keys
	column         int // the first of them

	q                   reg.Register
	panels              []reg.Register
	d, tile, keep, sums reg.Register
}

// flags of keep: what the tile holds already, and what becomes of it.
const (
	tileLoad  = 1
	tileStore = 2
)

// partProducts emits the loop over components for a part, from the tile to the tile or to
// the sums.
func (m *machine) partProducts(w tilePart) {
	scores := make([]value, w.queries)
	for i := range scores {
		scores[i] = m.registers(w.columns)
	}
	each := func(f func(i, j int, r reg.VecVirtual)) {
		for i := range scores {
			for j, r := range scores[i] {
				f(i, j, r)
			}
		}
	}
	m.TESTQ(operand.U32(tileLoad), w.keep)
	m.JNZ(operand.LabelRef(w.label + "Load"))
	each(func(_, _ int, r reg.VecVirtual) { m.clear(r) })
	m.JMP(operand.LabelRef(w.label + "Start"))
	m.Label(w.label + "Load")
	each(func(i, j int, r reg.VecVirtual) { m.VMOVUPS(w.place(i, j), r) })
	m.Label(w.label + "Start")

	m.tileProducts(w, scores)

	m.TESTQ(operand.U32(tileStore), w.keep)
	m.JNZ(operand.LabelRef(w.label + "Store"))
	for j := range w.columns {
		m.fold(w, j, func(i int) reg.VecVirtual { return scores[i][j] })
	}
	m.JMP(operand.LabelRef(w.label + "End"))
	m.Label(w.label + "Store")
	each(func(i, j int, r reg.VecVirtual) { m.VMOVUPS(r, w.place(i, j)) })
	m.Label(w.label + "End")
}

func (m *machine) clear(r reg.VecVirtual) {
	if m.wide {
		m.VPXORD(r, r, r)
	} else {
		m.VPXOR(r, r, r)
	}
}

// place is where the tile in memory has a register's scores.
func (w tilePart) place(query, column int) operand.Mem {
	perRow := w.m.perRow() * tilePanels
	return operand.Mem{Base: w.tile, Disp: w.m.bytes * ((w.first+query)*perRow + w.column + column)}
}

// tileProducts adds the products of d components, a component after the other.
func (m *machine) tileProducts(w tilePart, scores []value) {
	q, at := m.GP64(), make([]reg.Register, tilePanels)
	m.MOVQ(w.q, q)
	for p := range at {
		at[p] = m.GP64()
		m.MOVQ(w.panels[p], at[p])
	}
	m.steps(w.label+"Product", w.d, 2, func(times int) {
		for step := range times {
			keys := m.registers(w.columns)
			for j := range keys {
				column := w.column + j
				m.VMOVUPS(m.at(at[column/m.perRow()], step, column%m.perRow()), keys[j])
			}
			m.addProducts(w, operand.Mem{Base: q, Disp: row*step + 4*w.first}, keys, scores)
		}
		m.advance(times, append([]reg.Register{q}, at...)...)
	})
}

// addProducts adds the products of a component, the queries' standing side by side.
func (m *machine) addProducts(w tilePart, queries operand.Mem, keys value, scores []value) {
	const inRegister = 4 // of NEON, which multiplies by an element
	var query reg.VecVirtual
	for i := range scores {
		switch {
		case !m.neon:
			query = m.register()
			m.VBROADCASTSS(queries.Offset(4*i), query)
		case i%inRegister == 0:
			query = m.register()
			m.VMOVUPS(queries.Offset(4*i), query)
		}
		for j, r := range scores[i] {
			if m.neon {
				m.changing("FMLA", r, operand.U8(i%inRegister), query, keys[j])
			} else {
				m.VFMADD231PS(query, keys[j], r)
			}
		}
	}
}

// fold adds a register's column of scores, one query after the other, and
// their squares to the sums.
func (m *machine) fold(w tilePart, j int, score func(i int) reg.VecVirtual) {
	perRow := m.perRow() * tilePanels
	place := func(of int) operand.Mem {
		return operand.Mem{Base: w.sums, Disp: m.bytes * (of*perRow + w.column + j)}
	}
	sum, squares, square := m.register(), m.register(), m.register()
	m.VMOVUPS(place(0), sum)
	m.VMOVUPS(place(1), squares)
	for i := range w.queries {
		m.VADDPS(score(i), sum, sum)
		m.VMULPS(score(i), score(i), square)
		m.VADDPS(square, squares, squares)
	}
	m.VMOVUPS(sum, place(0))
	m.VMOVUPS(squares, place(1))
}
