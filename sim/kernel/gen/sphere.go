package main

// emitSpherePairs writes the function that samples two normal vectors g and h and returns
// d·(g·h)/(|g||h|).
func (m *machine) emitSpherePairs() {
	m.beginFunction("spherePairs", "draws two vectors in every lane and returns their product.", pairsSignature, true)
	d, scores := m.loadArgument("d"), m.loadArgument("scores")
	gg, hh, gh := m.newZeroRow(), m.newZeroRow(), m.newZeroRow()
	m.emitDrawingLoop(d, m.unroll, normal.words, func(times int) {
		m.chains = times
		draws := normal.draw(m, m.words(normal.words))
		g, h := draws[0], draws[1]
		m.accumulate(m.mul(g, g), gg)
		m.accumulate(m.mul(g, h), gh)
		m.accumulate(m.mul(h, h), hh)
	})
	m.chains = 1
	norms := m.max(m.mul(m.sqrt(gg), m.sqrt(hh)), name("tiny"))
	m.storeRow(m.mul(m.div(gh, norms), m.spreadFloat(d)), 0, scores, 0)
	m.endFunction()
}

// emitRescale writes the function that rescales the d components of every lane to length √d.
func (m *machine) emitRescale() {
	m.beginFunction("rescale", "gives the vector of every lane the length √d.", "func(dst *float32, d int)", false)
	dst, d := m.loadArgument("dst"), m.loadArgument("d")
	m.chains = 1
	sum, cursor := m.newZeroRow(), m.GP64()
	m.MOVQ(dst, cursor)
	m.emitLoop("sum", d, 1, func(int) {
		x := m.loadRow(cursor, 0)
		m.accumulate(m.mul(x, x), sum)
		m.advance(1, cursor)
	})
	scale := m.div(m.sqrt(m.spreadFloat(d)), m.max(m.sqrt(sum), name("tiny")))
	m.emitLoop("scale", d, 1, func(int) {
		x := m.newValue()
		for part := range x {
			m.VMULPS(m.address(dst, 0, part), scale[part], x[part])
		}
		m.storeRow(x, 0, dst, 0)
		m.advance(1, dst)
	})
	m.endFunction()
}
