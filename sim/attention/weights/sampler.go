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

// chunk is the number of components of tokens and weights that are held at a time. It is a multiple
// of the group size of the numbers of every distribution.
const chunk = 256

// Bounds of a shape. A Sampler uses about 15 KiB for each component of d_k.
const (
	MaxModel = 1 << 15
	MaxKey   = 1 << 10
)

// component is one component of each of sixteen vectors.
type component = [kernel.Width]float32

// sampleFunc samples one vector in every lane.
type sampleFunc = func(*stream.Lanes, [][kernel.Width]float32)

// Sampler samples heads with tokens. It has the scratch memory of one worker. Components of tokens
// and weights are sampled chunk by chunk, and only their products are kept. LayerNorm is applied to
// the products, as Wᵀx = (Wᵀg − mean(g)·Wᵀ1)/sd(g). This does not depend on the origin of tokens.
// The origin is the mean of a token's first chunk, so that nothing cancels if the components of a
// short token are nearly equal.
type Sampler struct {
	head   Head
	panels int // number of panels of the columns of a projection

	normals, entries, uniforms sampleFunc

	ones           []component            // a chunk of ones
	x              []component            // a chunk of the tokens, panel by panel
	origins        [tokenPanels]component // subtracted from all components of a token
	repeatedOrigin []component            // one of the origins, repeated for a chunk
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
	tiles      [][]kernel.Tile // products of columns with tokens, by halves of panels
	gram       [][]kernel.Tile // products of columns with columns; nil for orthonormal columns
	factor     []float64       // GᵀG, later its Cholesky factor; nil unless columns are orthonormal
	bias       []component
	outputs    []component // queries or keys, panel by panel with d_k components each
}

// NewSampler returns a Sampler of the head. Its shape must be at most MaxModel × MaxKey.
func NewSampler(h Head) *Sampler {
	d := &Sampler{head: h, panels: (h.Shape.Key + kernel.Width - 1) / kernel.Width,
		normals: kernel.Vectors(distribution.Normal), uniforms: kernel.Vectors(distribution.Uniform),
		ones: kernel.Ones(chunk), repeatedOrigin: make([]component, chunk), x: make([]component, tokenPanels*chunk)}
	d.entries = d.normals
	if !h.Scheme.IsOrthogonal() {
		d.entries = kernel.Vectors(h.Scheme.Distribution)
	}
	d.columnProducts = make([]lanes, d.panels)
	for i, e := range [2]Entries{h.Query, h.Key} {
		d.projections[i] = d.newProjection(e)
	}
	return d
}

// newProjection returns the scratch of W_Q or W_K with the given entries and bias.
func (d *Sampler) newProjection(e Entries) projection {
	p := projection{sd: math.Sqrt(e.Variance), biasSD: math.Sqrt(e.Bias),
		w: make([]component, d.heldPanels()*chunk), columnSums: make([]lanes, d.panels),
		tiles: newTiles(halves*d.panels, keyTiles), bias: make([]component, d.panels),
		outputs: make([]component, tokenPanels*d.head.Shape.Key)}
	if d.head.Scheme.IsOrthogonal() {
		p.sd = 1
		p.factor = make([]float64, d.head.Shape.Key*d.head.Shape.Key)
	} else {
		p.gram = newTiles(halves*d.panels, countTiles(d.heldPanels()))
	}
	return p
}

// heldPanels returns the number of panels of columns that are held. Tiles need at least three.
func (d *Sampler) heldPanels() int { return max(d.panels, tilePanels) }

func newTiles(rows, columns int) [][]kernel.Tile {
	tiles := make([][]kernel.Tile, rows)
	for i := range tiles {
		tiles[i] = make([]kernel.Tile, columns)
	}
	return tiles
}

// countTiles returns the number of tiles that cover a number of panels of keys.
func countTiles(panels int) int { return (panels + tilePanels - 1) / tilePanels }

// tileStart returns the first panel of tile i over a number of panels. The last tile begins earlier
// if the number of panels is not a multiple of the tile.
func tileStart(i, panels int) int { return min(i*tilePanels, panels-tilePanels) }

// Sample samples a head and its tokens and measures them.
func (d *Sampler) Sample(random *stream.Lanes) Measures {
	d.reset()
	for first := 0; first < d.head.Shape.Model; first += chunk {
		rows := min(chunk, d.head.Shape.Model-first)
		d.sampleChunk(random, rows)
		d.centre(rows, first == 0)
		d.addChunk(rows, first == 0)
	}
	for i := range d.projections {
		if p := &d.projections[i]; p.biasSD > 0 {
			d.uniforms(random, p.bias)
		}
	}
	d.measureTokens()
	for i := range d.projections {
		d.project(&d.projections[i])
	}
	return d.measure()
}

// reset clears the sums of the previous sample.
func (d *Sampler) reset() {
	d.tokenSums, d.tokenSquares = [tokenPanels]lanes{}, [tokenPanels]lanes{}
	clear(d.columnProducts)
	for i := range d.projections {
		clear(d.projections[i].columnSums)
		clear(d.projections[i].factor)
	}
}

// sampleChunk samples a number of components (rows) of all tokens, of W_Q and of W_K.
func (d *Sampler) sampleChunk(random *stream.Lanes, rows int) {
	for p := range tokenPanels {
		d.normals(random, d.x[p*rows:(p+1)*rows])
	}
	for i := range d.projections {
		w := d.projections[i].w
		for p := range d.panels {
			d.entries(random, w[p*rows:(p+1)*rows])
		}
		clear(w[d.panels*rows : d.heldPanels()*rows])
	}
}

// centre subtracts the origins, which the first chunk sets, from a chunk of the tokens, and adds
// the squares of the differences.
func (d *Sampler) centre(rows int, isFirst bool) {
	for p := range tokenPanels {
		x, origin := d.x[p*rows:(p+1)*rows], &d.origins[p]
		if isFirst && !d.head.Raw { // raw tokens have the origin 0
			var sum [1]component
			kernel.Dots(d.ones[:rows], x, sum[:])
			for lane, s := range sum[0] {
				origin[lane] = s / float32(rows)
			}
		}
		for t := range d.repeatedOrigin[:rows] {
			d.repeatedOrigin[t] = *origin
		}
		var square [1]component
		kernel.Differences(x, d.repeatedOrigin[:rows], x, square[:])
		for lane, y := range square[0] {
			d.tokenSquares[p][lane] += float64(y)
		}
	}
}

// addChunk adds the products of a chunk.
func (d *Sampler) addChunk(rows int, isFirst bool) {
	for p := range tokenPanels {
		x := d.x[p*rows : (p+1)*rows]
		addDots(&d.tokenSums[p], d.ones[:rows], x)
	}
	// Tokens 48 to 95 with tokens 0 to 47, for meanTokenSquare.
	d.addProducts(d.x[tilePanels*rows:2*tilePanels*rows], d.x, rows, isFirst,
		func(half int) *kernel.Tile { return &d.tokenTiles[half] })
	for i := range d.projections {
		p := &d.projections[i]
		for c := range d.panels {
			addDots(&p.columnSums[c], d.ones[:rows], p.w[c*rows:(c+1)*rows])
		}
		columns := p.w[:d.panels*rows]
		for t := range keyTiles {
			d.addProducts(columns, d.x[tileStart(t, tokenPanels)*rows:], rows, isFirst,
				func(half int) *kernel.Tile { return &p.tiles[half][t] })
		}
		if p.gram != nil {
			for t := range p.gram[0] {
				d.addProducts(columns, p.w[tileStart(t, d.heldPanels())*rows:], rows, isFirst,
					func(half int) *kernel.Tile { return &p.gram[half][t] })
			}
		}
		if p.factor != nil {
			p.addGram(d.head.Shape.Key, rows)
		}
	}
	for c := range d.panels {
		addDots(&d.columnProducts[c], d.projections[0].w[c*rows:(c+1)*rows], d.projections[1].w[c*rows:(c+1)*rows])
	}
}

// addProducts adds the products of panels of vectors, half a panel at a time, with the three panels
// from k on. tile returns the tile of a half.
func (d *Sampler) addProducts(q, k []component, rows int, isFirst bool, tile func(half int) *kernel.Tile) {
	var none kernel.Sums
	for half := range len(q) / rows * halves {
		panel := half / halves * rows
		kernel.Products(q[panel:panel+rows], half%halves, k, rows, tile(half), isFirst, false, &none)
	}
}

// addDots adds the products of sixteen pairs of vectors, which are summed in float32 over a chunk.
func addDots(sums *lanes, a, b []component) {
	var sum [1]component
	kernel.Dots(a, b, sum[:])
	for lane, x := range sum[0] {
		sums[lane] += float64(x)
	}
}

// measureTokens computes the mean and 1/sd of the components of every token, which are 0 and 1 for
// raw tokens. If all components of a token are equal, 1/sd is set to 0, so that LayerNorm gives 0,
// as it does with any ε.
func (d *Sampler) measureTokens() {
	model := float64(d.head.Shape.Model)
	for i := range d.means {
		if d.head.Raw {
			d.means[i], d.inverseSDs[i] = 0, 1
			continue
		}
		mean := d.tokenSums[i/kernel.Width][i%kernel.Width] / model
		square := d.tokenSquares[i/kernel.Width][i%kernel.Width] / model
		d.means[i] = mean
		d.inverseSDs[i] = 0
		if variance := square - float64(mean*mean); variance > 0 {
			d.inverseSDs[i] = 1 / math.Sqrt(variance)
		}
	}
}

// project computes queries or keys from the products of columns and tokens.
func (d *Sampler) project(p *projection) {
	key := d.head.Shape.Key
	if p.factor != nil {
		cholesky(p.factor, key, 0)
	}
	for panel := range tokenPanels {
		vectors := p.outputs[panel*key : (panel+1)*key]
		tile := panel / tilePanels
		first := (panel - tileStart(tile, tokenPanels)) * kernel.Width
		for c := range vectors {
			products := p.tiles[c/kernel.TileQueries][tile][c%kernel.TileQueries][first : first+kernel.Width]
			ones, bias := p.column(c), p.biasOf(c)
			for lane, y := range products {
				token := panel*kernel.Width + lane
				centred := float64(y) - float64(d.means[token]*ones)
				vectors[c][lane] = float32(float64(float64(p.sd*d.inverseSDs[token])*centred) + bias)
			}
		}
		if p.factor != nil {
			p.solve(vectors)
		}
		if d.head.Normalised {
			normaliseVectors(vectors)
		}
	}
}

// column returns the sum of the entries of column c before scaling.
func (p *projection) column(c int) float64 { return p.columnSums[c/kernel.Width][c%kernel.Width] }

// biasOf returns component c of the bias.
func (p *projection) biasOf(c int) float64 {
	if p.biasSD == 0 {
		return 0
	}
	return float64(p.biasSD * float64(p.bias[c/kernel.Width][c%kernel.Width]))
}

// normaliseVectors scales sixteen vectors to the mean square 1, except those that are 0.
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
