package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The functions of this file compute the attention rows in the lanes of one register: all 16 lanes
// with AVX-512, 8 with AVX2, for which they are called twice, and 4 with NEON. In all cases the
// scores of a key are in a row of memory of 16 lanes.

// Indexes of the fields of kernel.Peaks, in rows of memory; the first is the greatest score.
const (
	secondRow = 1
	indexRow  = 2
)

// Predicates of comparisons, which are false for NaN.
const (
	greater = 0x1e
	equal   = 0
)

// rowPeaks holds the registers with the two greatest scores so far, the index of the greatest, and
// the index of the next key.
type rowPeaks struct {
	m                         *machine
	first, second, index, key reg.VecVirtual
}

// emitPeaks writes the function that finds the two greatest scores of each lane and the index of
// the greatest.
func (m *machine) emitPeaks() {
	m.beginFunction("peaks", "finds the two greatest scores of each lane of a register.",
		"func(scores *float32, keys int, first *float32)", false)
	scores, keys, out := m.loadArgument("scores"), m.loadArgument("keys"), m.loadArgument("first")
	p := rowPeaks{m, m.loadConstant("minusInf"), m.loadConstant("minusInf"), m.register(), m.register()}
	m.clear(p.index)
	m.clear(p.key)
	m.emitLoop("key", keys, 4, func(times int) {
		if times == 1 {
			p.takeOne(scores)
		}
		for first := 0; first+1 < times; first += 2 {
			p.takeTwo(scores, first)
		}
		m.advance(times, scores)
	})
	m.VMOVUPS(p.first, m.address(out, 0, 0))
	m.clear(p.key)
	m.VADDPS(p.key, p.second, p.second) // −0 becomes 0
	m.VMOVUPS(p.second, m.address(out, secondRow, 0))
	m.VMOVUPS(p.index, m.address(out, indexRow, 0))
	m.endFunction()
}

// takeTwo updates p with the scores of two keys. It first compares them with each other, which
// halves the chain of dependent maxima that limits the speed.
func (p rowPeaks) takeTwo(scores reg.Register, first int) {
	m := p.m
	a, b, high, low, index := m.register(), m.register(), m.register(), m.register(), m.register()
	m.VMOVUPS(m.address(scores, first, 0), a)
	m.VMOVUPS(m.address(scores, first+1, 0), b)
	if !m.isNEON {
		m.VMAXPS(a, b, high) // the result is a if they are equal
	}
	if m.isAVX512 {
		later := m.K()
		m.VCMPPS(operand.U8(greater), a, b, later)
		m.VBLENDMPS(a, b, later, low) // the minimum; more execution units are free for this than for VMINPS
		m.VMOVDQA32(p.key, index)
		m.VPADDD_BCST(m.constantAddress("bit0"), p.key, later, index)
	} else {
		later := m.register()
		m.VCMPPS(operand.U8(greater), a, b, later)
		m.VMINPS(a, b, low)
		m.VPSUBD(later, p.key, index)
		if m.isNEON { // not by VMAXPS, which gives 0 for −0 and 0 on NEON
			m.VBLENDVPS(later, b, a, high)
		}
	}
	lesser := p.updateFirst(high, index)
	m.VMAXPS(low, lesser, lesser)
	m.VMAXPS(p.second, lesser, p.second)
	p.advance("bit1")
}

// takeOne updates p with the score of one key.
func (p rowPeaks) takeOne(scores reg.Register) {
	m, s := p.m, p.m.register()
	m.VMOVUPS(m.address(scores, 0, 0), s)
	m.VMAXPS(p.second, p.updateFirst(s, p.key), p.second)
	p.advance("bit0")
}

// updateFirst updates the greatest score and its index with the score s of the key index. It
// returns the smaller of s and the previous greatest score.
func (p rowPeaks) updateFirst(s, index reg.VecVirtual) (smaller reg.VecVirtual) {
	m := p.m
	smaller = m.register()
	if m.isAVX512 {
		isGreater := m.K()
		m.VCMPPS(operand.U8(greater), p.first, s, isGreater)
		m.VBLENDMPS(p.first, s, isGreater, smaller)
		m.VPBLENDMD(index, p.index, isGreater, p.index)
	} else {
		isGreater := m.register()
		m.VCMPPS(operand.U8(greater), p.first, s, isGreater)
		m.VMINPS(s, p.first, smaller)
		m.VBLENDVPS(isGreater, index, p.index, p.index)
		if m.isNEON {
			m.VBLENDVPS(isGreater, s, p.first, p.first)
			return smaller
		}
	}
	m.VMAXPS(p.first, s, p.first)
	return smaller
}

// advance adds a constant to the index of the next key.
func (p rowPeaks) advance(count name) {
	p.m.emit(instruction{p.m.VPADDD, p.m.VPADDD_BCST}, count, 0, p.key, p.key)
}

// rowSums is the number of sums of an attention row: of e, e², e³ and e·log₂ e, in this order.
const rowSums = 4

// rowPowers computes e = 2^x of scores s, where x = scale·log₂ e·(s − second) and second is the
// second greatest score.
type rowPowers struct {
	m      *machine
	second reg.VecVirtual
	scale  reg.VecVirtual // argument scale of the function, the scale of a score times −log₂ e
	roots  operand.Op     // table of 2^(k/8)
	// maskOf returns masks of the keys that are not ignored, given their x.
	maskOf func(x value) []reg.Register
}

// newRowPowers returns a rowPowers with the function's arguments first and scale.
func (m *machine) newRowPowers() *rowPowers {
	w := &rowPowers{m: m, second: m.register(), scale: m.register(), roots: m.loadRoots()}
	m.VMOVUPS(m.address(m.loadArgument("first"), secondRow, 0), w.second)
	m.VBROADCASTSS(m.argumentAddress("scale"), w.scale)
	if m.isAVX512 || m.isNEON {
		m.pin("roundEighth", "near0", "near1", "near2", "sumCut")
	}
	return w
}

// eighthBit is the index of the bit of a float32 that would be an eighth of a unit of the exponent.
const eighthBit = 20

// loadRoots returns the table roots of portable Go, repeated to fill a register.
func (m *machine) loadRoots() operand.Op {
	var patterns []uint32
	var rotatedBits uint32 // bits that a rotation leaves in the low bits
	if m.isAVX512 {
		rotatedBits = m.constants["roundEighth"] >> (32 - eighthBit)
	}
	for range max(m.bytes/32, 1) {
		for k := range uint32(8) {
			patterns = append(patterns, m.constants[fmt.Sprintf("root%d", k)]-(512+k)<<eighthBit-rotatedBits)
		}
	}
	address := m.table.Offset(m.appendTable(patterns...))
	switch {
	case m.isNEON:
		return m.loadNEONRoots(address)
	case !m.isAVX512:
		return address
	}
	r := m.register()
	m.VMOVUPS(address, r)
	return r
}

// powers returns x and e of count keys from first on, and masks of the keys that are not ignored.
// For ignored keys, e is 0. Several keys are computed together, which hides the latency of each.
//
// With k/8 the multiple of an eighth nearest to x and r = x − k/8, 2^x is root + root·r·p(r), where
// root is 2^(k/8) and p a polynomial.
func (w *rowPowers) powers(scores reg.Register, first, count int) (x, e value, masks []reg.Register) {
	m := w.m
	m.chains, m.singlePart = count, true
	defer func() { m.singlePart = false }()
	x = m.newValue()
	for i := range x {
		m.VSUBPS(m.address(scores, first+i, 0), w.second, x[i])
	}
	for i := range x {
		m.VMULPS(w.scale, x[i], x[i])
	}
	shifted := m.add(x, name("roundEighth"))
	r := m.sub(shifted, name("roundEighth"))
	for i := range r {
		m.VSUBPS(r[i], x[i], r[i])
	}
	root := m.newValue()
	for i := range root {
		if m.isNEON {
			m.lookUpRoot(shifted[i], root[i])
		} else {
			m.VPERMD(w.roots, shifted[i], root[i])
		}
	}
	root = m.addInt(root, w.exponentBits(shifted))
	p := m.add(m.mul(r, m.term(r, "near1", "near2")), name("near0"))
	e = m.mul(m.mul(root, r), p)
	masks = w.maskOf(x)
	for i := range e {
		m.addMasked(masks[i], e[i], root[i], e[i])
	}
	return x, e, masks
}

// rootRegisters holds the table of roots on NEON, where a table must be in consecutive registers.
var rootRegisters = []reg.VecPhysical{reg.X29, reg.X30}

func (m *machine) loadNEONRoots(address operand.Mem) operand.Op {
	for i, r := range rootRegisters {
		m.VMOVUPS(address.Offset(m.bytes*i), r)
	}
	m.pin("bits0to2", "four", "inOrder")
	return nil
}

// lookUpRoot writes bytes 4k to 4k + 3 of the table to root, where k is in the low three bits.
func (m *machine) lookUpRoot(k, root reg.VecVirtual) {
	indexes := m.register()
	m.VPAND(m.constant("bits0to2"), k, indexes)
	m.VPMULLD(m.constant("four"), indexes, indexes)
	m.VPADDD(m.constant("inOrder"), indexes, indexes)
	m.emitNew("TBL2", root, indexes, rootRegisters[0], rootRegisters[1])
}

// exponentBits moves the number of eighths in shifted into the exponent. AVX-512 rotates instead of
// shifting, since on Zen 4 additions and shifts are the bottleneck, but rotations are not. A
// rotation leaves the other bits of shifted in the low bits. These are the same for all keys, and
// the table compensates for them.
func (w *rowPowers) exponentBits(shifted value) value {
	m := w.m
	if m.isAVX512 {
		return m.shift(m.VPROLD, shifted, eighthBit)
	}
	return m.shiftLeft(shifted, eighthBit)
}

// addMasked sets sum to a + b in lanes of the mask, and to 0 in others.
func (m *machine) addMasked(mask reg.Register, a, b, sum reg.VecVirtual) {
	if m.isAVX512 {
		m.VADDPS_Z(a, b, mask, sum)
		return
	}
	m.VADDPS(a, b, sum)
	m.VPAND(mask, sum, sum)
}

// maskOthers returns masks of the keys whose score is at most the second greatest, except keys
// whose x is at or below the cut. It compares the bits of x as signed integers. As such, negative
// numbers increase from −0 to −Inf, and 0 and positive numbers are greater. If a score is at most
// the second greatest, its x is −0 or negative, also at scale 0: the second greatest is never −0,
// so that the difference second − s is 0 or positive, and its factor is negative or −0.
func (w *rowPowers) maskOthers(x value) []reg.Register {
	m := w.m
	masks := make([]reg.Register, len(x))
	for i := range x {
		if m.isAVX512 {
			masks[i] = m.K()
			m.VPCMPGTD(x[i], m.constant("sumCut"), masks[i])
			continue
		}
		cut := m.constant("sumCut")
		mask := cut
		if m.isNEON {
			mask = m.register()
		}
		m.VPCMPGTD(x[i], cut, mask)
		masks[i] = mask
	}
	return masks
}

// maskOthersBut is like maskOthers, but also excludes one key of each lane, the greatest. keysLeft
// has the number of keys before this key; the returned function counts it down.
func (w *rowPowers) maskOthersBut(keysLeft reg.VecVirtual) func(x value) []reg.Register {
	m := w.m
	return func(x value) []reg.Register {
		masks := w.maskOthers(x)
		for _, mask := range masks {
			if m.isAVX512 {
				m.VPTESTMD(keysLeft, keysLeft, mask, mask)
			} else {
				peak := m.register()
				m.clear(peak)
				m.VPCMPEQD(peak, keysLeft, peak)
				m.VPANDN(mask, peak, mask)
			}
			m.emit(instruction{m.VPADDD, m.VPADDD_BCST}, name("minusBit0"), 0, keysLeft, keysLeft)
		}
		return masks
	}
}

// emitWeights writes the function that stores e and e².
func (m *machine) emitWeights() {
	m.beginFunction("weights", "writes the softmax weights of each lane of a register, and their squares.",
		"func(scores *float32, keys int, first *float32, scale float32, e, e2 *float32)", false)
	scores, keys, weights, squares := m.loadArgument("scores"), m.loadArgument("keys"), m.loadArgument("e"),
		m.loadArgument("e2")
	w, keysLeft := m.newRowPowers(), m.register()
	m.VMOVUPS(m.address(m.loadArgument("first"), indexRow, 0), keysLeft)
	w.maskOf = w.maskOthersBut(keysLeft)
	m.emitLoop("key", keys, 2, func(times int) {
		_, e, _ := w.powers(scores, 0, times)
		for i := range e {
			m.VMOVUPS(e[i], m.address(weights, i, 0))
			m.VMULPS(e[i], e[i], e[i])
			m.VMOVUPS(e[i], m.address(squares, i, 0))
		}
		m.advance(times, scores, weights, squares)
	})
	m.endFunction()
}

// keysAtOnce returns the number of keys that are computed together. AVX2 has fewer registers.
func (m *machine) keysAtOnce() int {
	if m.isAVX512 {
		return 4
	}
	return 2
}

// sumKeys is the number of keys whose terms are added in float32 before the sum is added in
// float64.
const sumKeys = 32

// rowSummer adds the terms of keys to the sums of an attention row.
type rowSummer struct {
	*rowPowers
	sums value
}

// emitSoftmax writes the function that adds the sums of rows to its argument.
func (m *machine) emitSoftmax() {
	m.beginFunction("softmax", "adds the softmax sums of each lane of a register.",
		"func(scores *float32, keys int, first *float32, scale float32, sums *float64)", false)
	scores, keys, sums := m.loadArgument("scores"), m.loadArgument("keys"), m.loadArgument("sums")
	w := rowSummer{rowPowers: m.newRowPowers()}
	w.maskOf = w.maskOthers
	w.sums = m.registers(rowSums)

	m.emitPortions("block", keys, sumKeys, func(size reg.Register) {
		for _, sum := range w.sums {
			m.clear(sum)
		}
		m.emitLoop("key", size, 4, func(times int) {
			atOnce := min(times, m.keysAtOnce())
			for key := 0; key < times; key += atOnce {
				w.addKeys(scores, key, atOnce)
			}
			m.advance(times, scores)
		})
		for i, sum := range w.sums {
			m.addWidened(sum, sums, i)
		}
	})
	m.endFunction()
}

// addKeys adds the terms of count keys, from first on, to the sums. It first adds the terms of
// every two neighbouring keys.
func (w rowSummer) addKeys(scores reg.Register, first, count int) {
	m := w.m
	x, e, masks := w.powers(scores, first, count)
	m.singlePart = true
	defer func() { m.singlePart = false }()
	eLog := w.eLogs(x, e, masks)
	square := m.mul(e, e)
	for power, term := range []value{e, square, m.mul(square, e), eLog} {
		for i := 0; i+1 < len(term); i += 2 {
			m.VADDPS(term[i+1], term[i], term[i])
		}
		for i := 0; i < len(term); i += 2 {
			m.VADDPS(term[i], w.sums[power], w.sums[power])
		}
	}
}

// eLogs returns e·x for keys in the masks and 0 for the others. It overwrites x.
func (w rowSummer) eLogs(x, e value, masks []reg.Register) value {
	m := w.m
	eLog := m.newValue()
	for i := range eLog {
		if m.isAVX512 {
			m.VMULPS_Z(x[i], e[i], masks[i], eLog[i])
			continue
		}
		m.VPAND(masks[i], x[i], x[i])
		m.VMULPS(x[i], e[i], eLog[i])
	}
	return eLog
}

// addWidened adds the lanes of a register to the float64 numbers of the given sum.
func (m *machine) addWidened(x reg.VecVirtual, sums reg.Register, sum int) {
	address := operand.Mem{Base: sums, Disp: 2 * rowBytes * sum}
	low, high := m.register(), m.register()
	if m.isAVX512 {
		m.VCVTPS2PD(x.AsY(), low)
		m.VEXTRACTF64X4(operand.U8(1), x, high.AsY())
		m.VCVTPS2PD(high.AsY(), high)
	} else if m.isNEON {
		m.VCVTPS2PD(x, low)
		m.VMOVHLPS(x, x, high)
		m.VCVTPS2PD(high, high)
	} else {
		m.VCVTPS2PD(x.AsX(), low)
		m.VEXTRACTF128(operand.U8(1), x, high.AsX())
		m.VCVTPS2PD(high.AsX(), high)
	}
	for i, half := range []reg.VecVirtual{low, high} {
		total := address.Offset(m.bytes * i)
		m.VADDPD(total, half, half)
		m.VMOVUPD(half, total)
	}
}
