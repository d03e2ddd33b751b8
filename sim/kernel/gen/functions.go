package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// slotRows is the largest number of words in a batch; they take 4 KiB.
const slotRows = 64

// beginFunction begins a function. If batched is set, its code for AVX2 generates words in batches.
func (m *machine) beginFunction(function, doc, signature string, batched bool) {
	m.Function(function + m.name)
	m.Pragma("noescape")
	m.Doc(function + m.name + " " + doc)
	m.SignatureExpr(signature)
	m.pinned = map[string]reg.VecVirtual{}
	m.batched, m.labelCount = batched && m.extension == avx2, 0
	if !m.batched {
		m.Attributes(attr.NOSPLIT)
	}
}

// endFunction returns from the function. Without VZEROUPPER, the upper halves of registers would
// slow the SSE code of Go.
func (m *machine) endFunction() {
	m.VZEROUPPER()
	m.RET()
}

// loadArgument loads a pointer or an int.
func (m *machine) loadArgument(n string) reg.Register { return m.Load(m.Param(n), m.GP64()) }

// argumentAddress returns the address of an argument.
func (m *machine) argumentAddress(n string) operand.Mem {
	component, err := m.Param(n).Resolve()
	if err != nil {
		panic(err)
	}
	return component.Addr
}

// emitDrawingLoop writes a loop that runs body count times, as emitLoop does, and that loads and
// stores the state of the generator. body(n) uses n·words words.
func (m *machine) emitDrawingLoop(count reg.Register, unroll, words int, body func(times int)) {
	m.stateAddress = m.loadArgument("state")
	if m.batched {
		m.emitBatches(count, words, body)
		return
	}
	m.loadState()
	if m.isAVX512 {
		m.emitDrawAhead(count, unroll, words, body)
	} else {
		m.emitLoop("draw", count, unroll, body)
	}
	m.storeState()
}

// emitDrawAhead emits the loop of emitLoop, but mixes the generation of the words for one turn with
// the arithmetic of the previous turn. A processor searches only a limited number of
// instructions ahead for work whose inputs are ready. In the mixture it finds more of such work.
func (m *machine) emitDrawAhead(count reg.Register, unroll, words int, body func(times int)) {
	const maxWords = 6 // number of words for which there are enough registers
	left := m.GP64()
	m.MOVQ(count, left)
	for n := unroll; n > 0; n /= 2 {
		if n > 1 && n*words > maxWords {
			continue
		}
		nextWords := m.registers(n * words)
		draw := func() {
			for _, r := range nextWords {
				m.nextWord(0, r)
			}
		}
		use := func() {
			m.drawnWords = nextWords
			body(n)
		}
		label := func(prefix string) string { return fmt.Sprint(prefix, n) }
		countDown := func(exit string) {
			m.SUBQ(operand.U8(uint8(n)), left)
			m.JL(operand.LabelRef(label(exit)))
		}
		countDown("done")
		draw()
		m.Label(label("draw"))
		countDown("last")
		m.interleave(use, draw)
		m.JMP(operand.LabelRef(label("draw")))
		m.Label(label("last"))
		use()
		m.Label(label("done"))
		m.ADDQ(operand.U8(uint8(n)), left)
	}
}

// interleave writes the instructions of a and b. For AVX-512 it mixes them: the instructions of b
// come as early as possible, but four chains, which leave no registers free, get them at even
// distances. An instruction of b comes after all instructions of a that read the register that it
// overwrites.
func (m *machine) interleave(a, b func()) {
	file, _ := m.Result()
	functions := file.Functions()
	nodes := &functions[len(functions)-1].Nodes
	start := len(*nodes)
	a()
	middle := len(*nodes)
	b()
	if !m.isAVX512 {
		return
	}
	aNodes, bNodes := slices.Clone((*nodes)[start:middle]), slices.Clone((*nodes)[middle:]) // instructions
	*nodes = (*nodes)[:start]
	next := 0
	// readsNext reports whether an instruction reads the register that the next instruction of b
	// overwrites.
	readsNext := func(n ir.Node) bool {
		return slices.Contains(n.(*ir.Instruction).Inputs, bNodes[next].(*ir.Instruction).Outputs[0])
	}
	// canFollow reports whether the next instruction of b may follow instruction i of a.
	canFollow := func(i int) bool {
		isDue := next*len(aNodes)*m.chains <= 4*i*len(bNodes)
		return isDue && !slices.ContainsFunc(aNodes[i+1:], readsNext)
	}
	for i, n := range aNodes {
		*nodes = append(*nodes, n)
		for next < len(bNodes) && canFollow(i) {
			*nodes = append(*nodes, bNodes[next])
			next++
		}
	}
	*nodes = append(*nodes, bNodes[next:]...)
}

// emitBatches writes a loop that runs body count times, on words that are generated in batches.
func (m *machine) emitBatches(count reg.Register, words int, body func(times int)) {
	left, first := m.GP64(), m.GP64()
	m.MOVQ(count, left)
	// Align the slots to a multiple of the size of a register.
	m.LEAQ(m.AllocLocal(rowBytes*slotRows+m.bytes), first)
	m.ADDQ(operand.U32(uint32(m.bytes-1)), first)
	m.ANDQ(operand.I8(int8(-m.bytes)), first)
	m.slots = m.GP64()
	m.emitPortions("batch", left, uint32(slotRows/words), func(size reg.Register) {
		m.loadState()
		m.MOVQ(first, m.slots)
		m.emitLoop("draw", size, 1, func(int) {
			for i := range words {
				for part := range m.parts() {
					m.VMOVDQA(m.nextWord(part, m.register()), m.address(m.slots, i, part))
				}
			}
			m.advance(words, m.slots)
		})
		m.storeState()

		m.MOVQ(first, m.slots)
		m.emitLoop("use", size, 1, func(int) {
			body(1)
			m.advance(words, m.slots)
		})
	})
}

// emitPortions writes a loop that divides count items into portions and runs body for each. The
// register size has the number of items of a portion: maxSize, or what is left for the last one.
// The loop subtracts the sizes from count.
func (m *machine) emitPortions(label string, count reg.Register, maxSize uint32, body func(size reg.Register)) {
	size, limit := m.GP64(), m.GP64()
	m.MOVQ(operand.U32(maxSize), limit)
	m.Label(label)
	m.MOVQ(count, size)
	m.CMPQ(size, limit)
	m.CMOVQGT(limit, size)
	m.SUBQ(size, count)
	body(size)
	m.TESTQ(count, count)
	m.JNZ(operand.LabelRef(label))
}

// pinParameters loads the distribution's parameters into registers.
func (m *machine) pinParameters(names []name) {
	if len(names) == 0 {
		return
	}
	address := m.loadArgument("parameters")
	for i, n := range names {
		r := m.register()
		m.VPBROADCASTD(operand.Mem{Base: address, Disp: 4 * i}, r)
		m.pinned[string(n)] = r
	}
}

// emitLoop writes loops that run body count times. body(n) writes the code for n times. The first
// loop runs body(maxUnroll) until fewer than maxUnroll times are left, the next one
// body(maxUnroll/2), and so on to body(1). maxUnroll must be a power of 2. The labels begin with
// the given label.
func (m *machine) emitLoop(label string, count reg.Register, maxUnroll int, body func(times int)) {
	left := m.GP64()
	m.MOVQ(count, left)
	for n := maxUnroll; n > 0; n /= 2 {
		m.labelCount++
		loop := fmt.Sprint(label, m.labelCount)
		m.SUBQ(operand.U8(uint8(n)), left)
		m.JL(operand.LabelRef(loop + "Done"))
		m.Label(loop)
		body(n)
		m.SUBQ(operand.U8(uint8(n)), left)
		m.JGE(operand.LabelRef(loop))
		m.Label(loop + "Done")
		m.ADDQ(operand.U8(uint8(n)), left)
	}
}

// newZeroRow returns a row of zeros.
func (m *machine) newZeroRow() value {
	v := m.registers(m.parts())
	for _, r := range v {
		m.clear(r)
	}
	return v
}

// accumulate adds the chains of x to sum, one after the other.
func (m *machine) accumulate(x, sum value) {
	for i := range x {
		s := sum[i%m.parts()]
		m.VADDPS(x[i], s, s)
	}
}

// loadRow loads the row of memory that is the given number of rows after base.
func (m *machine) loadRow(base reg.Register, rows int) value {
	v := m.registers(m.parts())
	for part, r := range v {
		m.VMOVUPS(m.address(base, rows, part), r)
	}
	return v
}

// storeRow stores one chain of a value in the row that is the given number of rows after base.
func (m *machine) storeRow(v value, chain int, base reg.Register, rows int) {
	for part := range m.parts() {
		m.VMOVUPS(v[chain*m.parts()+part], m.address(base, rows, part))
	}
}

// spreadFloat returns a value with the integer of a general register in every lane, as float32.
func (m *machine) spreadFloat(x reg.Register) value { return m.float(m.spreadInt(x)) }

// spreadInt returns a value with the integer of a general register in every lane.
func (m *machine) spreadInt(x reg.Register) value {
	v := m.newValue()
	for _, r := range v {
		m.VMOVQ(x, r.AsX())
		m.VPBROADCASTD(r.AsX(), r)
	}
	return v
}

const pairsSignature = "func(state *uint32, d int, scores *float32, parameters *uint32)"

// emitPairs writes the function that sums the products of d components.
func (m *machine) emitPairs(l distribution) {
	m.beginFunction(l.name+"Pairs", "sums the products of d components in every lane.", pairsSignature,
		!l.residentState)
	m.pinParameters(l.parameters)
	d, scores := m.loadArgument("d"), m.loadArgument("scores")
	sum := m.newZeroRow()
	m.emitDrawingLoop(d, m.stepsAtOnce(l), l.words*2/l.draws, func(times int) {
		m.accumulate(m.newProducts(l, times), sum)
	})
	m.storeRow(sum, 0, scores, 0)
	m.endFunction()
}

// newProducts returns the next n products of components, in order.
func (m *machine) newProducts(l distribution, n int) value {
	m.chains = n * 2 / l.draws
	switch {
	case l.product != nil:
		return l.product(m, m.words(l.words))
	case m.isAVX512, m.isNEON:
		return m.multiplyAlternate(l.draw(m, m.words(l.words))[0], n)
	}
	m.chains = 1 // AVX2 computes one draw after the other, which needs fewer registers
	w := m.words(2 * l.words)
	q := l.draw(m, w[:l.words])[0]
	return m.mul(q, l.draw(m, w[l.words:])[0])
}

// multiplyAlternate returns a value of n chains: chain i is the product of chains 2i and 2i+1 of
// the draws.
func (m *machine) multiplyAlternate(draws value, n int) value {
	q, k := make(value, n), make(value, n)
	for i := range n {
		q[i], k[i] = draws[2*i], draws[2*i+1]
	}
	return m.mul(q, k)
}

// emitFill writes the function that stores the draws of a number of groups of words.
func (m *machine) emitFill(l distribution) {
	m.beginFill(l.name, l.draws, !l.residentState)
	m.pinParameters(l.parameters)
	m.emitFillRows(m.stepsAtOnce(l), l.words, func(dst reg.Register, times int) {
		m.chains = times
		draws := l.draw(m, m.words(l.words))
		for c := range times {
			for j := range draws {
				m.storeRow(draws[j], c, dst, c*l.draws+j)
			}
		}
		m.advance(times*l.draws, dst)
	})
}

// beginFill begins the function that stores the given number of draws for each group of words.
func (m *machine) beginFill(distribution string, draws int, batched bool) {
	m.beginFunction(distribution+"Fill",
		fmt.Sprintf("writes the draws of whole groups, %d each, in every lane.", draws),
		"func(state *uint32, groups int, dst *float32, parameters *uint32)", batched)
}

// emitFillRows writes the loop over the groups and ends the function. body(dst, n) writes the code
// that stores the draws of n groups and advances dst.
func (m *machine) emitFillRows(unroll, words int, body func(dst reg.Register, times int)) {
	groups, dst := m.loadArgument("groups"), m.loadArgument("dst")
	m.emitDrawingLoop(groups, unroll, words, func(times int) { body(dst, times) })
	m.endFunction()
}

// stepsAtOnce returns the number of steps of a distribution that are computed together.
func (m *machine) stepsAtOnce(l distribution) int {
	if m.isNEON && l.singleStep {
		return 1
	}
	return m.unroll
}
