package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	componentsPerWord = 16 // components of a pair in one word
	// maxCounterWords is the number of words that can be counted in the bytes of a counter, which
	// are at most 255. A byte of a word has 4 components of a pair.
	maxCounterWords = 255 / 4
)

// emitRademacherPairs writes the function that computes q·k of d components ±1 as d − 2·total,
// where total is the number of components with different signs. The components are counted in the
// bytes of a counter, which are added to total before they overflow.
func (m *machine) emitRademacherPairs() {
	m.beginFunction("rademacherPairs", "sums the products of d components in every lane.", pairsSignature, false)
	d, scores := m.loadArgument("d"), m.loadArgument("scores")
	m.chains = 1
	m.stateAddress = m.loadArgument("state")
	m.loadState()
	bits := m.loadNibbleTable()
	total := m.newZeroRow()
	words := m.GP64()
	m.MOVQ(d, words)
	m.SHRQ(operand.U8(4), words)
	m.emitPortions("flush", words, maxCounterWords, func(size reg.Register) {
		counter := m.newZeroRow()
		m.emitLoop("word", size, 1, func(int) {
			for part := range m.parts() {
				m.countBits(m.differingBits(part, m.maskOperand("evenBits")), bits, counter[part])
			}
		})
		m.addCounters(counter, total)
	})
	m.countLastWord(d, bits, total)

	score := m.spreadInt(d)
	score = m.float(m.subInt(m.subInt(score, total), total))
	m.storeRow(score, 0, scores, 0)
	m.storeState()
	m.endFunction()
}

// countLastWord counts the d mod 16 components in the last word.
func (m *machine) countLastWord(d reg.Register, bits reg.VecVirtual, total value) {
	m.MOVQ(d, reg.RCX)
	m.ANDQ(operand.U8(componentsPerWord-1), reg.RCX)
	m.JZ(operand.LabelRef("whole"))
	mask, counter := m.GP64(), m.newZeroRow()
	m.ADDQ(reg.RCX, reg.RCX)
	m.MOVQ(operand.U32(1), mask)
	m.SHLQ(reg.CL, mask)
	m.DECQ(mask)
	m.ANDQ(operand.U32(m.constants["evenBits"]), mask)
	r := m.register()
	m.VMOVQ(mask, r.AsX())
	m.VPBROADCASTD(r.AsX(), r)
	for part := range m.parts() {
		m.countBits(m.differingBits(part, r), bits, counter[part])
	}
	m.addCounters(counter, total)
	m.Label("whole")
}

// maskOperand returns a constant as the operand mask of differingBits.
func (m *machine) maskOperand(n name) operand.Op {
	if m.isAVX512 {
		return m.constant(n)
	}
	return m.constantAddress(n)
}

// differingBits generates the next word, in which even bits are signs of q and odd bits are signs
// of k. It returns a register in which an even bit is set if it differs from the next odd one.
func (m *machine) differingBits(part int, mask operand.Op) reg.VecVirtual {
	w, shifted := m.nextWord(part, m.register()), m.register()
	m.VPSRLD(operand.U8(1), w, shifted)
	if m.isAVX512 {
		const xorAnd = 0x28 // (a ^ b) & c
		m.VPTERNLOGD(operand.U8(xorAnd), mask, w, shifted)
		return shifted
	}
	m.VPXOR(w, shifted, shifted)
	m.VPAND(mask, shifted, shifted)
	return shifted
}

// loadNibbleTable returns a register with a table of bytes. Its index n is the sum of two nibbles
// that have bits only at 0 and 2; element n is the number of bits that are set in both together,
// (n & 3) + n/4.
func (m *machine) loadNibbleTable() reg.VecVirtual {
	patterns := make([]uint32, 0, m.bytes/4)
	for range m.bytes / 16 {
		for first := uint32(0); first < 16; first += 4 {
			var packed uint32
			for i := range uint32(4) {
				packed |= ((first+i)&3 + (first+i)/4) << (8 * i)
			}
			patterns = append(patterns, packed)
		}
	}
	r := m.register()
	address := m.table.Offset(m.appendTable(patterns...))
	if m.isAVX512 {
		m.VMOVDQU32(address, r)
	} else {
		m.VMOVDQU(address, r)
	}
	return r
}

// countBits adds the number of bits that are set in every byte of word to the bytes of the counter.
// bits is the table of loadNibbleTable.
func (m *machine) countBits(word, bits, counter reg.VecVirtual) {
	sum := m.register()
	if m.isNEON {
		m.emitNew("CNT", sum, word)
		m.VPADDB(sum, counter, counter)
		return
	}
	m.VPSRLD(operand.U8(4), word, sum)
	m.VPADDD(word, sum, sum)
	m.emit(m.chooseInstruction(instruction{m.VPANDD, m.VPANDD_BCST}, m.VPAND), name("nibbles"), 0, sum, sum)
	m.VPSHUFB(sum, bits, sum)
	m.VPADDB(sum, counter, counter)
}

// addCounters adds the four bytes of every lane of the counter to the total of the lane.
func (m *machine) addCounters(counter, total value) {
	for part := range counter {
		sum := m.register()
		if m.isNEON {
			m.emitNew("UADDLP.B16", sum, counter[part])
			m.emitNew("UADDLP.H8", sum, sum)
		} else {
			m.VPMADDUBSW(m.constant("bytes"), counter[part], sum)
			m.VPMADDWD(m.constant("words"), sum, sum)
		}
		m.VPADDD(sum, total[part], total[part])
	}
}

// emitRademacherFill writes the function that stores the 32 draws of each word.
func (m *machine) emitRademacherFill() {
	m.beginFill("rademacher", 32, false)
	m.pin("signBit", "one")
	m.emitFillRows(1, 1, func(dst reg.Register, _ int) {
		m.chains = 1
		w := m.words(1)[0].registers
		for i := range 32 {
			m.storeRow(m.signedOne(m.shiftLeft(w, uint8(31-i))), 0, dst, i)
		}
		m.advance(32, dst)
	})
}

// signedOne returns 1 with the sign in the top bit of w.
func (m *machine) signedOne(w value) value {
	if !m.isAVX512 {
		return m.or(m.and(w, name("signBit")), name("one"))
	}
	const andOr = 0xea // (a & b) | c
	m.emitTernary(andOr, name("one"), m.constant("signBit"), w[0])
	return w
}
