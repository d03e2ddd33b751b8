package series

// HeadMap is a heat map with one row for each layer, the first on top, and one column for each
// head.
type HeadMap struct {
	Layers  []HeadLayer
	Lo, Hi  float64 // band of values, which are shown in pale colours; Lo may be 0
	Meaning string  // meaning of the band in the legend, such as "the band of --gate"

	// Axis and Columns name the axis and the columns of a map over files, such as steps. Then there
	// are lines below the map. They are empty if columns are heads.
	Axis    string
	Columns []string
}

// HeadLayer has the standard deviations of the logits of a layer's heads.
type HeadLayer struct {
	Name string
	SD   []float64
}
