package weights

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Tokens is how many tokens meet one draw of weights: each is a query and a key,
// which makes Tokens² logits, Tokens of them of a token with itself.
const Tokens = 256

// Panels of sixteen vectors side by side, as kernel.Vectors draws them.
const (
	tokenPanels = Tokens / kernel.Width
	tilePanels  = kernel.TileKeys / kernel.Width
	keyTiles    = (tokenPanels + tilePanels - 1) / tilePanels
	halves      = kernel.Width / kernel.TileQueries
)

// chunk is how many components of tokens and weights are held at a time. It is
// a whole number of the groups of draws of every distribution.
const chunk = 256

// Bounds of a shape: the scratch of a Drawer is some 15 KiB for each of d_k.
const (
	MaxModel = 1 << 15
	MaxKey   = 1 << 10
)

// row is one number of each of sixteen vectors.
type row = [kernel.Width]float32

// vectors draws one vector in every lane.
type vectors = func(*stream.Lanes, [][kernel.Width]float32)

// Drawer draws heads with tokens, and is the scratch of one worker. Components
// are drawn chunk by chunk, tokens and weights alike, and only their products
// are held; LayerNorm comes after the products, as
// Wᵀx = (Wᵀg − mean(g)·Wᵀ1)/sd(g). It does not depend on where tokens are measured from:
// the mean of their first chunk, so that nothing cancels if the components of a
// short token are nearly alike.
type Drawer struct {
	head   Head
	panels int // of the columns of a projection

	normals, entries, uniforms vectors

	ones   []row            // as long as a chunk
	x      []row            // tokens, panel by panel
	origin [tokenPanels]row // what tokens are measured from
	base   []row            // one of them, again and again
	sum    [tokenPanels]lanes
	sqr    [tokenPanels]lanes // Σ of squares
	side   [2 * tilePanels]kernel.Tile

	sides [2]projection // of queries, of keys
	same  []lanes       // Σ of the products of columns of W_Q with those of W_K
	mean  [Tokens]float64
	norm  [Tokens]float64 // 1/sd
	tile  kernel.Tile
}

// lanes is one number of each of sixteen vectors, in float64.
type lanes = [kernel.Width]float64

// projection is W_Q or W_K with what it makes of the tokens.
type projection struct {
	sd, biasSD float64
	w          []row           // a chunk of its columns, panel by panel
	ones       []lanes         // Wᵀ1
	tiles      [][]kernel.Tile // columns with tokens, by halves of panels
	gram       [][]kernel.Tile // columns with columns; nil if they are not asked for
	factor     []float64       // columns with columns, then L with LLᵀ the same; only of orthogonal columns
	bias       []row
	out        []row // what becomes of the tokens, panel by panel, of d_k rows each
}

// NewDrawer returns a Drawer of the head, whose shape is within the bounds.
func NewDrawer(h Head) *Drawer {
	d := &Drawer{head: h, panels: (h.Shape.Key + kernel.Width - 1) / kernel.Width,
		normals: kernel.Vectors(distribution.Normal), uniforms: kernel.Vectors(distribution.Uniform),
		ones: kernel.Ones(chunk), base: make([]row, chunk), x: make([]row, tokenPanels*chunk)}
	d.entries = d.normals
	if !h.Scheme.Orthogonal() {
		d.entries = kernel.Vectors(h.Scheme.Distribution)
	}
	d.same = make([]lanes, d.panels)
	for i, e := range [2]Entries{h.Query, h.Key} {
		d.sides[i] = d.newProjection(e)
	}
	return d
}

// newProjection returns the scratch of W_Q or W_K, whose entries and bias are as given.
func (d *Drawer) newProjection(e Entries) projection {
	p := projection{sd: math.Sqrt(e.Variance), biasSD: math.Sqrt(e.Bias),
		w: make([]row, d.wide()*chunk), ones: make([]lanes, d.panels),
		tiles: tilesOf(halves*d.panels, keyTiles), bias: make([]row, d.panels),
		out: make([]row, tokenPanels*d.head.Shape.Key)}
	if d.head.Scheme.Orthogonal() {
		p.sd = 1
		p.factor = make([]float64, d.head.Shape.Key*d.head.Shape.Key)
	} else {
		p.gram = tilesOf(halves*d.panels, tilesAcross(d.wide()))
	}
	return p
}

// wide returns how many panels of columns are held: tiles want at least three.
func (d *Drawer) wide() int { return max(d.panels, tilePanels) }

// tilesOf returns a grid of tiles.
func tilesOf(rows, columns int) [][]kernel.Tile {
	all := make([][]kernel.Tile, rows)
	for i := range all {
		all[i] = make([]kernel.Tile, columns)
	}
	return all
}

// tilesAcross returns how many tiles cover a number of panels of keys.
func tilesAcross(panels int) int { return (panels + tilePanels - 1) / tilePanels }

// tileStart returns the first panel of tile i over a number of panels. The last tile
// begins early if the panels are not a whole number of tiles.
func tileStart(i, panels int) int { return min(i*tilePanels, panels-tilePanels) }

// Draw draws a head and its tokens and measures them.
func (d *Drawer) Draw(from *stream.Lanes) Draw {
	d.reset()
	for first := 0; first < d.head.Shape.Model; first += chunk {
		rows := min(chunk, d.head.Shape.Model-first)
		d.drawChunk(from, rows)
		d.shift(rows, first == 0)
		d.addChunk(rows, first == 0)
	}
	for i := range d.sides {
		if p := &d.sides[i]; p.biasSD > 0 {
			d.uniforms(from, p.bias)
		}
	}
	d.normalise()
	for i := range d.sides {
		d.finish(&d.sides[i])
	}
	return d.measure()
}

// reset forgets the sums of the draw before.
func (d *Drawer) reset() {
	d.sum, d.sqr = [tokenPanels]lanes{}, [tokenPanels]lanes{}
	clear(d.same)
	for i := range d.sides {
		clear(d.sides[i].ones)
		clear(d.sides[i].factor)
	}
}

// drawChunk draws a number of components of all tokens, of W_Q and of W_K.
func (d *Drawer) drawChunk(from *stream.Lanes, rows int) {
	for p := range tokenPanels {
		d.normals(from, d.x[p*rows:(p+1)*rows])
	}
	for i := range d.sides {
		w := d.sides[i].w
		for p := range d.panels {
			d.entries(from, w[p*rows:(p+1)*rows])
		}
		clear(w[d.panels*rows : d.wide()*rows])
	}
}

// shift measures a chunk of the tokens from their origins, which the first chunk
// sets, and adds the squares of what is left.
func (d *Drawer) shift(rows int, first bool) {
	for p := range tokenPanels {
		x, origin := d.x[p*rows:(p+1)*rows], &d.origin[p]
		if first && !d.head.Raw { // of raw ones it matters where they are measured from
			var sum [1]row
			kernel.Dots(d.ones[:rows], x, sum[:])
			for lane, s := range sum[0] {
				origin[lane] = s / float32(rows)
			}
		}
		for t := range d.base[:rows] {
			d.base[t] = *origin
		}
		var square [1]row
		kernel.Differences(x, d.base[:rows], x, square[:])
		for lane, y := range square[0] {
			d.sqr[p][lane] += float64(y)
		}
	}
}

// addChunk adds the products of a chunk.
func (d *Drawer) addChunk(rows int, first bool) {
	for p := range tokenPanels {
		x := d.x[p*rows : (p+1)*rows]
		addDots(&d.sum[p], d.ones[:rows], x)
	}
	// Tokens 48 to 95 with tokens 0 to 47: how alike different tokens are.
	d.products(d.x[tilePanels*rows:2*tilePanels*rows], d.x, rows, first,
		func(half int) *kernel.Tile { return &d.side[half] })
	for i := range d.sides {
		p := &d.sides[i]
		for c := range d.panels {
			addDots(&p.ones[c], d.ones[:rows], p.w[c*rows:(c+1)*rows])
		}
		columns := p.w[:d.panels*rows]
		for t := range keyTiles {
			d.products(columns, d.x[tileStart(t, tokenPanels)*rows:], rows, first,
				func(half int) *kernel.Tile { return &p.tiles[half][t] })
		}
		if p.gram != nil {
			for t := range p.gram[0] {
				d.products(columns, p.w[tileStart(t, d.wide())*rows:], rows, first,
					func(half int) *kernel.Tile { return &p.gram[half][t] })
			}
		}
		if p.factor != nil {
			p.addGram(d.head.Shape.Key, rows)
		}
	}
	for c := range d.panels {
		addDots(&d.same[c], d.sides[0].w[c*rows:(c+1)*rows], d.sides[1].w[c*rows:(c+1)*rows])
	}
}

// products adds the products of panels of vectors, a half at a time, with the
// three panels from k on.
func (d *Drawer) products(q, k []row, rows int, first bool, to func(half int) *kernel.Tile) {
	var none kernel.Sums
	for half := range len(q) / rows * halves {
		panel := half / halves * rows
		kernel.Products(q[panel:panel+rows], half%halves, k, rows, to(half), first, false, &none)
	}
}

// addDots adds the products of sixteen pairs of vectors, in float32 over a chunk.
func addDots(to *lanes, a, b []row) {
	var sum [1]row
	kernel.Dots(a, b, sum[:])
	for lane, x := range sum[0] {
		to[lane] += float64(x)
	}
}

// normalise finds mean and 1/sd of the components of every token, 0 and 1 of raw ones. Of one whose
// components are all the same LayerNorm makes 0, as it does with any ε.
func (d *Drawer) normalise() {
	model := float64(d.head.Shape.Model)
	for i := range d.mean {
		if d.head.Raw {
			d.mean[i], d.norm[i] = 0, 1
			continue
		}
		mean := d.sum[i/kernel.Width][i%kernel.Width] / model
		square := d.sqr[i/kernel.Width][i%kernel.Width] / model
		d.mean[i] = mean
		d.norm[i] = 0
		if variance := square - float64(mean*mean); variance > 0 {
			d.norm[i] = 1 / math.Sqrt(variance)
		}
	}
}

// finish makes queries or keys of the products of columns and tokens.
func (d *Drawer) finish(p *projection) {
	key := d.head.Shape.Key
	if p.factor != nil {
		cholesky(p.factor, key, 0)
	}
	for panel := range tokenPanels {
		out := p.out[panel*key : (panel+1)*key]
		tile := panel / tilePanels
		first := (panel - tileStart(tile, tokenPanels)) * kernel.Width
		for c := range out {
			products := p.tiles[c/kernel.TileQueries][tile][c%kernel.TileQueries][first : first+kernel.Width]
			ones, bias := p.column(c), p.biasOf(c)
			for lane, y := range products {
				token := panel*kernel.Width + lane
				centred := float64(y) - float64(d.mean[token]*ones)
				out[c][lane] = float32(float64(float64(p.sd*d.norm[token])*centred) + bias)
			}
		}
		if p.factor != nil {
			p.solve(out)
		}
		if d.head.Normalised {
			rescale(out)
		}
	}
}

// column returns the sum of the entries of column c, before they are scaled.
func (p *projection) column(c int) float64 { return p.ones[c/kernel.Width][c%kernel.Width] }

// biasOf returns component c of the bias.
func (p *projection) biasOf(c int) float64 {
	if p.biasSD == 0 {
		return 0
	}
	return float64(p.biasSD * float64(p.bias[c/kernel.Width][c%kernel.Width]))
}

// rescale gives sixteen vectors the mean square 1, but those that are 0.
func rescale(vectors []row) {
	var factor lanes
	for lane, square := range squares(vectors) {
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

// squares returns the squared lengths of sixteen vectors.
func squares(vectors []row) (sum lanes) {
	for c := range vectors {
		for lane, x := range vectors[c] {
			sum[lane] += float64(float64(x) * float64(x))
		}
	}
	return sum
}
