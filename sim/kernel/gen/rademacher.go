package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	perWord = 16 // components of a pair in one word
	// flush is how many words the bytes of a counter hold: a byte of a word
	// has 4 components.
	flush = 255 / 4
)

// rademacherPairs writes the function that counts the components whose signs
// differ, first in bytes, then in words.
func (m *machine) rademacherPairs() {
	m.begin("rademacherPairs", "sums the products of d components in every lane.", pairsSignature, false)
	d, scores := m.argument("d"), m.argument("scores")
	m.chains = 1
	m.memory = m.argument("state")
	m.loadState()
	bits := m.nibbleTable()
	total := m.zero()
	words := m.GP64()
	m.MOVQ(d, words)
	m.SHRQ(operand.U8(4), words)
	m.portions("flush", words, flush, func(now reg.Register) {
		counter := m.zero()
		m.steps("word", now, 1, func(int) {
			for part := range m.parts() {
				m.count(m.differ(part, m.mask("evenBits")), bits, counter[part])
			}
		})
		m.collect(counter, total)
	})
	m.lastWord(d, bits, total)

	score := m.spreadInt(d)
	score = m.float(m.subInt(m.subInt(score, total), total))
	m.store(score, 0, scores, 0)
	m.storeState()
	m.end()
}

// lastWord counts in the d mod 16 components of the last word.
func (m *machine) lastWord(d reg.Register, bits reg.VecVirtual, total value) {
	m.MOVQ(d, reg.RCX)
	m.ANDQ(operand.U8(perWord-1), reg.RCX)
	m.JZ(operand.LabelRef("whole"))
	mask, counter := m.GP64(), m.zero()
	m.ADDQ(reg.RCX, reg.RCX)
	m.MOVQ(operand.U32(1), mask)
	m.SHLQ(reg.CL, mask)
	m.DECQ(mask)
	m.ANDQ(operand.U32(m.constants["evenBits"]), mask)
	r := m.register()
	m.VMOVQ(mask, r.AsX())
	m.VPBROADCASTD(r.AsX(), r)
	for part := range m.parts() {
		m.count(m.differ(part, r), bits, counter[part])
	}
	m.collect(counter, total)
	m.Label("whole")
}

// mask returns a constant where differ can take it from.
func (m *machine) mask(n name) operand.Op {
	if m.wide {
		return m.constant(n)
	}
	return m.where(n)
}

// differ returns the next word's bits of q, set where k's are not the same.
func (m *machine) differ(part int, mask operand.Op) reg.VecVirtual {
	w, shifted := m.next(part, m.register()), m.register()
	m.VPSRLD(operand.U8(1), w, shifted)
	if m.wide {
		const xorAnd = 0x28 // (a ^ b) & c
		m.VPTERNLOGD(operand.U8(xorAnd), mask, w, shifted)
		return shifted
	}
	m.VPXOR(w, shifted, shifted)
	m.VPAND(mask, shifted, shifted)
	return shifted
}

// nibbleTable returns a register that maps the sum of two nibbles, which hold
// bits at 0 and 2 only, to the number of bits: (n & 3) + n/4.
func (m *machine) nibbleTable() reg.VecVirtual {
	patterns := make([]uint32, 0, m.bytes/4)
	for range m.bytes / 16 {
		for first := uint32(0); first < 16; first += 4 {
			var four uint32
			for i := range uint32(4) {
				four |= ((first+i)&3 + (first+i)/4) << (8 * i)
			}
			patterns = append(patterns, four)
		}
	}
	r := m.register()
	at := m.table.Offset(m.append(patterns...))
	if m.wide {
		m.VMOVDQU32(at, r)
	} else {
		m.VMOVDQU(at, r)
	}
	return r
}

// count adds the bits of every byte to the bytes of the counter.
func (m *machine) count(differ, bits, counter reg.VecVirtual) {
	sum := m.register()
	if m.neon {
		m.making("CNT", sum, differ)
		m.VPADDB(sum, counter, counter)
		return
	}
	m.VPSRLD(operand.U8(4), differ, sum)
	m.VPADDD(differ, sum, sum)
	m.apply(m.choose(form{m.VPANDD, m.VPANDD_BCST}, m.VPAND), name("nibbles"), 0, sum, sum)
	m.VPSHUFB(sum, bits, sum)
	m.VPADDB(sum, counter, counter)
}

// collect adds the four bytes of every word to the total.
func (m *machine) collect(counter, total value) {
	for part := range counter {
		sum := m.register()
		if m.neon {
			m.making("UADDLP.B16", sum, counter[part])
			m.making("UADDLP.H8", sum, sum)
		} else {
			m.VPMADDUBSW(m.constant("bytes"), counter[part], sum)
			m.VPMADDWD(m.constant("words"), sum, sum)
		}
		m.VPADDD(sum, total[part], total[part])
	}
}

// rademacherFill writes the function that stores the 32 draws of each word.
func (m *machine) rademacherFill() {
	m.beginFill("rademacher", 32, false)
	m.pin("signBit", "one")
	m.fillRows(1, 1, func(at reg.Register, _ int) {
		m.chains = 1
		w := m.words(1)[0].registers
		for i := range 32 {
			m.store(m.signed(m.shiftLeft(w, uint8(31-i))), 0, at, i)
		}
		m.advance(32, at)
	})
}

// signed is 1 with the sign that the top bit of w gives.
func (m *machine) signed(w value) value {
	if !m.wide {
		return m.or(m.and(w, name("signBit")), name("one"))
	}
	const andOr = 0xea // (a & b) | c
	m.ternary(andOr, name("one"), m.constant("signBit"), w[0])
	return w
}
