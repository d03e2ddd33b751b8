package weights

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Tokens is the number of tokens for one sample of weights. Each is a query and a key, which gives
// Tokens² logits, of which Tokens are of a token with itself.
const Tokens = 256

// Sizes in panels of sixteen vectors, as kernel.Vectors samples them.
const (
	tokenPanels = Tokens / kernel.Width
	tilePanels  = kernel.TileKeys / kernel.Width
	keyTiles    = (tokenPanels + tilePanels - 1) / tilePanels
	halves      = kernel.Width / kernel.TileQueries
)

// chunk is the number of components of tokens and weights that are stored at a time. It is a
// multiple of the number of components that the kernel of any distribution samples together.
const chunk = 256

// Bounds of a shape. A Sampler uses about 15 KiB for each component of d_k.
const (
	MaxModel = 1 << 15
	MaxKey   = 1 << 10
)

// component has one component of each of sixteen vectors, which together are a panel.
type component = [kernel.Width]float32

// sampleFunc samples one vector in every lane.
type sampleFunc = func(*stream.Lanes, [][kernel.Width]float32)

// Sampler samples heads with tokens. It has the scratch memory of one worker. Components of tokens
// and weights are sampled chunk by chunk, and only their products are kept. LayerNorm is applied to
// the products: Wᵀx = (Wᵀg − mean(g)·Wᵀ1)/sd(g) for the token g before LayerNorm. The result stays
// the same if a constant, the origin, is subtracted from all components of g. The origin is the
// mean of the first chunk of g, so that nothing cancels if the components of a short token are
// nearly equal.
type Sampler struct {
	head   Head
	panels int // number of panels of a projection's columns

	normals, entries, uniforms sampleFunc

	ones           []component            // a chunk of ones
	x              []component            // a chunk of the tokens, panel by panel
	origins        [tokenPanels]component // subtracted from all components of a token
	repeatedOrigin []component            // one of the origins for each component of a chunk
	tokenSums      [tokenPanels]lanes
	tokenSquares   [tokenPanels]lanes
	tokenTiles     [2 * tilePanels]kernel.Tile

	projections    [2]projection // of queries and of keys
	columnProducts []lanes       // products of the columns of W_Q with the same columns of W_K
	means          [Tokens]float64
	inverseSDs     [Tokens]float64
	tile           kernel.Tile
}

// lanes is one number of each of sixteen vectors, in float64.
type lanes = [kernel.Width]float64

// projection is W_Q or W_K with the projected tokens.
type projection struct {
	sd, biasSD float64
	w          []component     // a chunk of the columns, panel by panel
	columnSums []lanes         // Wᵀ1
	tiles      [][]kernel.Tile // products of columns with tokens, by half panel of columns and tile of tokens
	gram       [][]kernel.Tile // products of columns with columns; nil if columns are orthonormal
	factor     []float64       // GᵀG, later its Cholesky factor; nil unless columns are orthonormal
	bias       []component
	outputs    []component // queries or keys, panel by panel with d_k components each
}

// NewSampler returns a Sampler of the head. The head's shape must be at most MaxModel × MaxKey.
func NewSampler(h Head) *Sampler {
	s := &Sampler{head: h, panels: (h.Shape.Key + kernel.Width - 1) / kernel.Width,
		normals: kernel.Vectors(distribution.Normal), uniforms: kernel.Vectors(distribution.Uniform),
		ones: kernel.Ones(chunk), repeatedOrigin: make([]component, chunk), x: make([]component, tokenPanels*chunk)}
	s.entries = s.normals
	if !h.Scheme.IsOrthogonal() {
		s.entries = kernel.Vectors(h.Scheme.Distribution)
	}
	s.columnProducts = make([]lanes, s.panels)
	for i, e := range [2]Entries{h.Query, h.Key} {
		s.projections[i] = s.newProjection(e)
	}
	return s
}

// newProjection returns the scratch memory of W_Q or W_K with the given entries and bias.
func (s *Sampler) newProjection(e Entries) projection {
	p := projection{sd: math.Sqrt(e.Variance), biasSD: math.Sqrt(e.BiasVariance),
		w: make([]component, s.storedPanels()*chunk), columnSums: make([]lanes, s.panels),
		tiles: newTiles(halves*s.panels, keyTiles), bias: make([]component, s.panels),
		outputs: make([]component, tokenPanels*s.head.Shape.Key)}
	if s.head.Scheme.IsOrthogonal() {
		p.sd = 1 // solve gives the columns their length
		p.factor = make([]float64, s.head.Shape.Key*s.head.Shape.Key)
	} else {
		p.gram = newTiles(halves*s.panels, countTiles(s.storedPanels()))
	}
	return p
}

// storedPanels returns the number of panels of columns that are stored. A tile needs tilePanels of
// them at least.
func (s *Sampler) storedPanels() int { return max(s.panels, tilePanels) }

func newTiles(rows, columns int) [][]kernel.Tile {
	tiles := make([][]kernel.Tile, rows)
	for i := range tiles {
		tiles[i] = make([]kernel.Tile, columns)
	}
	return tiles
}

// countTiles returns the number of tiles that cover a number of panels of keys.
func countTiles(panels int) int { return (panels + tilePanels - 1) / tilePanels }

// tileStart returns the first panel of tile i of a number of panels. If that number is not a
// multiple of tilePanels, the last tile overlaps the previous one.
func tileStart(i, panels int) int { return min(i*tilePanels, panels-tilePanels) }

// Sample samples a head and its tokens and measures them.
func (s *Sampler) Sample(random *stream.Lanes) Measures {
	s.reset()
	for first := 0; first < s.head.Shape.Model; first += chunk {
		rows := min(chunk, s.head.Shape.Model-first)
		s.sampleChunk(random, rows)
		s.centre(rows, first == 0)
		s.addChunk(rows, first == 0)
	}
	for i := range s.projections {
		if p := &s.projections[i]; p.biasSD > 0 {
			s.uniforms(random, p.bias)
		}
	}
	s.measureTokens()
	for i := range s.projections {
		s.project(&s.projections[i])
	}
	return s.measure()
}

// reset clears the sums of the previous sample.
func (s *Sampler) reset() {
	s.tokenSums, s.tokenSquares = [tokenPanels]lanes{}, [tokenPanels]lanes{}
	clear(s.columnProducts)
	for i := range s.projections {
		clear(s.projections[i].columnSums)
		clear(s.projections[i].factor)
	}
}

// sampleChunk samples the next rows components of all tokens and rows of W_Q and W_K.
func (s *Sampler) sampleChunk(random *stream.Lanes, rows int) {
	for p := range tokenPanels {
		s.normals(random, s.x[p*rows:(p+1)*rows])
	}
	for i := range s.projections {
		w := s.projections[i].w
		for p := range s.panels {
			s.entries(random, w[p*rows:(p+1)*rows])
		}
		clear(w[s.panels*rows : s.storedPanels()*rows])
	}
}

// centre subtracts the origins from a chunk of the tokens and adds the squares of the differences
// to tokenSquares. In the first chunk it computes the origins.
func (s *Sampler) centre(rows int, isFirst bool) {
	for p := range tokenPanels {
		x, origin := s.x[p*rows:(p+1)*rows], &s.origins[p]
		if isFirst && !s.head.Raw { // raw tokens have the origin 0
			var sum [1]component
			kernel.Dots(s.ones[:rows], x, sum[:])
			for lane, total := range sum[0] {
				origin[lane] = total / float32(rows)
			}
		}
		for t := range s.repeatedOrigin[:rows] {
			s.repeatedOrigin[t] = *origin
		}
		var square [1]component
		kernel.Differences(x, s.repeatedOrigin[:rows], x, square[:])
		for lane, y := range square[0] {
			s.tokenSquares[p][lane] += float64(y)
		}
	}
}

// addChunk adds the products of a chunk of components to the products of the chunks before it.
func (s *Sampler) addChunk(rows int, isFirst bool) {
	for p := range tokenPanels {
		x := s.x[p*rows : (p+1)*rows]
		addDots(&s.tokenSums[p], s.ones[:rows], x)
	}
	// Tokens 48 to 95 with tokens 0 to 47, for meanTokenSquare.
	s.addProducts(s.x[tilePanels*rows:2*tilePanels*rows], s.x, rows, isFirst,
		func(half int) *kernel.Tile { return &s.tokenTiles[half] })
	for i := range s.projections {
		p := &s.projections[i]
		for c := range s.panels {
			addDots(&p.columnSums[c], s.ones[:rows], p.w[c*rows:(c+1)*rows])
		}
		columns := p.w[:s.panels*rows]
		for t := range keyTiles {
			s.addProducts(columns, s.x[tileStart(t, tokenPanels)*rows:], rows, isFirst,
				func(half int) *kernel.Tile { return &p.tiles[half][t] })
		}
		if p.gram != nil {
			for t := range p.gram[0] {
				s.addProducts(columns, p.w[tileStart(t, s.storedPanels())*rows:], rows, isFirst,
					func(half int) *kernel.Tile { return &p.gram[half][t] })
			}
		}
		if p.factor != nil {
			p.addGram(s.head.Shape.Key, rows)
		}
	}
	for c := range s.panels {
		addDots(&s.columnProducts[c], s.projections[0].w[c*rows:(c+1)*rows], s.projections[1].w[c*rows:(c+1)*rows])
	}
}

// addProducts adds the products of the panels of vectors q, half a panel at a time, with the first
// three panels of k. tile returns the tile to which the products of a half panel are added.
func (s *Sampler) addProducts(q, k []component, rows int, isFirst bool, tile func(half int) *kernel.Tile) {
	var unused kernel.Sums
	for half := range len(q) / rows * halves {
		panel := half / halves * rows
		kernel.Products(q[panel:panel+rows], half%halves, k, rows, tile(half), isFirst, false, &unused)
	}
}

// addDots adds the scalar products of sixteen pairs of vectors. A chunk is summed in float32.
func addDots(sums *lanes, a, b []component) {
	var sum [1]component
	kernel.Dots(a, b, sum[:])
	for lane, total := range sum[0] {
		sums[lane] += float64(total)
	}
}

// measureTokens computes the mean and 1/sd of the components of every token, which are 0 and 1 for
// raw tokens. If all components of a token are equal, 1/sd is set to 0, so that LayerNorm gives 0,
// as it does with any ε.
func (s *Sampler) measureTokens() {
	model := float64(s.head.Shape.Model)
	for i := range s.means {
		if s.head.Raw {
			s.means[i], s.inverseSDs[i] = 0, 1
			continue
		}
		mean := s.tokenSums[i/kernel.Width][i%kernel.Width] / model
		square := s.tokenSquares[i/kernel.Width][i%kernel.Width] / model
		s.means[i] = mean
		s.inverseSDs[i] = 0
		if variance := square - float64(mean*mean); variance > 0 {
			s.inverseSDs[i] = 1 / math.Sqrt(variance)
		}
	}
}

// project computes queries or keys from the products of columns and tokens.
func (s *Sampler) project(p *projection) {
	key := s.head.Shape.Key
	if p.factor != nil {
		cholesky(p.factor, key, 0)
	}
	for panel := range tokenPanels {
		vectors := p.outputs[panel*key : (panel+1)*key]
		tile := panel / tilePanels
		first := (panel - tileStart(tile, tokenPanels)) * kernel.Width
		for c := range vectors {
			products := p.tiles[c/kernel.TileQueries][tile][c%kernel.TileQueries][first : first+kernel.Width]
			columnSum, bias := p.columnSum(c), p.biasOf(c)
			for lane, y := range products {
				token := panel*kernel.Width + lane
				centred := float64(y) - float64(s.means[token]*columnSum)
				vectors[c][lane] = float32(float64(float64(p.sd*s.inverseSDs[token])*centred) + bias)
			}
		}
		if p.factor != nil {
			p.solve(vectors)
		}
		if s.head.Normalised {
			normaliseVectors(vectors)
		}
	}
}

// columnSum returns the sum of the entries of column c before they are scaled by sd.
func (p *projection) columnSum(c int) float64 { return p.columnSums[c/kernel.Width][c%kernel.Width] }

// biasOf returns component c of the bias.
func (p *projection) biasOf(c int) float64 {
	if p.biasSD == 0 {
		return 0
	}
	return float64(p.biasSD * float64(p.bias[c/kernel.Width][c%kernel.Width]))
}

// normaliseVectors scales sixteen vectors to the mean square 1. Vectors that are 0 stay 0.
func normaliseVectors(vectors []component) {
	var factor lanes
	for lane, square := range squaredLengths(vectors) {
		if square > 0 {
			factor[lane] = math.Sqrt(float64(len(vectors)) / square)
		}
	}
	for c := range vectors {
		for lane := range factor {
			vectors[c][lane] = float32(float64(vectors[c][lane]) * factor[lane])
		}
	}
}

func squaredLengths(vectors []component) (sum lanes) {
	for c := range vectors {
		for lane, x := range vectors[c] {
			sum[lane] += float64(float64(x) * float64(x))
		}
	}
	return sum
}
