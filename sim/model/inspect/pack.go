package inspect

import "mcsim/sim/kernel"

// tileRows is how many rows a tile of products has on its long side, in three panels.
const tileRows = kernel.TileKeys

// panelsPerTile is the number of panels of sixteen rows on the long side of a tile.
const panelsPerTile = tileRows / kernel.Width

// Packed are vectors in float32 as [kernel.Products] wants them: panels of sixteen, padded with
// zeros to whole tiles.
type Packed struct {
	Rows, Dimension int
	panels          [][kernel.Width]float32
}

// NewPacked returns rows of zeros.
func NewPacked(rows, dimension int) Packed {
	tiles := (rows + tileRows - 1) / tileRows
	return Packed{rows, dimension, make([][kernel.Width]float32, tiles*panelsPerTile*dimension)}
}

// Pack packs rows of a dimension; row(i) returns the components of one.
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

// Panel returns sixteen rows, a lane each.
func (p Packed) Panel(i int) [][kernel.Width]float32 {
	return p.panels[i*p.Dimension : (i+1)*p.Dimension]
}

// Tile returns the panels of the long side of a tile of products.
func (p Packed) Tile(i int) [][kernel.Width]float32 {
	d := panelsPerTile * p.Dimension
	return p.panels[i*d : (i+1)*d]
}

// Panels returns the number of panels that have rows.
func (p Packed) Panels() int { return (p.Rows + kernel.Width - 1) / kernel.Width }

// Tiles returns the number of tiles.
func (p Packed) Tiles() int { return (p.Rows + tileRows - 1) / tileRows }

// eighths returns how many groups of eight rows there are, the short side of a tile.
func (p Packed) eighths() int { return (p.Rows + kernel.TileQueries - 1) / kernel.TileQueries }

// multiply computes the products of eight rows of the other side with the rows of a tile.
func (p Packed) multiply(other Packed, eighth, tile int, out *kernel.Tile) {
	var sums kernel.Sums // of products, which are not asked for
	kernel.Products(other.Panel(eighth/2), eighth%2, p.Tile(tile), p.Dimension, out, true, false, &sums)
}

// gramRows is how many rows a sum in float32 is over.
const gramRows = 256

// gramOf returns Σ xxᵀ over rows, summed in float32 over gramRows rows and in float64 over all.
func gramOf(v Vectors) []float64 {
	d := v.Dimension
	gram, column := make([]float64, d*d), make([]float64, gramRows)
	var out kernel.Tile
	for start := 0; start < v.Rows; start += gramRows {
		n := min(gramRows, v.Rows-start)
		components := Pack(d, n, func(c int) []float64 {
			for i := range n {
				column[i] = v.Row(start + i)[c]
			}
			return column[:n]
		})
		for tile := range components.Tiles() {
			for eighth := range components.eighths() {
				components.multiply(components, eighth, tile, &out)
				addTile(gram, d, &out, eighth*kernel.TileQueries, tile*tileRows)
			}
		}
	}
	return gram
}

// addTile adds a tile to a matrix of d × d, as far as the matrix reaches.
func addTile(matrix []float64, d int, tile *kernel.Tile, row, column int) {
	for i := range min(kernel.TileQueries, d-row) {
		line := matrix[(row+i)*d+column : (row+i)*d+min(d, column+tileRows)]
		for j := range line {
			line[j] += float64(tile[i][j])
		}
	}
}

// quadraticForms returns xᵀGx of Packed rows x.
func (p Packed) quadraticForms(gram []float64) []float64 {
	d := p.Dimension
	all := make([]float64, p.Tiles()*tileRows)
	lines := Pack(d, d, func(i int) []float64 { return gram[i*d : (i+1)*d] })
	var out kernel.Tile
	for tile := range p.Tiles() {
		for eighth := range lines.eighths() {
			p.multiply(lines, eighth, tile, &out)
			for i := range min(kernel.TileQueries, d-eighth*kernel.TileQueries) {
				c := eighth*kernel.TileQueries + i
				for j, y := range out[i] {
					component := p.Panel(panelsPerTile*tile + j/kernel.Width)[c][j%kernel.Width]
					all[tile*tileRows+j] += float64(float64(y) * float64(component))
				}
			}
		}
	}
	return all[:p.Rows]
}
