package kernel

// truncatedNormal samples the normal distribution cut at ±2, divided by its standard deviation σ. A
// draw is √2·erfinv(cy)/σ for y uniform on [−1, 1] and c = erf(√2). It is computed as y times a
// polynomial in w = −2 ln(1 − c²y²), as in Giles (GPU Computing Gems, 2011, chapter 10).
func truncatedNormal(float64) laneSampler { return newGroupSampler(1, 1, truncatedDraws) }

// truncatedDraws makes a draw from each word.
func truncatedDraws(words []uint32, draws []float32) {
	for i, w := range words {
		y := oddFloat(w) * (1.0 / (1 << 31))
		draws[i] = 1 - float32(float32(y*y)*truncCut)
	}
	minusTwoLogs(draws, unit1)
	for i, w := range words {
		y := oddFloat(w) * (1.0 / (1 << 31))
		draws[i] = y * truncPolynomial(draws[i])
	}
}

// truncPolynomial returns √2·erfinv(cy)/(σy) as a polynomial in w.
func truncPolynomial(w float32) float32 {
	v := w * w
	p := trunc4 + float32(w*trunc5) + float32(v*(trunc6+float32(w*trunc7)))
	p = trunc2 + float32(w*trunc3) + float32(v*p)
	return trunc0 + float32(w*trunc1) + float32(v*p)
}
