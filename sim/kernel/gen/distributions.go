package main

// distribution describes how a distribution converts a group of words to draws.
type distribution struct {
	name          string
	words, draws  int    // size of a group of words, and of its group of draws
	residentState bool   // whether AVX2, too, keeps the generator in registers, without batches
	singleStep    bool   // whether NEON has registers for only one step at a time
	parameters    []name // 32-bit words that the caller passes
	draw          func(m *machine, w []word) []value
	// product returns the product of the two draws of a group. It is nil if this is not shorter
	// than multiplying the draws.
	product func(m *machine, w []word) value
}

var normal = distribution{
	name: "normal", words: 2, draws: 2,
	draw: func(m *machine, w []word) []value { return pair(m.boxMuller(m.radius(w[0]), w[1])) },
	product: func(m *machine, w []word) value {
		return m.boxMullerProduct(func() value { return m.radius(w[0]) }, w[1])
	},
}

var distributions = []distribution{
	normal,
	{name: "uniform", words: 1, draws: 1, residentState: true, draw: uniform},
	{name: "laplace", words: 1, draws: 1, draw: laplace},
	{name: "triangular", words: 2, draws: 1, draw: triangular},
	{name: "truncatedNormal", words: 1, draws: 1, draw: truncatedNormal},
	{name: "studentT", words: 3, draws: 1, singleStep: true, parameters: []name{"inverse", "factor"}, draw: studentT},
	{name: "bernoulliGaussian", words: 4, draws: 2, parameters: []name{"limit", "scale"},
		draw: bernoulliGaussian, product: bernoulliGaussianProduct},
}

func pair(q, k value) []value { return []value{q, k} }

func uniform(m *machine, w []word) []value {
	return []value{m.mul(m.oddFloat(w[0]), name("uniformUnit"))}
}

func laplace(m *machine, w []word) []value {
	u := m.open31(m.and(m.get(w[0]), name("magnitudeBits")))
	magnitude := m.mul(m.minusTwoLog(u, "unit31"), name("laplaceUnit"))
	return []value{m.flipSign(magnitude, m.get(w[0]))}
}

func triangular(m *machine, w []word) []value {
	return []value{m.mul(m.add(m.oddFloat(w[0]), m.oddFloat(w[1])), name("triangularUnit"))}
}

func truncatedNormal(m *machine, w []word) []value {
	y := m.mul(m.oddFloat(w[0]), name("unit"))
	x := m.add(m.mul(m.mul(y, y), name("minusCut")), name("one"))
	return []value{m.mul(y, m.polynomial7("trunc", m.minusTwoLog(x, "unit1")))}
}

func studentT(m *machine, w []word) []value {
	var magnitude, sin value
	m.interleave(func() {
		low := m.mul(m.open31(m.shiftRight(m.get(w[1]), 1)), name("unit"))
		u := m.add(m.float(m.shiftRight(m.get(w[0]), 1)), low)
		power := m.expm1(m.mul(m.minusTwoLog(u, "unit31"), name("inverse")))
		magnitude = m.sqrt(m.mul(power, name("factor")))
	}, func() { sin = m.sinHalfTurn(w[2]) })
	return []value{m.mul(magnitude, sin)}
}

func bernoulliGaussian(m *machine, w []word) []value {
	q, k := m.boxMuller(m.mul(m.radius(w[0]), name("scale")), w[1])
	return pair(m.zeroAbove(q, m.get(w[2]), "limit"), m.zeroAbove(k, m.get(w[3]), "limit"))
}

func bernoulliGaussianProduct(m *machine, w []word) value {
	product := func() value {
		return m.boxMullerProduct(func() value { return m.mul(m.radius(w[0]), name("scale")) }, w[1])
	}
	if m.isNEON {
		words := m.maxWord(m.get(w[2]), m.get(w[3]))
		return m.drawIfAnyKept(words, "limit", func() value { return m.zeroAbove(product(), words, "limit") })
	}
	p := product()
	return m.zeroAbove(p, m.maxWord(m.get(w[2]), m.get(w[3])), "limit")
}
