package main

// spherePairs writes the function that draws two normal vectors g and h and
// returns d·(g·h)/(|g||h|).
func (m *machine) spherePairs() {
	m.begin("spherePairs", "draws two vectors in every lane and returns their product.", pairsSignature, true)
	d, scores := m.argument("d"), m.argument("scores")
	gg, hh, gh := m.zero(), m.zero(), m.zero()
	m.drawing(d, m.unroll, normal.words, func(times int) {
		m.chains = times
		draws := normal.draw(m, m.words(normal.words))
		g, h := draws[0], draws[1]
		m.accumulate(m.mul(g, g), gg)
		m.accumulate(m.mul(g, h), gh)
		m.accumulate(m.mul(h, h), hh)
	})
	m.chains = 1
	norms := m.max(m.mul(m.sqrt(gg), m.sqrt(hh)), name("tiny"))
	m.store(m.mul(m.div(gh, norms), m.spread(d)), 0, scores, 0)
	m.end()
}

// rescale writes the function that gives the d components of every lane the
// length √d.
func (m *machine) rescale() {
	m.begin("rescale", "gives the vector of every lane the length √d.", "func(dst *float32, d int)", false)
	dst, d := m.argument("dst"), m.argument("d")
	m.chains = 1
	sum, at := m.zero(), m.GP64()
	m.MOVQ(dst, at)
	m.steps("sum", d, 1, func(int) {
		x := m.loadRow(at, 0)
		m.accumulate(m.mul(x, x), sum)
		m.advance(1, at)
	})
	scale := m.div(m.sqrt(m.spread(d)), m.max(m.sqrt(sum), name("tiny")))
	m.steps("scale", d, 1, func(int) {
		x := m.value()
		for part := range x {
			m.VMULPS(m.at(dst, 0, part), scale[part], x[part])
		}
		m.store(x, 0, dst, 0)
		m.advance(1, dst)
	})
	m.end()
}
