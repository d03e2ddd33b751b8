package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// begin opens a function and returns its arguments in registers. The body is
// written once and works on the lanes of one register: for AVX2 it runs for
// the lower half of the lanes, then for the upper.
func (m *machine) begin(function, doc, signature string) {
	m.Function(function + m.suffix())
	m.Attributes(attr.NOSPLIT)
	m.Pragma("noescape")
	m.Doc(function + m.suffix() + " " + doc)
	m.SignatureExpr(signature)
	m.pinned = map[string]reg.VecVirtual{}
}

func (m *machine) parameters(names []name) {
	if len(names) == 0 {
		return
	}
	at := m.Load(m.Param("parameters"), m.GP64())
	for i, n := range names {
		r := m.register()
		m.VPBROADCASTD(operand.Mem{Base: at, Disp: 4 * i}, r)
		m.pinned[string(n)] = r
	}
}

// halves runs body for every part of the lanes; the pointers move on by one
// register in between.
func (m *machine) halves(body func(), pointers ...reg.Register) {
	if m.wide {
		body()
		return
	}
	left := m.GP64()
	m.MOVQ(operand.U32(2), left)
	m.Label("half")
	body()
	for _, p := range pointers {
		m.ADDQ(operand.U8(32), p)
	}
	m.DECQ(left)
	m.JNZ(operand.LabelRef("half"))
}

// steps runs body count times: as often as possible in steps of unroll, the
// rest one by one. The label is prefixed by the name.
func (m *machine) steps(label string, count reg.Register, unroll int, body func(times int)) {
	left := m.GP64()
	m.MOVQ(count, left)
	if unroll > 1 {
		m.SUBQ(operand.U8(uint8(unroll)), left)
		m.JL(operand.LabelRef(label + "Rest"))
		m.Label(label + "Loop")
		body(unroll)
		m.SUBQ(operand.U8(uint8(unroll)), left)
		m.JGE(operand.LabelRef(label + "Loop"))
		m.Label(label + "Rest")
		m.ADDQ(operand.U8(uint8(unroll)), left)
	}
	m.TESTQ(left, left)
	m.JZ(operand.LabelRef(label + "Done"))
	m.Label(label + "One")
	body(1)
	m.DECQ(left)
	m.JNZ(operand.LabelRef(label + "One"))
	m.Label(label + "Done")
}

func (m *machine) zero() reg.VecVirtual {
	r := m.register()
	if m.wide {
		m.VPXORD(r, r, r)
	} else {
		m.VPXOR(r, r, r)
	}
	return r
}

// pairs writes the function that sums the products of d components.
func (m *machine) pairs(l law, unroll int, pins []name) {
	m.begin(l.name+"Pairs", "sums the products of d components in every lane.",
		"func(state *uint32, d int, scores *float32, parameters *uint32)")
	m.parameters(l.parameters)
	m.pin(pins...)
	state := m.Load(m.Param("state"), m.GP64())
	d := m.Load(m.Param("d"), m.GP64())
	scores := m.Load(m.Param("scores"), m.GP64())
	m.halves(func() {
		m.loadState(state)
		sum := m.zero()
		m.steps("component", d, unroll, func(times int) {
			for _, p := range m.products(l, times) {
				m.VADDPS(p, sum, sum)
			}
		})
		m.VMOVUPS(sum, operand.Mem{Base: scores})
		m.storeState(state)
	}, state, scores)
	m.VZEROUPPER()
	m.RET()
}

// products returns the next n products of components, in order.
func (m *machine) products(l law, n int) value {
	m.chains = n
	switch {
	case l.product != nil:
		return l.product(m, m.words(l.words))
	case l.draws == 2:
		qk := l.draw(m, m.words(l.words))
		return m.mul(qk[0], qk[1])
	}
	if n == 1 && !m.wide { // one after the other wants fewer registers
		q := l.draw(m, m.words(l.words))[0]
		return m.mul(q, l.draw(m, m.words(l.words))[0])
	}
	m.chains = 2 * n
	draws := l.draw(m, m.words(l.words))[0]
	q, k := make(value, n), make(value, n)
	for i := range n {
		q[i], k[i] = draws[2*i], draws[2*i+1]
	}
	m.chains = n
	return m.mul(q, k)
}

// fill writes the function that stores the draws of whole groups of words.
func (m *machine) fill(l law, unroll int, pins []name) {
	m.beginFill(l.name, l.draws)
	m.parameters(l.parameters)
	m.pin(pins...)
	m.fillRows(func(at reg.Register, times int) {
		m.chains = times
		draws := l.draw(m, m.words(l.words))
		for c := range times {
			for j := range draws {
				m.VMOVUPS(draws[j][c], operand.Mem{Base: at, Disp: row * (c*l.draws + j)})
			}
		}
		m.ADDQ(operand.U32(uint32(row*times*l.draws)), at)
	}, unroll)
}

func (m *machine) beginFill(law string, draws int) {
	m.begin(law+"Fill", fmt.Sprintf("writes the draws of whole groups, %d each, in every lane.", draws),
		"func(state *uint32, groups int, dst *float32, parameters *uint32)")
}

// fillRows runs body for all groups; body writes their rows and moves on.
func (m *machine) fillRows(body func(at reg.Register, times int), unroll int) {
	state := m.Load(m.Param("state"), m.GP64())
	groups := m.Load(m.Param("groups"), m.GP64())
	dst := m.Load(m.Param("dst"), m.GP64())
	m.halves(func() {
		m.loadState(state)
		at := m.GP64()
		m.MOVQ(dst, at)
		m.steps("group", groups, unroll, func(times int) { body(at, times) })
		m.storeState(state)
	}, state, dst)
	m.VZEROUPPER()
	m.RET()
}

// spread returns the integer of a general register in every lane, as float32.
func (m *machine) spread(x reg.Register) value {
	r := m.register()
	m.VMOVQ(x, r.AsX())
	m.VPBROADCASTD(r.AsX(), r)
	return m.float(value{r})
}
