package weights

import "mcsim/sim/kernel"

// Measures has the results of one sample of weights and tokens: means over the sampled tokens, and
// expectations over all possible tokens, which depend on the weights only. The score of a query q
// and a key k is q·k without a scale.
type Measures struct {
	QuerySquare float64 // mean of |q|²/d_k over tokens
	KeySquare   float64 // mean of |k|²/d_k over tokens
	ScoreSquare float64 // mean of (q·k)² over pairs of different tokens
	SelfSquare  float64 // mean of (q·k)² of a token with itself
	SelfScore   float64 // mean of q·k of a token with itself
	TokenSquare float64 // mean of (x·x')²/d_model² over pairs of different tokens x and x'

	// Expectations given the weights. Both are 0, for not computed, if the head is normalised.
	// WeightsSelfScore is also 0 if the columns are orthonormal.
	WeightsSquare    float64 // E (q·k)² over pairs of different tokens
	WeightsSelfScore float64 // E q·k of a token with itself
}

// measure computes the Measures of the sample.
func (s *Sampler) measure() Measures {
	var m Measures
	m.QuerySquare, m.KeySquare = s.projections[0].meanSquare(s.head.Shape.Key),
		s.projections[1].meanSquare(s.head.Shape.Key)
	s.measureScores(&m)
	m.TokenSquare = s.meanTokenSquare()
	switch {
	case s.head.Normalised:
	case s.head.Scheme.IsOrthogonal():
		m.WeightsSquare = s.orthogonalWeightsSquare()
	default:
		m.WeightsSquare, m.WeightsSelfScore = s.weightsSquare(), s.weightsSelfScore()
	}
	return m
}

// meanSquare returns the mean of |q|²/d over tokens.
func (p *projection) meanSquare(key int) float64 {
	var sum float64
	for panel := range tokenPanels {
		for _, square := range squaredLengths(p.outputs[panel*key : (panel+1)*key]) {
			sum += square
		}
	}
	return sum / float64(Tokens*key)
}

// measureScores computes the means over the scores of all queries with all keys.
func (s *Sampler) measureScores(m *Measures) {
	key := s.head.Shape.Key
	queries, keys := s.projections[0].outputs, s.projections[1].outputs
	var totalSquares, selfSquares, selfSum float64
	var unused kernel.Sums
	for t := range keyTiles {
		start := tileStart(t, tokenPanels)
		firstColumn := (t*tilePanels - start) * kernel.Width // the previous tile has the columns before it
		for half := range tokenPanels * halves {
			panel := half / halves * key
			kernel.Products(queries[panel:panel+key], half%halves, keys[start*key:], key, &s.tile, true, false, &unused)
			totalSquares += sumSquares(&s.tile, firstColumn)
			for i := range s.tile {
				token := half*kernel.TileQueries + i
				if column := token - start*kernel.Width; column >= firstColumn && column < kernel.TileKeys {
					score := float64(s.tile[i][column])
					selfSum += score
					selfSquares += float64(score * score)
				}
			}
		}
	}
	m.SelfScore, m.SelfSquare = selfSum/Tokens, selfSquares/Tokens
	m.ScoreSquare = (totalSquares - selfSquares) / (Tokens * (Tokens - 1))
}

// sumSquares returns the sum of the squares of a tile's scores from a column on.
func sumSquares(tile *kernel.Tile, firstColumn int) float64 {
	var a, b, c, e float64 // partial sums, so that additions need not wait for each other
	for i := range tile {
		for rest := tile[i][firstColumn:]; len(rest) >= 4; rest = rest[4:] {
			x, y, z, w := float64(rest[0]), float64(rest[1]), float64(rest[2]), float64(rest[3])
			a += float64(x * x)
			b += float64(y * y)
			c += float64(z * z)
			e += float64(w * w)
		}
	}
	return (a + b) + (c + e)
}

// meanTokenSquare returns the mean of (x·x')²/D² of tokens 0 to 47 with tokens 48 to 95.
func (s *Sampler) meanTokenSquare() float64 {
	model := float64(s.head.Shape.Model)
	var sum float64
	for half := range s.tokenTiles {
		for i := range s.tokenTiles[half] {
			a := kernel.TileKeys + half*kernel.TileQueries + i
			for b, product := range s.tokenTiles[half][i] {
				centred := float64(product)/model - float64(s.means[a]*s.means[b])
				cosine := float64(float64(centred*s.inverseSDs[a]) * s.inverseSDs[b])
				sum += float64(cosine * cosine)
			}
		}
	}
	return sum / (kernel.TileKeys * kernel.TileKeys)
}

// weightsSquare returns tr(QK) of the second moments Q and K of queries and keys over tokens:
// W_QᵀΣW_Q + b_Qb_Qᵀ, and the same for keys (see Head.RelativeVariance).
func (s *Sampler) weightsSquare() float64 {
	var sum float64
	for a := range s.head.Shape.Key {
		for b := range s.head.Shape.Key {
			sum += float64(s.secondMoment(&s.projections[0], a, b) * s.secondMoment(&s.projections[1], a, b))
		}
	}
	return sum
}

// secondMoment returns E q_a q_b over tokens, with the projection p and its components a and b.
func (s *Sampler) secondMoment(p *projection, a, b int) float64 {
	model := float64(s.head.Shape.Model)
	tile := b / kernel.TileKeys
	column := b - tileStart(tile, s.storedPanels())*kernel.Width
	product := float64(p.gram[a/kernel.TileQueries][tile][a%kernel.TileQueries][column])
	if !s.head.Raw {
		product -= float64(p.columnSum(a)*p.columnSum(b)) / model
	}
	return float64(s.covariance(p.sd, p.sd)*product) + float64(p.biasOf(a)*p.biasOf(b))
}

// covariance returns a·b times the variance of tokens along a direction of mean 0, which is
// D/(D−1), or 1 for raw tokens. a and b are the standard deviations of the entries of two
// projections.
func (s *Sampler) covariance(a, b float64) float64 {
	if s.head.Raw {
		return float64(a * b)
	}
	model := float64(s.head.Shape.Model)
	return float64(a*b) * model / (model - 1)
}

// weightsSelfScore returns E q·k of a token with itself, tr(W_Q W_KᵀΣ) + b_Q·b_K.
func (s *Sampler) weightsSelfScore() float64 {
	q, k := &s.projections[0], &s.projections[1]
	var weights, bias float64
	for c := range s.head.Shape.Key {
		product := s.columnProducts[c/kernel.Width][c%kernel.Width]
		if !s.head.Raw {
			product -= float64(q.columnSum(c)*k.columnSum(c)) / float64(s.head.Shape.Model)
		}
		weights += product
		bias += float64(q.biasOf(c) * k.biasOf(c))
	}
	return float64(s.covariance(q.sd, k.sd)*weights) + bias
}

// orthogonalWeightsSquare returns tr(QK) for orthonormal columns,
// (d − |u|² − |v|² + (u·v)²)·(D/(D−1))² with u = W_Qᵀ1/√D and v = W_Kᵀ1/√D, or d for raw tokens.
func (s *Sampler) orthogonalWeightsSquare() float64 {
	if s.head.Raw {
		return float64(s.head.Shape.Key)
	}
	key, model := s.head.Shape.Key, float64(s.head.Shape.Model)
	u, v := s.projections[0].solveOnes(key), s.projections[1].solveOnes(key)
	var uu, vv, uv float64
	for c := range u {
		uu += float64(u[c]*u[c]) / model
		vv += float64(v[c]*v[c]) / model
		uv += float64(u[c]*v[c]) / model
	}
	factor := s.covariance(1, 1)
	return float64(float64(factor*factor) * (float64(key) - uu - vv + float64(uv*uv)))
}
