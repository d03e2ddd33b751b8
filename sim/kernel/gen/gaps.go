package main

import (
	"math"
	"strconv"

	"github.com/mmcloughlin/avo/operand"
)

// Quantities that are computed once per attention row are float64. They need two registers for the
// lanes of one register of float32.
const doubleParts = 2

// Operations on float64. Their names end with D.

func (m *machine) addD(a value, b any) value {
	return m.binary(instruction{m.VADDPD, m.VADDPD_BCST}, a, b)
}
func (m *machine) subD(a value, b any) value {
	return m.binary(instruction{m.VSUBPD, m.VSUBPD_BCST}, a, b)
}
func (m *machine) mulD(a value, b any) value {
	return m.binary(instruction{m.VMULPD, m.VMULPD_BCST}, a, b)
}
func (m *machine) divD(a value, b any) value {
	return m.binary(instruction{m.VDIVPD, m.VDIVPD_BCST}, a, b)
}
func (m *machine) minD(a value, b any) value {
	return m.binary(instruction{m.VMINPD, m.VMINPD_BCST}, a, b)
}

// Operations on 64-bit integers.

func (m *machine) addWord(a value, b any) value {
	return m.binary(instruction{m.VPADDQ, m.VPADDQ_BCST}, a, b)
}
func (m *machine) subWord(a value, b any) value {
	return m.binary(instruction{m.VPSUBQ, m.VPSUBQ_BCST}, a, b)
}
func (m *machine) andWord(a value, b any) value {
	return m.binary(m.chooseInstruction(instruction{m.VPANDQ, m.VPANDQ_BCST}, m.VPAND), a, b)
}
func (m *machine) orWord(a value, b any) value {
	return m.binary(m.chooseInstruction(instruction{m.VPORQ, m.VPORQ_BCST}, m.VPOR), a, b)
}

// broadcastD returns a value with the number x in every lane.
func (m *machine) broadcastD(x float64) value {
	dst := m.registers(doubleParts)
	for i := range dst {
		if m.isAVX512 {
			m.VBROADCASTSD(m.doubleAddress(math.Float64bits(x)), dst[i])
		} else {
			m.VMOVUPD(m.doubleAddress(math.Float64bits(x)), dst[i])
		}
	}
	return dst
}

// termD returns low + x·high.
func (m *machine) termD(x value, low, high any) value {
	return m.addD(m.mulD(x, high), low)
}

// loadD loads one number of RowSums, a float64 in every lane.
func (m *machine) loadD(address operand.Mem) value {
	dst := m.registers(doubleParts)
	for i := range dst {
		m.VMOVUPD(address.Offset(m.bytes*i), dst[i])
	}
	return dst
}

// storeD stores one number of RowSums, a float64 in every lane.
func (m *machine) storeD(x value, address operand.Mem) {
	for i := range x {
		m.VMOVUPD(x[i], address.Offset(m.bytes*i))
	}
}

// loadWidened loads a row of float32 as float64.
func (m *machine) loadWidened(address operand.Mem) value {
	dst := m.registers(doubleParts)
	for i := range dst {
		m.VCVTPS2PD(address.Offset(m.bytes/2*i), dst[i])
	}
	return dst
}

// Indexes of the numbers of kernel.RowSums in memory, and the size of each.
const (
	sumERow        = 0
	gapRow         = 4
	runnerRow      = 5
	logZRow        = 6
	doubleRowBytes = 2 * rowBytes // size of a float64 number for 16 lanes
)

// emitGaps writes the function that computes the gap, scale·(greatest − second greatest score), and
// exp(−gap), the weight of the runner-up over the greatest weight.
func (m *machine) emitGaps() {
	m.beginFunction("gaps", "writes Gap and Runner of each lane of a register.",
		"func(first *float32, scale float64, sums *float64)", false)
	first, sums := m.loadArgument("first"), m.loadArgument("sums")
	scale := m.register()
	if m.isNEON {
		m.VMOVDDUP(m.argumentAddress("scale"), scale)
	} else {
		m.VBROADCASTSD(m.argumentAddress("scale"), scale)
	}
	difference := m.subD(m.loadWidened(m.address(first, 0, 0)), m.loadWidened(m.address(first, secondRow, 0)))
	gap := m.mulD(difference, value{scale, scale})
	m.storeD(gap, operand.Mem{Base: sums, Disp: doubleRowBytes * gapRow})
	m.storeD(m.expMinus(gap), operand.Mem{Base: sums, Disp: doubleRowBytes * runnerRow})
	m.endFunction()
}

// expMinus returns exp(−gap) by the operations of portable Go. With x = gap·log₂ e, n the integer
// nearest to x and r = n − x, it is 2^r·2^(−n). The last factor is applied as two powers, since
// 2^(−n) alone may be too small for a normal float64.
func (m *machine) expMinus(gap value) value {
	const roundWhole = 0x1.8p52 // x + roundWhole is rounded to an integer
	x := m.minD(m.mulD(gap, float64(math.Log2E)), 1100.0)
	n := m.addD(x, roundWhole)
	r := m.subD(m.subD(n, roundWhole), x)
	v := m.mulD(r, r)
	p := m.mulD(v, m.termD(r, m.coefficient("two4"), m.coefficient("two5")))
	p = m.addD(m.termD(r, m.coefficient("two2"), m.coefficient("two3")), p)
	p = m.addD(m.termD(r, m.coefficient("two0"), m.coefficient("two1")), m.mulD(v, p))
	y := m.addD(m.mulD(r, p), 1.0)
	half := m.shift(m.VPSRLQ, n, 1)
	for _, power := range []value{half, m.subWord(n, half)} {
		y = m.mulD(y, m.subWord(m.broadcastD(1), m.shift(m.VPSLLQ, power, 52)))
	}
	return y
}

// coefficient returns a coefficient as the float64 of its literal in coefficients.go, which is the
// shortest decimal of a float32.
func (m *machine) coefficient(n string) float64 {
	literal := strconv.FormatFloat(float64(math.Float32frombits(m.constants[n])), 'g', -1, 32)
	x, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		panic(err)
	}
	return x
}

// emitLogs writes the function that computes ln Z of the softmax weights.
func (m *machine) emitLogs() {
	m.beginFunction("logs", "writes LogZ of each lane of a register.", "func(sums *float64)", false)
	sums := m.loadArgument("sums")
	e := m.loadD(operand.Mem{Base: sums, Disp: doubleRowBytes * runnerRow})
	rest := m.mulD(e, m.loadD(operand.Mem{Base: sums, Disp: doubleRowBytes * sumERow}))
	m.storeD(m.log1p(rest), operand.Mem{Base: sums, Disp: doubleRowBytes * logZRow})
	m.endFunction()
}

// log1p returns ln(1 + x) by the operations of portable Go. With 1 + x = 2ⁿ(1 + f) and s = f/(2 +
// f), it is n·ln 2 + 2s(1 + s²/3 + s⁴/5 + … + s¹⁴/15). If n is 0, f is x without rounding.
func (m *machine) log1p(x value) value {
	const mantissa, two52 = uint64(1)<<52 - 1, 0x1p52
	sqrtHalf := math.Float64bits(math.Sqrt2 / 2)
	i := m.subWord(m.addD(x, 1.0), sqrtHalf)
	n := m.subD(m.orWord(m.shift(m.VPSRLQ, i, 52), math.Float64bits(two52)), two52)
	f := m.subD(m.addWord(m.andWord(i, mantissa), sqrtHalf), 1.0)
	f = m.selectWhereZero(n, x, f)
	s := m.divD(f, m.addD(f, 2.0))
	z := m.mulD(s, s)
	p := m.broadcastD(1.0 / 15)
	for k := 13.0; k >= 1; k -= 2 {
		p = m.addD(m.mulD(z, p), 1/k)
	}
	return m.addD(m.mulD(n, float64(math.Ln2)), m.mulD(m.addD(s, s), p))
}

// selectWhereZero returns a in lanes where n is 0, and b in others.
func (m *machine) selectWhereZero(n, a, b value) value {
	dst := m.registers(doubleParts)
	for i := range dst {
		zero := m.register()
		m.clear(zero)
		if m.isAVX512 {
			k := m.K()
			m.VCMPPD(operand.U8(equal), zero, n[i], k)
			m.VBLENDMPD(a[i], b[i], k, dst[i])
			continue
		}
		m.VCMPPD(operand.U8(equal), zero, n[i], zero)
		m.VBLENDVPD(zero, a[i], b[i], dst[i])
	}
	return dst
}
