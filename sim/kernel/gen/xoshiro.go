package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (m *machine) loadState() {
	for i := range m.state {
		m.state[i] = m.loadRow(m.stateAddress, i)
	}
}

func (m *machine) storeState() {
	for i, s := range m.state {
		m.storeRow(s, 0, m.stateAddress, i)
	}
}

// word holds one word of every chain: in registers, or, if words are generated in batches, in a row
// of the slots.
type word struct {
	registers value
	row       int
}

// words returns n words of every chain. The generator's next n words are those of the first chain,
// and so on.
func (m *machine) words(n int) []word {
	list := make([]word, n)
	for range m.chains {
		for i := range list {
			switch w := &list[i]; {
			case m.batched:
				w.row = i
			case len(m.drawnWords) > 0:
				w.registers = append(w.registers, m.drawnWords[0])
				m.drawnWords = m.drawnWords[1:]
			default:
				for part := range m.parts() {
					w.registers = append(w.registers, m.nextWord(part, m.register()))
				}
			}
		}
	}
	return list
}

// get returns registers with the word. It loads them if words are generated in batches.
func (m *machine) get(w word) value {
	if !m.batched {
		return w.registers
	}
	v := m.newValue()
	for part := range v {
		m.VMOVDQA(m.address(m.slots, w.row, part), v[part])
	}
	return v
}

// nextWord computes one step of xoshiro128++ in the lanes of a part. It writes the result to word,
// and returns this register.
func (m *machine) nextWord(part int, word reg.VecVirtual) reg.VecVirtual {
	a, b, c, d := m.state[0][part], m.state[1][part], m.state[2][part], m.state[3][part]
	if m.isAVX512 {
		return m.nextWordAVX512(a, b, c, d, word)
	}
	sum, t, mixed := m.register(), m.register(), m.register()
	m.VPADDD(a, d, sum)
	m.rotate(sum, 7, word)
	m.VPADDD(a, word, word)
	m.VPSLLD(operand.U8(9), b, t)
	m.VPXOR(a, c, c)
	m.VPXOR(b, d, mixed)
	m.VPXOR(c, b, b)
	m.VPXOR(mixed, a, a)
	m.VPXOR(t, c, c)
	m.rotate(mixed, 11, d)
	return word
}

// rotate writes x, rotated to the left by count bits, to dst. It combines two shifts; NEON inserts
// the result of the second into the result of the first.
func (m *machine) rotate(x reg.VecVirtual, count uint8, dst reg.VecVirtual) {
	if m.isNEON {
		m.VPSLLD(operand.U8(count), x, dst)
		m.emitUpdate("SRI", dst, operand.U8(32-count), x)
		return
	}
	high := m.register()
	m.VPSLLD(operand.U8(count), x, high)
	m.VPSRLD(operand.U8(32-count), x, dst)
	m.VPOR(high, dst, dst)
}

// nextWordAVX512 does the work of nextWord for a state in the registers a, b, c and d. It computes
// two exclusive ors by one instruction if possible.
func (m *machine) nextWordAVX512(a, b, c, d, word reg.VecVirtual) reg.VecVirtual {
	const xor3 = 0x96 // a ^ b ^ c
	t := m.register()
	m.VPADDD(a, d, word)
	m.VPROLD(operand.U8(7), word, word)
	m.VPADDD(a, word, word)
	m.VPSLLD(operand.U8(9), b, t)
	m.VPXORD(b, d, d)
	m.emitTernary(xor3, a, c, b)
	m.emitTernary(xor3, a, t, c)
	m.VPXORD(d, a, a)
	m.VPROLD(operand.U8(11), d, d)
	return word
}
