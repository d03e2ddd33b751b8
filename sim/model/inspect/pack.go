package inspect

import "mcsim/sim/kernel"

// tileRows is the number of rows on the long side of a tile. A tile is a matrix of the products of
// tileRows vectors with kernel.TileQueries other vectors.
const tileRows = kernel.TileKeys

// panelsPerTile is the number of panels of sixteen rows on the long side of a tile.
const panelsPerTile = tileRows / kernel.Width

// Packed holds vectors in float32 in the layout of [kernel.Products]: panels of sixteen vectors,
// padded with zeros to whole tiles.
type Packed struct {
	Rows, Dimension int
	panels          [][kernel.Width]float32
}

// NewPacked returns vectors of zeros.
func NewPacked(rows, dimension int) Packed {
	tiles := (rows + tileRows - 1) / tileRows
	return Packed{rows, dimension, make([][kernel.Width]float32, tiles*panelsPerTile*dimension)}
}

// Pack packs the given number of rows; row(i) returns the components of row i, as many as
// dimension.
func Pack(rows, dimension int, row func(i int) []float64) Packed {
	p := NewPacked(rows, dimension)
	for i := range rows {
		panel, lane := p.Panel(i/kernel.Width), i%kernel.Width
		for c, x := range row(i) {
			panel[c][lane] = float32(x)
		}
	}
	return p
}

// Pack packs all rows.
func (v Vectors) Pack() Packed { return Pack(v.Rows, v.Dimension, v.Row) }

// Panel returns panel i: sixteen rows, each in one lane. The result has one line per component.
func (p Packed) Panel(i int) [][kernel.Width]float32 {
	return p.panels[i*p.Dimension : (i+1)*p.Dimension]
}

// Tile returns the panels on the long side of tile i.
func (p Packed) Tile(i int) [][kernel.Width]float32 {
	d := panelsPerTile * p.Dimension
	return p.panels[i*d : (i+1)*d]
}

// Panels returns the number of panels that contain rows.
func (p Packed) Panels() int { return (p.Rows + kernel.Width - 1) / kernel.Width }

// Tiles returns the number of tiles whose long sides hold all rows.
func (p Packed) Tiles() int { return (p.Rows + tileRows - 1) / tileRows }

// octets returns the number of groups of eight rows, the short side of a tile of products.
func (p Packed) octets() int { return (p.Rows + kernel.TileQueries - 1) / kernel.TileQueries }

// multiply computes the products of an octet of the other side with the rows of a tile.
func (p Packed) multiply(q Packed, octet, tile int, products *kernel.Tile) {
	var sums kernel.Sums // Products has this result too; it is not needed here
	kernel.Products(q.Panel(octet/2), octet%2, p.Tile(tile), p.Dimension, products, true, false, &sums)
}

// gramRows is the number of rows whose products are summed in float32.
const gramRows = 256

// newGram returns Σ xxᵀ over rows, summed in float32 over gramRows rows and then in float64.
func newGram(v Vectors) []float64 {
	d := v.Dimension
	gram, column := make([]float64, d*d), make([]float64, gramRows)
	var products kernel.Tile
	for start := 0; start < v.Rows; start += gramRows {
		n := min(gramRows, v.Rows-start)
		components := Pack(d, n, func(c int) []float64 {
			for i := range n {
				column[i] = v.Row(start + i)[c]
			}
			return column[:n]
		})
		for tile := range components.Tiles() {
			for octet := range components.octets() {
				components.multiply(components, octet, tile, &products)
				addTile(gram, d, &products, octet*kernel.TileQueries, tile*tileRows)
			}
		}
	}
	return gram
}

// addTile adds a tile of products to a matrix of d × d, at firstRow and firstColumn. Rows and
// columns outside the matrix are ignored.
func addTile(matrix []float64, d int, tile *kernel.Tile, firstRow, firstColumn int) {
	for i := range min(kernel.TileQueries, d-firstRow) {
		line := matrix[(firstRow+i)*d+firstColumn : (firstRow+i)*d+min(d, firstColumn+tileRows)]
		for j := range line {
			line[j] += float64(tile[i][j])
		}
	}
}

// quadraticForms returns xᵀGx for each row x, with G = gram, a matrix of d × d.
func (p Packed) quadraticForms(gram []float64) []float64 {
	d := p.Dimension
	forms := make([]float64, p.Tiles()*tileRows)
	packedGram := Pack(d, d, func(i int) []float64 { return gram[i*d : (i+1)*d] })
	var products kernel.Tile
	for tile := range p.Tiles() {
		for octet := range packedGram.octets() {
			p.multiply(packedGram, octet, tile, &products)
			for i := range min(kernel.TileQueries, d-octet*kernel.TileQueries) {
				c := octet*kernel.TileQueries + i
				for j, y := range products[i] {
					component := p.Panel(panelsPerTile*tile + j/kernel.Width)[c][j%kernel.Width]
					forms[tile*tileRows+j] += float64(float64(y) * float64(component))
				}
			}
		}
	}
	return forms[:p.Rows]
}
