package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (m *machine) loadState() {
	for part := range m.parts() {
		if m.resident {
			m.loadPart(part)
		}
	}
}

func (m *machine) storeState() {
	for part := range m.parts() {
		if m.resident {
			m.storePart(part)
		}
	}
}

func (m *machine) loadPart(part int) {
	for i := range m.state {
		if m.state[i] == nil {
			m.state[i] = make(value, m.parts())
		}
		m.state[i][part] = m.register()
		m.VMOVUPS(m.at(m.memory, i, part), m.state[i][part])
	}
}

func (m *machine) storePart(part int) {
	for i := range m.state {
		m.VMOVUPS(m.state[i][part], m.at(m.memory, i, part))
	}
}

// word is a word of every chain: in registers, or in memory.
type word struct {
	registers value
	slots     []operand.Mem
}

// words draws n words of every chain; all of the first chain come first.
func (m *machine) words(n int) []word {
	all := make([]word, n)
	for part := range m.parts() {
		if !m.resident {
			m.loadPart(part)
		}
		for c := range m.chains {
			for i := range all {
				m.draw(&all[i], c, i, part)
			}
		}
		if !m.resident {
			m.storePart(part)
		}
	}
	return all
}

func (m *machine) draw(w *word, chain, i, part int) {
	if w.registers == nil {
		w.registers = make(value, m.chains*m.parts())
		w.slots = make([]operand.Mem, m.chains*m.parts())
	}
	to, next := chain*m.parts()+part, m.next(part)
	w.registers[to] = next
	if !m.resident {
		w.slots[to] = m.at(m.slots, i*m.chains+chain, part)
		m.VMOVDQA(next, w.slots[to])
	}
}

// get returns the word in registers.
func (m *machine) get(w word) value {
	if m.resident {
		return w.registers
	}
	v := m.value()
	for i := range v {
		m.VMOVDQA(w.slots[i], v[i])
	}
	return v
}

// chain is the word of one chain alone.
func (m *machine) chain(w word, c int) word {
	from, to := c*m.parts(), (c+1)*m.parts()
	return word{w.registers[from:to], w.slots[from:to]}
}

// next is one step of xoshiro128++ in the lanes of a part.
func (m *machine) next(part int) reg.VecVirtual {
	a, b, c, d := m.state[0][part], m.state[1][part], m.state[2][part], m.state[3][part]
	if m.wide {
		return m.nextWide(a, b, c, d)
	}
	word, t := m.YMM(), m.YMM()
	m.VPADDD(a, d, word)
	m.rotate(word, 7)
	m.VPADDD(a, word, word)
	m.VPSLLD(operand.U8(9), b, t)
	m.VPXOR(a, c, c)
	m.VPXOR(b, d, d)
	m.VPXOR(c, b, b)
	m.VPXOR(d, a, a)
	m.VPXOR(t, c, c)
	m.rotate(d, 11)
	return word
}

func (m *machine) rotate(x reg.VecVirtual, by uint8) {
	high := m.YMM()
	m.VPSLLD(operand.U8(by), x, high)
	m.VPSRLD(operand.U8(32-by), x, x)
	m.VPOR(high, x, x)
}

// nextWide joins two exclusive ors into one instruction where it can.
func (m *machine) nextWide(a, b, c, d reg.VecVirtual) reg.VecVirtual {
	const xor3 = 0x96
	word, t := m.ZMM(), m.ZMM()
	m.VPADDD(a, d, word)
	m.VPROLD(operand.U8(7), word, word)
	m.VPADDD(a, word, word)
	m.VPSLLD(operand.U8(9), b, t)
	m.VPXORD(b, d, d)
	m.ternary(xor3, a, c, b)
	m.ternary(xor3, a, t, c)
	m.VPXORD(d, a, a)
	m.VPROLD(operand.U8(11), d, d)
	return word
}
