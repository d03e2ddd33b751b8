package main

import (
	"math"
	"strconv"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What is computed once a row is float64, in two registers for the lanes of one.

// doubles is a number of every lane.
type doubles [2]reg.VecVirtual

func (m *machine) doubles() doubles { return doubles{m.register(), m.register()} }

// double is the place of a constant, as where is.
func (m *machine) double(pattern uint64) operand.Mem {
	at, ok := m.doubleOffset[pattern]
	if !ok {
		at = m.size
		for range max(1, m.copies()/2) {
			m.append(uint32(pattern), uint32(pattern>>32))
		}
		m.doubleOffset[pattern] = at
	}
	return m.table.Offset(at)
}

// onDoubles is an operation with doubles, a number or the pattern of one.
func (m *machine) onDoubles(f form, a doubles, b any) doubles {
	out := m.doubles()
	for i := range out {
		pattern, constant := b.(uint64)
		if x, ok := b.(float64); ok {
			pattern, constant = math.Float64bits(x), true
		}
		switch {
		case !constant:
			f.plain(b.(doubles)[i], a[i], out[i])
		case m.wide:
			f.spread(m.double(pattern), a[i], out[i])
		default:
			f.plain(m.double(pattern), a[i], out[i])
		}
	}
	return out
}

// Operations on float64.

func (m *machine) addD(a doubles, b any) doubles {
	return m.onDoubles(form{m.VADDPD, m.VADDPD_BCST}, a, b)
}
func (m *machine) subD(a doubles, b any) doubles {
	return m.onDoubles(form{m.VSUBPD, m.VSUBPD_BCST}, a, b)
}
func (m *machine) mulD(a doubles, b any) doubles {
	return m.onDoubles(form{m.VMULPD, m.VMULPD_BCST}, a, b)
}
func (m *machine) divD(a doubles, b any) doubles {
	return m.onDoubles(form{m.VDIVPD, m.VDIVPD_BCST}, a, b)
}
func (m *machine) minD(a doubles, b any) doubles {
	return m.onDoubles(form{m.VMINPD, m.VMINPD_BCST}, a, b)
}

// Operations on 64-bit integers.

func (m *machine) addWord(a doubles, b any) doubles {
	return m.onDoubles(form{m.VPADDQ, m.VPADDQ_BCST}, a, b)
}
func (m *machine) subWord(a doubles, b any) doubles {
	return m.onDoubles(form{m.VPSUBQ, m.VPSUBQ_BCST}, a, b)
}
func (m *machine) andWord(a doubles, b any) doubles {
	return m.onDoubles(m.choose(form{m.VPANDQ, m.VPANDQ_BCST}, m.VPAND), a, b)
}
func (m *machine) orWord(a doubles, b any) doubles {
	return m.onDoubles(m.choose(form{m.VPORQ, m.VPORQ_BCST}, m.VPOR), a, b)
}

func (m *machine) shiftWord(f func(...operand.Op), a doubles, by uint8) doubles {
	out := m.doubles()
	for i := range out {
		f(operand.U8(by), a[i], out[i])
	}
	return out
}

// numberD puts a number into every lane.
func (m *machine) numberD(x float64) doubles {
	out := m.doubles()
	for i := range out {
		if m.wide {
			m.VBROADCASTSD(m.double(math.Float64bits(x)), out[i])
		} else {
			m.VMOVUPD(m.double(math.Float64bits(x)), out[i])
		}
	}
	return out
}

// termD is low + x·high for coefficients of a polynomial.
func (m *machine) termD(x doubles, low, high any) doubles {
	return m.addD(m.mulD(x, high), low)
}

// loadD and storeD take the lanes of a number of RowSums.
func (m *machine) loadD(at operand.Mem) doubles {
	out := m.doubles()
	for i := range out {
		m.VMOVUPD(at.Offset(m.bytes()*i), out[i])
	}
	return out
}

func (m *machine) storeD(x doubles, at operand.Mem) {
	for i := range x {
		m.VMOVUPD(x[i], at.Offset(m.bytes()*i))
	}
}

// widened is a row of float32 of memory.
func (m *machine) widened(at operand.Mem) doubles {
	out := m.doubles()
	for i := range out {
		m.VCVTPS2PD(at.Offset(m.bytes()/2*i), out[i])
	}
	return out
}

// The numbers of a row that stand in memory, as RowSums has them.
const (
	sumE    = 0
	gap     = 4
	runner  = 5
	logZ    = 6
	doubled = 2 * row // the size of a number of 16 lanes
)

// gaps writes the function of the gap to the runner-up and its e.
func (m *machine) gaps() {
	m.begin("gaps", "writes Gap and Runner of each lane of a register.",
		"func(first *float32, scale float64, sums *float64)", false)
	first, sums := m.argument("first"), m.argument("sums")
	at, err := m.Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	scale := m.register()
	m.VBROADCASTSD(at.Addr, scale)
	difference := m.subD(m.widened(m.at(first, 0, 0)), m.widened(m.at(first, secondRow, 0)))
	x := m.mulD(difference, doubles{scale, scale})
	m.storeD(x, operand.Mem{Base: sums, Disp: doubled * gap})
	m.storeD(m.below1(x), operand.Mem{Base: sums, Disp: doubled * runner})
	m.end()
}

// below1 is exp(−gap), as in portable Go.
func (m *machine) below1(gap doubles) doubles {
	const roundWhole = 0x1.8p52
	x := m.minD(m.mulD(gap, float64(math.Log2E)), 1100.0)
	n := m.addD(x, roundWhole)
	r := m.subD(m.subD(n, roundWhole), x)
	v := m.mulD(r, r)
	p := m.mulD(v, m.termD(r, m.fitted("two4"), m.fitted("two5")))
	p = m.addD(m.termD(r, m.fitted("two2"), m.fitted("two3")), p)
	p = m.addD(m.termD(r, m.fitted("two0"), m.fitted("two1")), m.mulD(v, p))
	y := m.addD(m.mulD(r, p), 1.0)
	half := m.shiftWord(m.VPSRLQ, n, 1)
	for _, power := range []doubles{half, m.subWord(n, half)} {
		y = m.mulD(y, m.subWord(m.numberD(1), m.shiftWord(m.VPSLLQ, power, 52)))
	}
	return y
}

// fitted is a coefficient as float64 reads its literal, the shortest decimal of a
// float32.
func (m *machine) fitted(n string) float64 {
	literal := strconv.FormatFloat(float64(math.Float32frombits(m.constants[n])), 'g', -1, 32)
	x, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		panic(err)
	}
	return x
}

// logs writes the function of ln Z.
func (m *machine) logs() {
	m.begin("logs", "writes LogZ of each lane of a register.", "func(sums *float64)", false)
	sums := m.argument("sums")
	e := m.loadD(operand.Mem{Base: sums, Disp: doubled * runner})
	rest := m.mulD(e, m.loadD(operand.Mem{Base: sums, Disp: doubled * sumE}))
	m.storeD(m.logAbove1(rest), operand.Mem{Base: sums, Disp: doubled * logZ})
	m.end()
}

// logAbove1 is ln(1 + x), as in portable Go.
func (m *machine) logAbove1(x doubles) doubles {
	const mantissa, two52 = uint64(1)<<52 - 1, 0x1p52
	sqrtHalf := math.Float64bits(math.Sqrt2 / 2)
	i := m.subWord(m.addD(x, 1.0), sqrtHalf)
	n := m.subD(m.orWord(m.shiftWord(m.VPSRLQ, i, 52), math.Float64bits(two52)), two52)
	f := m.subD(m.addWord(m.andWord(i, mantissa), sqrtHalf), 1.0)
	f = m.whereZero(n, x, f)
	s := m.divD(f, m.addD(f, 2.0))
	z := m.mulD(s, s)
	p := m.numberD(1.0 / 15)
	for k := 13.0; k >= 1; k -= 2 {
		p = m.addD(m.mulD(z, p), 1/k)
	}
	return m.addD(m.mulD(n, float64(math.Ln2)), m.mulD(m.addD(s, s), p))
}

// whereZero is a where n is 0, else b.
func (m *machine) whereZero(n, a, b doubles) doubles {
	const equal = 0
	out := m.doubles()
	for i := range out {
		zero := m.register()
		m.clear(zero)
		if m.wide {
			k := m.K()
			m.VCMPPD(operand.U8(equal), zero, n[i], k)
			m.VBLENDMPD(a[i], b[i], k, out[i])
			continue
		}
		m.VCMPPD(operand.U8(equal), zero, n[i], zero)
		m.VBLENDVPD(zero, a[i], b[i], out[i])
	}
	return out
}
