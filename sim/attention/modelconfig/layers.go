package modelconfig

import (
	"fmt"
	"slices"
)

// LayerScores describes the layers of a tower that have the same d_k and the same Scores.
type LayerScores struct {
	Layers    []int // indices of the layers; nil if their number is not known
	Width     int   // width of the tokens of a stage; 0 if all layers of the tower have one width
	Dimension int   // d_k
	Scores    Scores
}

// LayerScores returns how the layers of a tower compute logits, with one element for all layers
// that do it in the same way. For a model with stages of several widths it returns one element per
// stage. It returns an error if d_k is not known or a value has a wrong type.
func (c *Config) LayerScores() (groups []LayerScores, err error) {
	for _, width := range c.stageWidths() {
		g, err := c.resolveLayer(0, width)
		if err != nil {
			return nil, err
		}
		g.Width = width
		groups = append(groups, g)
	}
	if len(groups) > 0 {
		return groups, c.Err()
	}
	layers := c.layerCount()
	for layer := range max(1, layers) {
		g, err := c.resolveLayer(layer, 0)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(groups, func(known LayerScores) bool {
			return known.Dimension == g.Dimension && known.Scores.String() == g.Scores.String()
		})
		if i < 0 {
			i = len(groups)
			groups = append(groups, g)
		}
		if layers > 0 {
			groups[i].Layers = append(groups[i].Layers, layer)
		}
	}
	c.addPartRemarks(groups)
	return groups, c.Err()
}

// addPartRemarks adds a remark to each of the groups for each part of the model, such as the
// encoder, whose number of heads differs from that of layer 0.
func (c *Config) addPartRemarks(groups []LayerScores) {
	first, _ := c.Shape("layers.0", 0) // without an error, since resolveLayer has called it before
	for _, part := range []string{"encoder", "decoder", "speech_encoder", "predictor"} {
		s, err := c.Shape(part+".layers.0", 0)
		if err != nil || s.Heads == first.Heads {
			continue
		}
		remark := fmt.Sprintf("its %s has %d heads, and d_k may differ", part, s.Heads)
		for i := range groups {
			groups[i].Scores.Unresolved = append(groups[i].Scores.Unresolved, remark)
		}
	}
}

// resolveLayer returns the LayerScores of one layer. A width other than 0 selects a stage.
func (c *Config) resolveLayer(layer, width int) (LayerScores, error) {
	shape, err := c.Shape(fmt.Sprintf("layers.%d", layer), width)
	if err != nil {
		return LayerScores{}, err
	}
	if width == 0 && len(shape.Widths) > 0 {
		width = shape.Widths[0]
	}
	if c.Type == "perceiver" {
		channels, _ := c.number("qk_channels", "d_latents")
		width = int(channels)
	}
	dimension := shape.Dimension
	if unrotated, ok := c.number("qk_nope_head_dim"); ok {
		rotated, _ := c.number("qk_rope_head_dim")
		dimension = int(unrotated + rotated)
	}
	// types.txt lists the types of models with one of these sizes by default.
	for _, size := range []int{64, 128, 256} {
		if dimension == 0 && c.isInGroup(fmt.Sprintf("head_dim %d by default", size)) {
			dimension = size
		}
	}
	if dimension == 0 {
		if width == 0 || shape.Heads == 0 || width%shape.Heads != 0 {
			return LayerScores{}, fmt.Errorf("%s: d_k is unknown: there is no head_dim, and no width that is "+
				"a multiple of the number of heads", c.Path)
		}
		dimension = width / shape.Heads
	}
	return LayerScores{Dimension: dimension, Scores: c.Scores(layer, dimension)}, nil
}
