package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// slotRows is the number of words that a batch draws at most, 4 KiB.
const slotRows = 64

// begin opens a function. Its words come in batches if AVX2 asks for that.
func (m *machine) begin(function, doc, signature string, batched bool) {
	m.Function(function + m.name)
	m.Pragma("noescape")
	m.Doc(function + m.name + " " + doc)
	m.SignatureExpr(signature)
	m.pinned = map[string]reg.VecVirtual{}
	m.batched, m.labels = batched && m.extension == avx2, 0
	if !m.batched {
		m.Attributes(attr.NOSPLIT)
	}
}

// end returns. Not to clear the upper halves would slow the SSE code of Go.
func (m *machine) end() {
	m.VZEROUPPER()
	m.RET()
}

// argument loads a pointer or an int.
func (m *machine) argument(n string) reg.Register { return m.Load(m.Param(n), m.GP64()) }

// inMemory is where an argument stands.
func (m *machine) inMemory(n string) operand.Mem {
	at, err := m.Param(n).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}

// drawing runs body count times, as steps does, with the generator ready;
// body(n) draws n times the given number of words.
func (m *machine) drawing(count reg.Register, unroll, words int, body func(times int)) {
	m.memory = m.argument("state")
	if m.batched {
		m.batches(count, words, body)
		return
	}
	m.loadState()
	if m.wide {
		m.ahead(count, unroll, words, body)
	} else {
		m.steps("draw", count, unroll, body)
	}
	m.storeState()
}

// ahead is steps with the words of a turn drawn among the arithmetic of the turn before. A
// processor looks for work only so far ahead, and should find enough that waits for nothing.
func (m *machine) ahead(count reg.Register, unroll, words int, body func(times int)) {
	const most = 6 // words at once, for which there are registers
	left := m.GP64()
	m.MOVQ(count, left)
	for n := unroll; n > 0; n /= 2 {
		if n > 1 && n*words > most {
			continue
		}
		drawn := m.registers(n * words)
		draw := func() {
			for _, r := range drawn {
				m.next(0, r)
			}
		}
		use := func() {
			m.drawn = drawn
			body(n)
		}
		label := func(of string) string { return fmt.Sprint(of, n) }
		take := func(orElse string) {
			m.SUBQ(operand.U8(uint8(n)), left)
			m.JL(operand.LabelRef(label(orElse)))
		}
		take("done")
		draw()
		m.Label(label("draw"))
		take("last")
		m.interleave(use, draw)
		m.JMP(operand.LabelRef(label("draw")))
		m.Label(label("last"))
		use()
		m.Label(label("done"))
		m.ADDQ(operand.U8(uint8(n)), left)
	}
}

// interleave writes the instructions of b among those of a, for AVX-512: the sooner, the
// better, but of four chains evenly, since these leave no registers. Those of b come after
// what reads what they overwrite.
func (m *machine) interleave(a, b func()) {
	file, _ := m.Result()
	all := file.Functions()
	nodes := &all[len(all)-1].Nodes
	begun := len(*nodes)
	a()
	between := len(*nodes)
	b()
	if !m.wide {
		return
	}
	as, bs := slices.Clone((*nodes)[begun:between]), slices.Clone((*nodes)[between:])
	*nodes = (*nodes)[:begun]
	next := 0
	read := func(n ir.Node) bool {
		return slices.Contains(n.(*ir.Instruction).Inputs, bs[next].(*ir.Instruction).Outputs[0])
	}
	for i, n := range as {
		*nodes = append(*nodes, n)
		for next < len(bs) && next*len(as)*m.chains <= 4*i*len(bs) && !slices.ContainsFunc(as[i+1:], read) {
			*nodes = append(*nodes, bs[next])
			next++
		}
	}
	*nodes = append(*nodes, bs[next:]...)
}

// batches runs body count times, on words that are drawn in batches.
func (m *machine) batches(count reg.Register, words int, body func(times int)) {
	left, first := m.GP64(), m.GP64()
	m.MOVQ(count, left)
	m.LEAQ(m.AllocLocal(row*slotRows+m.bytes), first)
	m.ADDQ(operand.U32(uint32(m.bytes-1)), first)
	m.ANDQ(operand.I8(int8(-m.bytes)), first)
	m.slots = m.GP64()
	m.portions("batch", left, uint32(slotRows/words), func(now reg.Register) {
		m.loadState()
		m.MOVQ(first, m.slots)
		m.steps("draw", now, 1, func(int) {
			for i := range words {
				for part := range m.parts() {
					m.VMOVDQA(m.next(part, m.register()), m.at(m.slots, i, part))
				}
			}
			m.advance(words, m.slots)
		})
		m.storeState()

		m.MOVQ(first, m.slots)
		m.steps("use", now, 1, func(int) {
			body(1)
			m.advance(words, m.slots)
		})
	})
}

// portions runs body for count things, now of them at a time, which are most as long as
// there are so many. It uses up count.
func (m *machine) portions(label string, count reg.Register, most uint32, body func(now reg.Register)) {
	now, limit := m.GP64(), m.GP64()
	m.MOVQ(operand.U32(most), limit)
	m.Label(label)
	m.MOVQ(count, now)
	m.CMPQ(now, limit)
	m.CMOVQGT(limit, now)
	m.SUBQ(now, count)
	body(now)
	m.TESTQ(count, count)
	m.JNZ(operand.LabelRef(label))
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

// steps runs body count times: most of them at a time, a power of 2, as often as possible,
// the rest in halves of that. The labels start with the given one.
func (m *machine) steps(label string, count reg.Register, most int, body func(times int)) {
	left := m.GP64()
	m.MOVQ(count, left)
	for n := most; n > 0; n /= 2 {
		m.labels++
		this := fmt.Sprint(label, m.labels)
		m.SUBQ(operand.U8(uint8(n)), left)
		m.JL(operand.LabelRef(this + "Done"))
		m.Label(this)
		body(n)
		m.SUBQ(operand.U8(uint8(n)), left)
		m.JGE(operand.LabelRef(this))
		m.Label(this + "Done")
		m.ADDQ(operand.U8(uint8(n)), left)
	}
}

// zero returns a row of zeros.
func (m *machine) zero() value {
	v := m.registers(m.parts())
	for _, r := range v {
		m.clear(r)
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

// loadRow reads a row.
func (m *machine) loadRow(base reg.Register, rows int) value {
	v := m.registers(m.parts())
	for part, r := range v {
		m.VMOVUPS(m.at(base, rows, part), r)
	}
	return v
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
	for _, r := range v {
		m.VMOVQ(x, r.AsX())
		m.VPBROADCASTD(r.AsX(), r)
	}
	return v
}

const pairsSignature = "func(state *uint32, d int, scores *float32, parameters *uint32)"

// pairs writes the function that sums the products of d components.
func (m *machine) pairs(l distribution) {
	m.begin(l.name+"Pairs", "sums the products of d components in every lane.", pairsSignature, !l.resident)
	m.parameters(l.parameters)
	d, scores := m.argument("d"), m.argument("scores")
	sum := m.zero()
	m.drawing(d, m.atOnce(l), l.words*2/l.draws, func(times int) {
		m.accumulate(m.products(l, times), sum)
	})
	m.store(sum, 0, scores, 0)
	m.end()
}

// products returns the next n products of components, in order.
func (m *machine) products(l distribution, n int) value {
	m.chains = n * 2 / l.draws
	switch {
	case l.product != nil:
		return l.product(m, m.words(l.words))
	case m.wide, m.neon:
		return m.alternate(l.draw(m, m.words(l.words))[0], n)
	}
	// one after the other wants fewer registers
	m.chains = 1
	w := m.words(2 * l.words)
	q := l.draw(m, w[:l.words])[0]
	return m.mul(q, l.draw(m, w[l.words:])[0])
}

// alternate multiplies every second of 2n chains by the next.
func (m *machine) alternate(draws value, n int) value {
	q, k := make(value, n), make(value, n)
	for i := range n {
		q[i], k[i] = draws[2*i], draws[2*i+1]
	}
	return m.mul(q, k)
}

// fill writes the function that stores the draws of whole groups of words.
func (m *machine) fill(l distribution) {
	m.beginFill(l.name, l.draws, !l.resident)
	m.parameters(l.parameters)
	m.fillRows(m.atOnce(l), l.words, func(at reg.Register, times int) {
		m.chains = times
		draws := l.draw(m, m.words(l.words))
		for c := range times {
			for j := range draws {
				m.store(draws[j], c, at, c*l.draws+j)
			}
		}
		m.advance(times*l.draws, at)
	})
}

func (m *machine) beginFill(distribution string, draws int, batched bool) {
	m.begin(distribution+"Fill", fmt.Sprintf("writes the draws of whole groups, %d each, in every lane.", draws),
		"func(state *uint32, groups int, dst *float32, parameters *uint32)", batched)
}

// fillRows runs body for all groups; body writes their rows and moves on.
func (m *machine) fillRows(unroll, words int, body func(at reg.Register, times int)) {
	groups, dst := m.argument("groups"), m.argument("dst")
	m.drawing(groups, unroll, words, func(times int) { body(dst, times) })
	m.end()
}

// atOnce is the number of steps of a distribution at once.
func (m *machine) atOnce(l distribution) int {
	if m.neon && l.single {
		return 1
	}
	return m.unroll
}
