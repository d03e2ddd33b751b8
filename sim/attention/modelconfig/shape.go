package modelconfig

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Shape has the sizes of the attention of one layer. A number is 0 if the config does not tell it.
type Shape struct {
	Heads, KeyHeads int
	Dimension       int    // d_k
	Widths          []int  // possible numbers of inputs of W_Q; empty if there are stages or no such key
	Layers          int    // number of layers of the largest stack
	Layout          string // layout of an array that has queries, keys and values; empty if its name tells it
	Gated           bool   // after the rows of each head's queries, W_Q has as many rows of a gate
}

// location identifies a layer of a model by the name of an array.
type location struct {
	layer    int      // index of the layer; -1 if the name has none
	stage    int      // index of the stage; -1 if it is not known
	stages   int      // number of stages of different widths; 0 if all layers have one width
	prefixes []string // prefixes of the keys for the layer, such as encoder_; the last is empty
}

// Shape returns the shape of the layer to which an array belongs. width is the number of inputs of
// W_Q; it tells the stage if a key has a list of numbers by stage. From lists by layer Shape takes
// the element with the layer's index. It returns an error if a value has a wrong type, or if no
// stage has the width.
func (c *Config) Shape(array string, width int) (s Shape, err error) {
	if c == nil {
		return s, nil
	}
	previous := c.err
	c.err = nil
	defer func() { err, c.err = c.err, previous }()
	loc := c.locate(array, width)
	s = Shape{Heads: c.integerForLayer(loc, slices.Concat(keys()["heads of a layer"], keys()["heads"])...),
		KeyHeads:  c.integerForLayer(loc, keys()["heads of keys"]...),
		Dimension: c.integerForLayer(loc, keys()["d_k"]...),
		Layout:    c.layout(), Gated: c.isInGroup("gate after queries")}
	if c.isUNet() && s.Heads == 0 { // the key, in spite of its name: diffusers, unet_2d_condition.py
		s.Heads, s.Dimension = c.integerForLayer(loc, "attention_head_dim"), 0
	}
	if c.Type == "convbert" { // some of the heads are convolutions
		ratio, _ := c.numberOr("head_ratio", 2)
		s.Heads = int(float64(s.Heads) / ratio)
	}
	if c.isMultiQuery() {
		s.KeyHeads = 1
	}
	if c.boolean("multi_query_attention", false) {
		s.KeyHeads = c.integerForLayer(loc, "multi_query_group_num")
	}
	if loc.stages > 0 {
		return s, nil
	}
	s.Widths = c.widths(loc)
	s.Layers = c.layerCount()
	return s, nil
}

// locate returns the location of an array.
func (c *Config) locate(array string, width int) location {
	loc := location{layer: -1, stage: -1}
	side := ""
	for _, m := range modules(array) {
		if n, err := strconv.Atoi(m); err == nil && loc.layer < 0 {
			loc.layer = n
		}
		if side == "" && (m == "encoder" || m == "decoder" || m == "speech_encoder") {
			side = m + "_"
		}
		if m == "predictor" && c.has("pred_num_attention_heads") { // V-JEPA 2
			side = "pred_"
		}
	}
	layerTypes, _ := c.value("layer_types").([]any)
	windows := c.numbers("hybrid_layer_pattern") // MiMo-V2: 1 for a layer with a window
	var isFull, hasWindow bool
	if i := loc.layer; i >= 0 {
		isFull = i < len(layerTypes) && layerTypes[i] == "full_attention"
		hasWindow = i < len(layerTypes) && layerTypes[i] == "sliding_attention" || i < len(windows) && windows[i] == 1
	}
	switch {
	case isFull:
		loc.prefixes = []string{"global_", "num_global_"}
	case hasWindow:
		loc.prefixes = []string{"swa_", "num_sliding_", "num_swa_"}
	}
	if side != "" {
		loc.prefixes = append(loc.prefixes, side, "num_"+side)
	}
	loc.prefixes = append(loc.prefixes, "")
	widths := c.stageWidths()
	loc.stages, loc.stage = len(widths), slices.Index(widths, width)
	if len(widths) > 0 && loc.stage < 0 {
		c.setError("%s: its stages have the widths %s, but %s takes %d inputs",
			c.Path, strings.Trim(fmt.Sprint(widths), "[]"), array, width)
	}
	return loc
}

// stageWidths returns the widths of the stages of a model with several resolutions, and nil for
// other models.
func (c *Config) stageWidths() (widths []int) {
	for _, key := range keys()["widths of stages"] {
		if _, isList := c.value(key).([]any); isList && (key != "block_out_channels" || c.isUNet()) {
			for _, x := range c.numbers(key) {
				widths = append(widths, int(x))
			}
			return widths
		}
	}
	width, ok := c.field("width of the first stage")
	depths, _ := c.value("depths").([]any)
	if !ok || c.Type == "swin2sr" {
		return nil
	}
	for range depths { // Swin, Hiera, CLAP: the width doubles from stage to stage
		widths = append(widths, int(width))
		width *= 2
	}
	return widths
}

// integerForLayer returns the integer of the first key that is set. It tries the keys with each of
// the location's prefixes. From a list it takes the element for the layer or its stage. It returns
// 0 if no key is set.
func (c *Config) integerForLayer(loc location, names ...string) int {
	for _, prefix := range loc.prefixes {
		for _, key := range names {
			for _, name := range []string{prefix + key, prefix + strings.TrimPrefix(key, "num_")} {
				switch c.value(name).(type) {
				case nil:
				case []any:
					return c.listItem(loc, name)
				default:
					x, _ := c.number(name)
					return c.integer(name, x)
				}
			}
		}
	}
	return 0
}

// listItem returns the element of a list for a layer or its stage.
func (c *Config) listItem(p location, key string) int {
	list := c.numbers(key)
	i := p.layer
	switch {
	case len(slices.Compact(slices.Clone(list))) == 1: // all elements are equal
		i = 0
	case len(list) == p.stages:
		i = p.stage
	}
	if i >= 0 && i < len(list) {
		return c.integer(key, list[i])
	}
	c.setError("%s: %s is a list of %d numbers, without one for layer %d", c.Path, key, len(list), p.layer)
	return 0
}

// maxSize is the largest accepted number of heads, layers or components.
const maxSize = 1 << 16

// integer converts a number of heads, layers or components. It records an error if x is not an
// integer in 0..maxSize.
func (c *Config) integer(key string, x float64) int {
	if x < 0 || x > maxSize || x != math.Trunc(x) {
		c.setError("%s: %s is %g, which is not an integer in 0..%d", c.Path, key, x, maxSize)
	}
	return int(max(0, min(x, maxSize)))
}

// widths returns the possible numbers of inputs of W_Q: the values of all keys for a width that
// have a single number.
func (c *Config) widths(loc location) (widths []int) {
	for _, prefix := range loc.prefixes {
		for _, key := range keys()["width"] {
			if n, ok := c.value(prefix + key).(float64); ok && n > 0 {
				widths = append(widths, int(n))
			}
		}
	}
	if c.isOneOf("zamba zamba2") && len(widths) > 0 {
		widths = append(widths, 2*widths[0]) // the hidden state and the embedding are concatenated
	}
	return widths
}

// layerCount returns the number of layers of the largest stack, including layers for the prediction
// of several tokens (num_nextn_predict_layers).
func (c *Config) layerCount() int {
	largest := 0
	for key, value := range c.values {
		n, ok := value.(float64)
		if ok && (strings.HasSuffix(key, "layers") || key == "n_layer" || key == "depth") {
			largest = max(largest, c.integer(key, n))
		}
	}
	extra, _ := c.number("num_nextn_predict_layers")
	return largest + c.integer("num_nextn_predict_layers", extra)
}

// isUNet reports whether the config is for a text-conditioned UNet of diffusers.
func (c *Config) isUNet() bool {
	name := c.text("_class_name")
	if name == "" {
		return c.has("block_out_channels")
	}
	// If the UNet has one of these blocks, attention_head_dim is d_k, as its name says
	// (unet_2d_blocks.py). Then the UNet needs no rule of its own.
	blocks := fmt.Sprint(c.value("down_block_types"), c.value("up_block_types"), c.value("mid_block_type"))
	isKeySize := strings.Contains(blocks, "SimpleCrossAttn") || strings.Contains(blocks, "KCrossAttn")
	return !isKeySize && (strings.Contains(name, "UNet2D") || strings.Contains(name, "ControlNet"))
}

// isFalcon reports whether the config is for a Falcon model.
func (c *Config) isFalcon() bool { return c.isOneOf("falcon RefinedWebModel RefinedWeb") }

// isGroupedFalcon reports whether the config is for a Falcon model with several key heads.
func (c *Config) isGroupedFalcon() bool {
	return c.isFalcon() && (c.boolean("new_decoder_architecture", false) || c.has("n_head_kv"))
}

// isMultiQuery reports whether the config is for a Falcon or GPTBigCode model in which all heads
// share one key head.
func (c *Config) isMultiQuery() bool {
	hasSetting := c.Type == "gpt_bigcode" || c.isFalcon() && !c.isGroupedFalcon()
	return hasSetting && c.boolean("multi_query", true)
}

// layout returns the layout of an array that has queries, keys and values, according to
// modeling_NAME.py of transformers or of the model itself. It is empty if the array's name tells
// it.
func (c *Config) layout() string {
	switch {
	case c.isGroupedFalcon():
		return "grouped"
	case c.isMultiQuery():
		return "packed"
	case c.Type == "chatglm" && c.boolean("multi_query_attention", false):
		return "packed"
	}
	for _, layout := range []string{"packed", "interleaved", "grouped", "in four parts of heads (codegen)"} {
		if c.isInGroup(layout) {
			return layout
		}
	}
	return ""
}
