package modelconfig

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Shape has the sizes of the attention of one layer. A number that the config does not tell is 0.
type Shape struct {
	Heads, KeyHeads int
	Dimension       int    // d_k
	Widths          []int  // possible numbers of inputs of W_Q; empty if there are stages or no such key
	Layers          int    // number of layers of the largest stack
	Layout          string // layout of one array of queries, keys and values; empty if its name tells
	Gated           bool   // after the queries of each head, W_Q has equally many rows of a gate
}

// location identifies a layer of a model by the name of an array.
type location struct {
	layer    int      // index of the layer; -1 if the name has none
	stage    int      // index of the stage; -1 if it is not known
	stages   int      // number of stages of different widths; 0 if all layers have one width
	prefixes []string // prefixes of the layer's keys, such as encoder_; the last is empty
}

// Shape returns the shape of the layer of an array whose W_Q takes width inputs. The width selects
// from lists by stage, and the layer's index from lists by layer. It returns an error if a value
// has a wrong type, or if no stage has the width.
func (c *Config) Shape(array string, width int) (s Shape, err error) {
	if c == nil {
		return s, nil
	}
	previous := c.err
	c.err = nil
	defer func() { err, c.err = c.err, previous }()
	p := c.locate(array, width)
	s = Shape{Heads: c.layerNumber(p, slices.Concat(keys()["heads of a layer"], keys()["heads"])...),
		KeyHeads: c.layerNumber(p, keys()["heads of keys"]...), Dimension: c.layerNumber(p, keys()["d_k"]...),
		Layout: c.layout(), Gated: c.isIn("gate after queries")}
	if c.isUNet() && s.Heads == 0 { // diffusers, unet_2d_condition.py: the key is the number of heads
		s.Heads, s.Dimension = c.layerNumber(p, "attention_head_dim"), 0
	}
	if c.Type == "convbert" { // some of the heads are convolutions
		ratio, _ := c.numberOr("head_ratio", 2)
		s.Heads = int(float64(s.Heads) / ratio)
	}
	if c.isMultiQuery() {
		s.KeyHeads = 1
	}
	if c.boolean("multi_query_attention", false) {
		s.KeyHeads = c.layerNumber(p, "multi_query_group_num")
	}
	if p.stages > 0 {
		return s, nil
	}
	s.Widths = c.widths(p)
	s.Layers = c.layers()
	return s, nil
}

// locate returns the location of an array.
func (c *Config) locate(array string, width int) location {
	p := location{layer: -1, stage: -1}
	side := ""
	for _, m := range modules(array) {
		if n, err := strconv.Atoi(m); err == nil && p.layer < 0 {
			p.layer = n
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
	switch {
	case p.layer < 0:
	case p.layer < len(layerTypes) && layerTypes[p.layer] == "full_attention":
		p.prefixes = []string{"global_", "num_global_"}
	case p.layer < len(layerTypes) && layerTypes[p.layer] == "sliding_attention",
		p.layer < len(windows) && windows[p.layer] == 1:
		p.prefixes = []string{"swa_", "num_sliding_", "num_swa_"}
	}
	if side != "" {
		p.prefixes = append(p.prefixes, side, "num_"+side)
	}
	p.prefixes = append(p.prefixes, "")
	widths := c.stageWidths()
	p.stages, p.stage = len(widths), slices.Index(widths, width)
	if len(widths) > 0 && p.stage < 0 {
		c.setError("%s: its stages have the widths %s, and %s takes %d inputs",
			c.Path, strings.Trim(fmt.Sprint(widths), "[]"), array, width)
	}
	return p
}

// stageWidths returns the widths of the stages of a model with several resolutions, nothing for
// other models.
func (c *Config) stageWidths() (widths []int) {
	for _, key := range keys()["widths of stages"] {
		if _, list := c.value(key).([]any); list && (key != "block_out_channels" || c.isUNet()) {
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

// layerNumber returns the integer of the first key that is set, with one of the location's
// prefixes. From a list it takes the element of the layer or of its stage. It returns 0 if no key
// is set.
func (c *Config) layerNumber(p location, names ...string) int {
	for _, prefix := range p.prefixes {
		for _, key := range names {
			for _, name := range []string{prefix + key, prefix + strings.TrimPrefix(key, "num_")} {
				switch c.value(name).(type) {
				case nil:
				case []any:
					return c.listItem(p, name)
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
	case len(slices.Compact(slices.Clone(list))) == 1:
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

// maxWhole is the largest number of heads, layers or components.
const maxWhole = 1 << 16

// integer converts a number of heads, layers or components. It records an error if x is not an
// integer in 0..maxWhole.
func (c *Config) integer(key string, x float64) int {
	if x < 0 || x > maxWhole || x != math.Trunc(x) {
		c.setError("%s: %s is %g, which is not a whole number of 0 to %d", c.Path, key, x, maxWhole)
	}
	return int(max(0, min(x, maxWhole)))
}

// widths returns the possible numbers of inputs of W_Q: the values of all keys that are set to one
// number.
func (c *Config) widths(p location) (widths []int) {
	for _, prefix := range p.prefixes {
		for _, key := range keys()["width"] {
			if n, ok := c.value(prefix + key).(float64); ok && n > 0 {
				widths = append(widths, int(n))
			}
		}
	}
	if c.isAny("zamba zamba2") && len(widths) > 0 {
		widths = append(widths, 2*widths[0]) // hidden state and embedding, concatenated
	}
	return widths
}

// layers returns the number of layers of the largest stack, including layers that predict further
// tokens.
func (c *Config) layers() (largest int) {
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
	// For these blocks attention_head_dim is d_k (unet_2d_blocks.py).
	blocks := fmt.Sprint(c.value("down_block_types"), c.value("up_block_types"), c.value("mid_block_type"))
	isNamedRightly := strings.Contains(blocks, "SimpleCrossAttn") || strings.Contains(blocks, "KCrossAttn")
	return !isNamedRightly && (strings.Contains(name, "UNet2D") || strings.Contains(name, "ControlNet"))
}

// isFalcon reports whether the config is for a Falcon model.
func (c *Config) isFalcon() bool { return c.isAny("falcon RefinedWebModel RefinedWeb") }

// isGroupedFalcon reports whether the config is for a Falcon model with several heads of keys.
func (c *Config) isGroupedFalcon() bool {
	return c.isFalcon() && (c.boolean("new_decoder_architecture", false) || c.has("n_head_kv"))
}

// isMultiQuery reports whether all heads share one head of keys, for models whose layout depends on
// it.
func (c *Config) isMultiQuery() bool {
	isOne := c.isFalcon() && !c.isGroupedFalcon() || c.Type == "gpt_bigcode"
	return isOne && c.boolean("multi_query", true)
}

// layout returns the layout of one array of queries, keys and values, according to modeling_NAME.py
// of transformers or of the model itself. It is empty if the array's name tells.
func (c *Config) layout() string {
	switch {
	case c.isGroupedFalcon():
		return "grouped"
	case c.isMultiQuery(), c.Type == "chatglm" && c.boolean("multi_query_attention", false):
		return "packed"
	}
	for _, layout := range []string{"packed", "interleaved", "grouped", "in four parts of heads (codegen)"} {
		if c.isIn(layout) {
			return layout
		}
	}
	return ""
}
