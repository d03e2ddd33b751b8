package theory

// legendre is the Gauss–Legendre rule of 16 points: the half of its nodes in
// (0, 1) with their weights; the other half are their negatives.
var legendre = [8][2]float64{
	{0.095012509837637440185, 0.18945061045506849629},
	{0.28160355077925891323, 0.18260341504492358887},
	{0.45801677765722738634, 0.16915651939500253819},
	{0.61787624440264374845, 0.14959598881657673208},
	{0.7554044083550030339, 0.12462897125553387205},
	{0.86563120238783174388, 0.09515851168249278481},
	{0.94457502307323257608, 0.062253523938647892863},
	{0.9894009349916499326, 0.027152459411754094852},
}

// quadrature is a rule: the integral of f is about Σ weight·f(at).
type quadrature struct{ at, weight []float64 }

// panels adds to the rule one for (from, to), of 16 points in each of as many
// equal panels as keep them no wider than width.
func (q *quadrature) panels(from, to, width float64) {
	n := 1
	for (to-from)/float64(n) > width {
		n++
	}
	half := (to - from) / float64(2*n)
	for i := range n {
		middle := from + float64(half*float64(2*i+1))
		for _, rule := range legendre {
			offset := float64(half * rule[0])
			q.at = append(q.at, middle-offset, middle+offset)
			q.weight = append(q.weight, float64(half*rule[1]), float64(half*rule[1]))
		}
	}
}
