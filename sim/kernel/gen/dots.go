package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// These functions take a register of lanes of many vectors, of which each lane
// has its own: all 16 of AVX-512, 8 of AVX2, which is called twice. Component t
// of vector j stands in row j·d + t of memory. A sum is one chain of additions,
// in the order of the index; several side by side hide the latency of each.

// manySums is how many sums stand side by side.
const manySums = 8

// dots writes the function that adds the products of q and each vector.
func (m *machine) dots() {
	m.begin("dots", "adds the products of q and each vector in every lane of a register.",
		"func(q, k *float32, d, vectors int, sums *float32)", false)
	from, k, d, count, sums := m.argument("q"), m.argument("k"), m.argument("d"), m.argument("vectors"),
		m.argument("sums")
	stride, q := m.strideOf(d, manySums), m.GP64()
	m.steps("vector", count, manySums, func(n int) {
		m.MOVQ(from, q)
		sum := m.loadRows(sums, n)
		m.steps("component", d, 2, func(times int) {
			for t := range times {
				x := m.register()
				m.VMOVUPS(m.at(q, t, 0), x)
				for j := range sum {
					m.addProduct(stride.at(k, j).Offset(row*t), x, sum[j])
				}
			}
			m.advance(times, q, k)
		})
		m.LEAQ(stride.at(k, n-1), k) // from the end of the first to that of the last
		m.storeRows(sum, sums)
		m.advance(n, sums)
	})
	m.end()
}

// differences writes the function that subtracts a base from each vector and
// adds the squares of what is left. One vector after the other is as fast as
// several side by side: it is the rows written that take the time.
func (m *machine) differences() {
	m.begin("differences", "subtracts base from each vector in every lane of a register.",
		"func(k, base, diff *float32, d, vectors int, squares *float32)", false)
	k, from, diff := m.argument("k"), m.argument("base"), m.argument("diff")
	d, count, squares := m.argument("d"), m.argument("vectors"), m.argument("squares")
	base, sum := m.GP64(), m.register()
	m.steps("vector", count, 1, func(int) {
		m.MOVQ(from, base)
		m.VMOVUPS(m.at(squares, 0, 0), sum)
		m.steps("component", d, 2, func(times int) {
			for t := range times {
				x := m.register()
				m.VMOVUPS(m.at(k, t, 0), x)
				m.VSUBPS(m.at(base, t, 0), x, x)
				m.VMOVUPS(x, m.at(diff, t, 0))
				m.addProduct(x, x, sum)
			}
			m.advance(times, base, k, diff)
		})
		m.VMOVUPS(sum, m.at(squares, 0, 0))
		m.advance(1, squares)
	})
	m.end()
}

// blend writes the function that adds the weighted sum of vectors.
func (m *machine) blend() {
	m.begin("blend", "adds the weighted sum of vectors in every lane of a register.",
		"func(k, weights *float32, d, vectors int, sum *float32)", false)
	from, weights, d, count, to := m.argument("k"), m.argument("weights"), m.argument("d"), m.argument("vectors"),
		m.argument("sum")
	stride, k, w := m.strideOf(d, 1), m.GP64(), m.GP64()
	m.steps("component", d, manySums, func(n int) {
		m.MOVQ(from, k)
		m.MOVQ(weights, w)
		sum := m.loadRows(to, n)
		m.steps("vector", count, 1, func(int) {
			weight := m.register()
			m.VMOVUPS(m.at(w, 0, 0), weight)
			for t := range sum {
				m.addProduct(m.at(k, t, 0), weight, sum[t])
			}
			m.LEAQ(stride.at(k, 1), k)
			m.advance(1, w)
		})
		m.storeRows(sum, to)
		m.advance(n, from, to)
	})
	m.end()
}

// above writes the function that counts the scores greater than the least.
func (m *machine) above() {
	m.begin("above", "counts the scores greater than least in every lane of a register.",
		"func(scores *float32, keys int, least *float32, counts *int32)", false)
	at, keys, out := m.argument("scores"), m.argument("keys"), m.argument("counts")
	least, count := m.register(), m.register()
	m.VMOVUPS(m.at(m.argument("least"), 0, 0), least)
	m.VMOVUPS(m.at(out, 0, 0), count)
	if m.wide {
		m.pin("minusBit0")
	}
	m.steps("key", keys, 4, func(times int) {
		for i := range times {
			s := m.register()
			m.VMOVUPS(m.at(at, i, 0), s)
			if m.wide {
				k := m.K()
				m.VCMPPS(operand.U8(greater), least, s, k)
				m.VPSUBD(m.constant("minusBit0"), count, k, count)
			} else {
				m.VCMPPS(operand.U8(greater), least, s, s)
				m.VPSUBD(s, count, count)
			}
		}
		m.advance(times, at)
	})
	m.VMOVUPS(count, m.at(out, 0, 0))
	m.end()
}

// addProduct adds a·b to sum, rounding the product first.
func (m *machine) addProduct(a operand.Op, b, sum reg.VecVirtual) {
	product := m.register()
	m.VMULPS(a, b, product)
	m.VADDPS(product, sum, sum)
}

// stride holds odd multiples of the distance of vectors, in bytes.
type stride []reg.Register

// strideOf returns the stride of vectors of dimension d, enough to reach the
// given number of them.
func (m *machine) strideOf(d reg.Register, vectors int) stride {
	const rowBits = 6
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

// at is the place of vector j from base on.
func (s stride) at(base reg.Register, j int) operand.Mem {
	if j == 0 {
		return operand.Mem{Base: base}
	}
	power := j & -j
	return operand.Mem{Base: base, Index: s[j/power/2], Scale: uint8(power)}
}

// advance moves on by a number of rows.
func (m *machine) advance(rows int, all ...reg.Register) {
	for _, r := range all {
		m.ADDQ(operand.U32(uint32(row*rows)), r)
	}
}

func (m *machine) loadRows(base reg.Register, n int) value {
	all := m.registers(n)
	for i, r := range all {
		m.VMOVUPS(m.at(base, i, 0), r)
	}
	return all
}

func (m *machine) storeRows(rows value, base reg.Register) {
	for i, r := range rows {
		m.VMOVUPS(r, m.at(base, i, 0))
	}
}
