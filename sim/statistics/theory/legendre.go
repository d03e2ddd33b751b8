package theory

// legendre is the Gauss–Legendre rule of 16 points on (−1, 1): the eight positive nodes, each with
// its weight. The other eight nodes are their negatives.
var legendre = [8][2]float64{
	{0.095012509837637440185, 0.18945061045506849629}, {0.28160355077925891323, 0.18260341504492358887},
	{0.45801677765722738634, 0.16915651939500253819}, {0.61787624440264374845, 0.14959598881657673208},
	{0.7554044083550030339, 0.12462897125553387205}, {0.86563120238783174388, 0.09515851168249278481},
	{0.94457502307323257608, 0.062253523938647892863}, {0.9894009349916499326, 0.027152459411754094852},
}

// quadrature is a rule for integrals: ∫f is about Σ weights[i]·f(points[i]).
type quadrature struct{ points, weights []float64 }

// addPanels adds a rule for (low, high). It splits the range into the smallest number of equal
// panels that are at most width wide, with 16 points in each.
func (q *quadrature) addPanels(low, high, width float64) {
	n := 1
	for (high-low)/float64(n) > width {
		n++
	}
	halfWidth := (high - low) / float64(2*n)
	for i := range n {
		middle := low + float64(halfWidth*float64(2*i+1))
		for _, pair := range legendre {
			node, weight := pair[0], pair[1]
			offset := float64(halfWidth * node)
			q.points = append(q.points, middle-offset, middle+offset)
			q.weights = append(q.weights, float64(halfWidth*weight), float64(halfWidth*weight))
		}
	}
}
