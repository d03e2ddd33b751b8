package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// begin opens a function. Whether the generator stays resident is for the
// caller to say; in AVX-512 it always does.
func (m *machine) begin(function, doc, signature string, resident bool) {
	m.Function(function + m.suffix())
	m.Attributes(attr.NOSPLIT)
	m.Pragma("noescape")
	m.Doc(function + m.suffix() + " " + doc)
	m.SignatureExpr(signature)
	m.pinned = map[string]reg.VecVirtual{}
	m.resident = m.wide || resident
	m.state = [4]value{}
}

// end returns. Not to clear the upper halves would slow the SSE code of Go.
func (m *machine) end() {
	m.VZEROUPPER()
	m.RET()
}

// argument loads a pointer or an int.
func (m *machine) argument(n string) reg.Register { return m.Load(m.Param(n), m.GP64()) }

// openState loads the generator's state, or makes room for the given number
// of words.
func (m *machine) openState(words int) {
	m.memory = m.argument("state")
	if !m.resident {
		m.slots = m.GP64()
		m.LEAQ(m.AllocLocal(row*words+m.bytes()), m.slots)
		m.ADDQ(operand.U32(uint32(m.bytes()-1)), m.slots)
		m.ANDQ(operand.I8(int8(-m.bytes())), m.slots)
	}
	m.loadState()
}

// parameters pins what the caller passes.
func (m *machine) parameters(names []name) {
	if len(names) == 0 {
		return
	}
	at := m.argument("parameters")
	for i, n := range names {
		r := m.register()
		m.VPBROADCASTD(operand.Mem{Base: at, Disp: 4 * i}, r)
		m.pinned[string(n)] = r
	}
}

// steps runs body count times: as often as possible in steps of unroll, the
// rest one by one. The labels start with the given one.
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

// zero returns a row of zeros.
func (m *machine) zero() value {
	v := make(value, m.parts())
	for i := range v {
		v[i] = m.register()
		if m.wide {
			m.VPXORD(v[i], v[i], v[i])
		} else {
			m.VPXOR(v[i], v[i], v[i])
		}
	}
	return v
}

// accumulate adds the chains of x to sum in their order.
func (m *machine) accumulate(x, sum value) {
	for i := range x {
		s := sum[i%m.parts()]
		m.VADDPS(x[i], s, s)
	}
}

// store writes a chain's value as a row.
func (m *machine) store(v value, chain int, base reg.Register, rows int) {
	for part := range m.parts() {
		m.VMOVUPS(v[chain*m.parts()+part], m.at(base, rows, part))
	}
}

// spread returns the integer of a general register in every lane, as float32.
func (m *machine) spread(x reg.Register) value { return m.float(m.spreadInt(x)) }

func (m *machine) spreadInt(x reg.Register) value {
	v := m.value()
	for i := range v {
		v[i] = m.register()
		m.VMOVQ(x, v[i].AsX())
		m.VPBROADCASTD(v[i].AsX(), v[i])
	}
	return v
}

const pairsSignature = "func(state *uint32, d int, scores *float32, parameters *uint32)"

// pairs writes the function that sums the products of d components.
func (m *machine) pairs(l law, unroll int) {
	m.begin(l.name+"Pairs", "sums the products of d components in every lane.", pairsSignature, l.resident)
	m.parameters(l.parameters)
	d, scores := m.argument("d"), m.argument("scores")
	m.openState(unroll * l.words * 2 / l.draws)
	sum := m.zero()
	m.steps("component", d, unroll, func(times int) {
		m.accumulate(m.products(l, times), sum)
	})
	m.store(sum, 0, scores, 0)
	m.storeState()
	m.end()
}

// products returns the next n products of components, in order.
func (m *machine) products(l law, n int) value {
	m.chains = n * 2 / l.draws
	w := m.words(l.words)
	switch {
	case l.product != nil:
		return l.product(m, w)
	case m.wide:
		return m.alternate(l.draw(m, w)[0], n)
	}
	// one after the other wants fewer registers
	var products value
	for i := range n {
		m.chains = 1
		q := l.draw(m, m.only(w, 2*i))[0]
		products = append(products, m.mul(q, l.draw(m, m.only(w, 2*i+1))[0])...)
	}
	return products
}

// alternate multiplies every second of 2n chains by the next.
func (m *machine) alternate(draws value, n int) value {
	q, k := make(value, n), make(value, n)
	for i := range n {
		q[i], k[i] = draws[2*i], draws[2*i+1]
	}
	m.chains = n
	return m.mul(q, k)
}

func (m *machine) only(w []word, chain int) []word {
	some := make([]word, len(w))
	for i := range w {
		some[i] = m.chain(w[i], chain)
	}
	return some
}

// fill writes the function that stores the draws of whole groups of words.
func (m *machine) fill(l law, unroll int) {
	m.beginFill(l.name, l.draws, l.resident)
	m.parameters(l.parameters)
	m.fillRows(unroll*l.words, unroll, func(at reg.Register, times int) {
		m.chains = times
		draws := l.draw(m, m.words(l.words))
		for c := range times {
			for j := range draws {
				m.store(draws[j], c, at, c*l.draws+j)
			}
		}
		m.ADDQ(operand.U32(uint32(row*times*l.draws)), at)
	})
}

func (m *machine) beginFill(law string, draws int, resident bool) {
	m.begin(law+"Fill", fmt.Sprintf("writes the draws of whole groups, %d each, in every lane.", draws),
		"func(state *uint32, groups int, dst *float32, parameters *uint32)", resident)
}

// fillRows runs body for all groups; body writes their rows and moves on.
func (m *machine) fillRows(words, unroll int, body func(at reg.Register, times int)) {
	groups, dst := m.argument("groups"), m.argument("dst")
	m.openState(words)
	m.steps("group", groups, unroll, func(times int) { body(dst, times) })
	m.storeState()
	m.end()
}
