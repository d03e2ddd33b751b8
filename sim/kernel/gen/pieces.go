package main

// The functions of this file mirror the functions of the same names in portable Go, operation by
// operation.

// minusTwoLog returns −2 ln x for unit unit1, and −2 ln(x/2³¹) for unit31.
func (m *machine) minusTwoLog(x value, unit name) value {
	exponent := func(i value) value { return m.float(m.shiftSigned(i, 23)) }
	if m.isAVX512 { // VGETEXPPS alone converts an exponent that has the bias of float32
		unit += "Biased"
		exponent = func(i value) value { return m.unary(m.VGETEXPPS, i) }
	}
	i := m.subInt(x, unit)
	f := m.add(m.addInt(m.and(i, name("mantissaBits")), name("sqrtHalf")), name("minusOne"))
	p := m.mul(f, m.polynomial7("log", f))
	return m.add(m.mul(exponent(i), name("minusTwoLn2")), p)
}

// term returns low + x·high.
func (m *machine) term(x value, low, high name) value { return m.add(m.mul(x, high), low) }

// polynomial7 returns the polynomial of degree 7 whose coefficients have the given prefix. It
// evaluates pairs of terms, which shortens the chain of operations.
func (m *machine) polynomial7(prefix name, x value) value {
	v := m.mul(x, x)
	p := m.mul(v, m.term(x, prefix+"6", prefix+"7"))
	p = m.add(m.term(x, prefix+"4", prefix+"5"), p)
	p = m.add(m.term(x, prefix+"2", prefix+"3"), m.mul(v, p))
	return m.add(m.term(x, prefix+"0", prefix+"1"), m.mul(v, p))
}

func (m *machine) expPolynomial(r value) value {
	v := m.mul(r, r)
	p := m.mul(v, m.term(r, "exp4", "exp5"))
	p = m.add(m.term(r, "exp2", "exp3"), p)
	return m.add(m.term(r, "exp0", "exp1"), m.mul(v, p))
}

// horner returns c0 + z(c1 + z(… + z·c<degree>)), where c is the prefix of the coefficients.
func (m *machine) horner(prefix string, degree int, z value) value {
	coefficient := func(k int) name { return name(prefix + string(rune('0'+k))) }
	p := m.term(z, coefficient(degree-1), coefficient(degree))
	for k := degree - 2; k >= 0; k-- {
		p = m.add(m.mul(z, p), coefficient(k))
	}
	return p
}

// open31 returns w + ½ for a word w below 2³¹.
func (m *machine) open31(w value) value { return m.add(m.float(w), name("half")) }

// oddFloat returns a word with its lowest bit set, as a signed number.
func (m *machine) oddFloat(w word) value { return m.float(m.or(m.get(w), name("bit0"))) }

func (m *machine) sinCos(w word) (sin, cos value) {
	x := m.mul(m.float(m.get(w)), name("angleUnit"))
	z := m.mul(x, x)
	s := m.mul(x, m.horner("sin", 3, z))
	return s, m.horner("cos", 3, z)
}

func (m *machine) radius(w word) value {
	return m.sqrt(m.minusTwoLog(m.open31(m.shiftRight(m.get(w), 1)), "unit31"))
}

// boxMuller returns two normal draws from the radius r and the word of the angle.
func (m *machine) boxMuller(r value, angle word) (q, k value) {
	r = m.flipSign(r, m.shiftLeft(m.get(angle), 30))
	s, c := m.sinCos(angle)
	c, s = m.exchangeWhere(m.get(angle), c, s)
	return m.mul(r, c), m.mul(r, s)
}

// boxMullerProduct returns the product of the two draws of boxMuller, which does not depend on the
// quadrant of the angle.
func (m *machine) boxMullerProduct(radius func() value, angle word) value {
	var r, s, c value
	m.interleave(func() { r = radius() }, func() { s, c = m.sinCos(angle) })
	return m.mul(m.mul(r, c), m.mul(r, s))
}

func (m *machine) expm1(t value) value {
	shifted := m.add(m.mul(t, name("log2e")), name("roundInt"))
	n := m.sub(shifted, name("roundInt"))
	r := m.add(t, m.mul(n, name("minusLn2High")))
	r = m.add(r, m.mul(n, name("minusLn2Low")))
	power := m.addInt(m.shiftLeft(shifted, 23), name("one"))
	low := m.mul(power, m.mul(r, m.expPolynomial(r)))
	return m.add(m.add(power, name("minusOne")), low)
}

func (m *machine) sinHalfTurn(w word) value {
	y := m.mul(m.oddFloat(w), name("unit"))
	return m.mul(y, m.horner("turn", 4, m.mul(y, y)))
}
