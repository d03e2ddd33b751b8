package main

import "github.com/mmcloughlin/avo/operand"

// spherePairs writes the function that draws two normal vectors g and h and
// returns d·(g·h)/(|g||h|).
func (m *machine) spherePairs(unroll int) {
	m.begin("spherePairs", "draws two vectors in every lane and returns their product.",
		"func(state *uint32, d int, scores *float32, parameters *uint32)")
	state := m.Load(m.Param("state"), m.GP64())
	d := m.Load(m.Param("d"), m.GP64())
	scores := m.Load(m.Param("scores"), m.GP64())
	normal := laws[0]
	m.halves(func() {
		m.loadState(state)
		gg, hh, gh := m.zero(), m.zero(), m.zero()
		m.steps("component", d, unroll, func(times int) {
			m.chains = times
			draws := normal.draw(m, m.words(normal.words))
			g, h := draws[0], draws[1]
			a, b, c := m.mul(g, g), m.mul(h, h), m.mul(g, h)
			for i := range times {
				m.VADDPS(a[i], gg, gg)
				m.VADDPS(b[i], hh, hh)
				m.VADDPS(c[i], gh, gh)
			}
		})
		m.chains = 1
		norms := m.max(m.mul(m.sqrt(value{gg}), m.sqrt(value{hh})), name("tiny"))
		score := m.mul(m.div(value{gh}, norms), m.spread(d))
		m.VMOVUPS(score[0], operand.Mem{Base: scores})
		m.storeState(state)
	}, state, scores)
	m.VZEROUPPER()
	m.RET()
}

// rescale writes the function that gives the d components of every lane the
// length √d.
func (m *machine) rescale() {
	m.begin("rescale", "gives the vector of every lane the length √d.", "func(dst *float32, d int)")
	dst := m.Load(m.Param("dst"), m.GP64())
	d := m.Load(m.Param("d"), m.GP64())
	m.chains = 1
	m.halves(func() {
		sum, at := m.zero(), m.GP64()
		m.MOVQ(dst, at)
		m.steps("sum", d, 1, func(int) {
			x := value{m.register()}
			m.VMOVUPS(operand.Mem{Base: at}, x[0])
			m.VADDPS(m.mul(x, x)[0], sum, sum)
			m.ADDQ(operand.U32(row), at)
		})
		scale := m.div(m.sqrt(m.spread(d)), m.max(m.sqrt(value{sum}), name("tiny")))
		m.MOVQ(dst, at)
		m.steps("scale", d, 1, func(int) {
			x := m.register()
			m.VMULPS(operand.Mem{Base: at}, scale[0], x)
			m.VMOVUPS(x, operand.Mem{Base: at})
			m.ADDQ(operand.U32(row), at)
		})
	}, dst)
	m.VZEROUPPER()
	m.RET()
}
