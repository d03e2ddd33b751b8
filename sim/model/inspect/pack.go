package inspect

import "mcsim/sim/kernel"

// tileRows is how many rows a tile of products has on its long side, in three panels.
const tileRows = kernel.TileKeys

// packed are vectors in float32 as [kernel.Products] wants them: panels of sixteen, padded with
// zeros to whole tiles.
type packed struct {
	rows, dimension int
	panels          [][kernel.Width]float32
}

// pack packs rows of so many components; of the i-th row at(i) has them.
func pack(rows, dimension int, at func(i int) []float64) packed {
	tiles := (rows + tileRows - 1) / tileRows
	p := packed{rows, dimension, make([][kernel.Width]float32, tiles*3*dimension)}
	for i := range rows {
		panel, lane := p.panel(i/kernel.Width), i%kernel.Width
		for c, x := range at(i) {
			panel[c][lane] = float32(x)
		}
	}
	return p
}

// panel is that of the given sixteen rows.
func (p packed) panel(i int) [][kernel.Width]float32 {
	return p.panels[i*p.dimension : (i+1)*p.dimension]
}

// tiles is how many tiles there are.
func (p packed) tiles() int { return len(p.panels) / (3 * p.dimension) }

// products are those of a tile, with the room that [kernel.Products] wants for their sums.
type products struct {
	kernel.Tile
	sums kernel.Sums
}

// times makes the products of eight rows of one side, the given eighth, with a tile's rows of
// this.
func (p packed) times(other packed, eighth, tile int, out *products) {
	long := p.panels[tile*3*p.dimension : (tile+1)*3*p.dimension]
	kernel.Products(other.panel(eighth/2), eighth%2, long, p.dimension, &out.Tile, true, false, &out.sums)
}

// gramRows is how many rows a sum in float32 is over.
const gramRows = 256

// gramOf is Σ xxᵀ of rows, the sums of some rows in float32 and those of all in float64.
func gramOf(v Vectors) []float64 {
	d := v.Dimension
	gram := make([]float64, d*d)
	var out products
	components := pack(d, gramRows, func(int) []float64 { return nil })
	room := components.panels
	for start := 0; start < v.Rows; start += gramRows {
		n := min(gramRows, v.Rows-start)
		components.dimension, components.panels = n, room[:len(room)/gramRows*n]
		for i := range n {
			for c, x := range v.Row(start + i) {
				components.panel(c / kernel.Width)[i][c%kernel.Width] = float32(x)
			}
		}
		for tile := range components.tiles() {
			for eighth := range (d + kernel.TileQueries - 1) / kernel.TileQueries {
				components.times(components, eighth, tile, &out)
				add(gram, d, &out.Tile, eighth*kernel.TileQueries, tile*tileRows)
			}
		}
	}
	return gram
}

// add adds a tile to a matrix of d × d, as far as that reaches.
func add(to []float64, d int, tile *kernel.Tile, row, column int) {
	for i := range min(kernel.TileQueries, d-row) {
		line := to[(row+i)*d+column : (row+i)*d+min(d, column+tileRows)]
		for j := range line {
			line[j] += float64(tile[i][j])
		}
	}
}

// forms are xᵀGx of packed rows x.
func (p packed) forms(gram []float64) []float64 {
	d := p.dimension
	all := make([]float64, p.tiles()*tileRows)
	lines := pack(d, d, func(i int) []float64 { return gram[i*d : (i+1)*d] })
	var out products
	for tile := range p.tiles() {
		for eighth := range (d + kernel.TileQueries - 1) / kernel.TileQueries {
			p.times(lines, eighth, tile, &out)
			for i := range min(kernel.TileQueries, d-eighth*kernel.TileQueries) {
				c := eighth*kernel.TileQueries + i
				for j, y := range out.Tile[i] {
					panel := p.panels[(3*tile+j/kernel.Width)*d+c]
					all[tile*tileRows+j] += float64(float64(y) * float64(panel[j%kernel.Width]))
				}
			}
		}
	}
	return all[:p.rows]
}
