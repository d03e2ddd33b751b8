package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The functions of this file compute the lanes of one register: all 16 lanes with AVX-512, 8 with
// AVX2, for which they are called twice, and 4 with NEON. Each lane has its own vectors. Component
// t of vector j is in row j·d + t of memory. A sum is a chain of additions in the order of the
// index. Several sums are computed together, which hides the latency of the additions.

// sumsAtOnce is the number of sums that are computed together.
const sumsAtOnce = 8

// emitDots writes the function that adds the products of q and each vector.
func (m *machine) emitDots() {
	m.beginFunction("dots", "adds the products of q and each vector in every lane of a register.",
		"func(q, k *float32, d, vectors int, sums *float32)", false)
	qStart, k, d := m.loadArgument("q"), m.loadArgument("k"), m.loadArgument("d")
	count, sums := m.loadArgument("vectors"), m.loadArgument("sums")
	stride, q := m.newStride(d, sumsAtOnce), m.GP64()
	m.emitLoop("vector", count, sumsAtOnce, func(n int) {
		m.MOVQ(qStart, q)
		sum := m.loadRows(sums, n)
		m.emitLoop("component", d, 2, func(times int) {
			for t := range times {
				x := m.register()
				m.VMOVUPS(m.address(q, t, 0), x)
				for j := range sum {
					m.addProduct(stride.address(k, j).Offset(rowBytes*t), x, sum[j])
				}
			}
			m.advance(times, q, k)
		})
		m.LEAQ(stride.address(k, n-1), k) // from the end of the first vector to the end of the last
		m.storeRows(sum, sums)
		m.advance(n, sums)
	})
	m.endFunction()
}

// emitDifferences writes the function that subtracts a base from each vector and adds the squares
// of the differences. Several vectors together would not be faster, since writing the rows takes
// most of the time.
func (m *machine) emitDifferences() {
	m.beginFunction("differences", "subtracts base from each vector in every lane of a register.",
		"func(k, base, diff *float32, d, vectors int, squares *float32)", false)
	k, baseStart, diff := m.loadArgument("k"), m.loadArgument("base"), m.loadArgument("diff")
	d, count, squares := m.loadArgument("d"), m.loadArgument("vectors"), m.loadArgument("squares")
	base, sum := m.GP64(), m.register()
	m.emitLoop("vector", count, 1, func(int) {
		m.MOVQ(baseStart, base)
		m.VMOVUPS(m.address(squares, 0, 0), sum)
		m.emitLoop("component", d, 2, func(times int) {
			for t := range times {
				x := m.register()
				m.VMOVUPS(m.address(k, t, 0), x)
				m.VSUBPS(m.address(base, t, 0), x, x)
				m.VMOVUPS(x, m.address(diff, t, 0))
				m.addProduct(x, x, sum)
			}
			m.advance(times, base, k, diff)
		})
		m.VMOVUPS(sum, m.address(squares, 0, 0))
		m.advance(1, squares)
	})
	m.endFunction()
}

// emitBlend writes the function that adds the weighted sum of vectors.
func (m *machine) emitBlend() {
	m.beginFunction("blend", "adds the weighted sum of vectors in every lane of a register.",
		"func(k, weights *float32, d, vectors int, sum *float32)", false)
	kStart, weights, d := m.loadArgument("k"), m.loadArgument("weights"), m.loadArgument("d")
	count, sums := m.loadArgument("vectors"), m.loadArgument("sum")
	stride, k, w := m.newStride(d, 1), m.GP64(), m.GP64()
	m.emitLoop("component", d, sumsAtOnce, func(n int) {
		m.MOVQ(kStart, k)
		m.MOVQ(weights, w)
		sum := m.loadRows(sums, n)
		m.emitLoop("vector", count, 1, func(int) {
			weight := m.register()
			m.VMOVUPS(m.address(w, 0, 0), weight)
			for t := range sum {
				m.addProduct(m.address(k, t, 0), weight, sum[t])
			}
			m.LEAQ(stride.address(k, 1), k)
			m.advance(1, w)
		})
		m.storeRows(sum, sums)
		m.advance(n, kStart, sums)
	})
	m.endFunction()
}

// emitAbove writes the function that counts the scores above the threshold least.
func (m *machine) emitAbove() {
	m.beginFunction("above", "counts the scores greater than least in every lane of a register.",
		"func(scores *float32, keys int, least *float32, counts *int32)", false)
	scores, keys, countsAddress := m.loadArgument("scores"), m.loadArgument("keys"), m.loadArgument("counts")
	least, count := m.register(), m.register()
	m.VMOVUPS(m.address(m.loadArgument("least"), 0, 0), least)
	m.VMOVUPS(m.address(countsAddress, 0, 0), count)
	if m.isAVX512 {
		m.pin("minusBit0")
	}
	m.emitLoop("key", keys, 4, func(times int) {
		for i := range times {
			s := m.register()
			m.VMOVUPS(m.address(scores, i, 0), s)
			if m.isAVX512 {
				k := m.K()
				m.VCMPPS(operand.U8(greater), least, s, k)
				m.VPSUBD(m.constant("minusBit0"), count, k, count)
			} else {
				m.VCMPPS(operand.U8(greater), least, s, s)
				m.VPSUBD(s, count, count)
			}
		}
		m.advance(times, scores)
	})
	m.VMOVUPS(count, m.address(countsAddress, 0, 0))
	m.endFunction()
}

// addProduct adds a·b to sum. The product is rounded first, so that the operations are not fused.
func (m *machine) addProduct(a operand.Op, b, sum reg.VecVirtual) {
	product := m.register()
	m.VMULPS(a, b, product)
	m.VADDPS(product, sum, sum)
}

// stride holds registers with the odd multiples 1, 3, 5, … of the distance between vectors in
// bytes.
type stride []reg.Register

// newStride returns the stride of vectors of dimension d, with as many multiples as the addresses
// of the given number of vectors need.
func (m *machine) newStride(d reg.Register, vectors int) stride {
	const rowBits = 6 // rowBytes is 2⁶
	s := stride{m.GP64()}
	m.MOVQ(d, s[0])
	m.SHLQ(operand.U8(rowBits), s[0])
	for j := 3; j < vectors; j += 2 {
		next := m.GP64()
		m.LEAQ(operand.Mem{Base: s[len(s)-1], Index: s[0], Scale: 2}, next)
		s = append(s, next)
	}
	return s
}

// address returns the address of the j-th vector after base, by the odd multiple times a power of
// 2.
func (s stride) address(base reg.Register, j int) operand.Mem {
	if j == 0 {
		return operand.Mem{Base: base}
	}
	power := j & -j
	return operand.Mem{Base: base, Index: s[j/power/2], Scale: uint8(power)}
}

// advance adds a number of rows to pointers.
func (m *machine) advance(rows int, pointers ...reg.Register) {
	for _, r := range pointers {
		m.ADDQ(operand.U32(uint32(rowBytes*rows)), r)
	}
}

func (m *machine) loadRows(base reg.Register, n int) value {
	values := m.registers(n)
	for i, r := range values {
		m.VMOVUPS(m.address(base, i, 0), r)
	}
	return values
}

func (m *machine) storeRows(rows value, base reg.Register) {
	for i, r := range rows {
		m.VMOVUPS(r, m.address(base, i, 0))
	}
}
