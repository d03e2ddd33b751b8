package modelconfig

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Shape is what a config says of the attention of one layer. A number that it does not tell is 0.
type Shape struct {
	Heads, KeyHeads int
	Dimension       int    // d_k
	Widths          []int  // numbers of inputs that W_Q may have; empty if the config has stages or tells none
	Layers          int    // of the largest stack
	Layout          string // of one array of queries, keys and values; empty if the array's name tells
	Gated           bool   // W_Q has, after the queries of each head, as many rows of a gate
}

// place is a layer of a model, as the name of an array tells it.
type place struct {
	layer  int      // its number; -1 if the name has none
	stage  int      // its number among stages of several widths; -1 if not known
	stages int      // 0 if all layers have one width
	begins []string // what the names of keys begin with, such as encoder_; the last is empty
}

var (
	headEntries = append([]string{"num_attention_heads_per_layer", "num_attention_heads_per_stage"}, headKeys...)
	keyEntries  = []string{"num_key_value_heads_per_layer", "num_key_value_heads", "num_kv_heads", "n_kv_heads",
		"n_head_kv", "attn_config.kv_n_heads", "num_attention_groups", "kv_heads"}
	dimensionEntries = []string{"head_dim", "d_kv", "d_head", "dim_head", "kv_channels", "attention_head_size",
		"hidden_size_per_head", "key_dim", "attn_dim_key", "attention_head_dim"}
	widthEntries = []string{"hidden_size", "d_model", "n_embd", "n_embed", "model_dim", "embed_dim", "emb_dim", "dim",
		"true_hidden_size", "attention_hidden_size", "d_latents", "hidden_dim", "reduce_dim", "pred_hidden_size"}
)

// Shape returns what the config says of the layer of an array, whose W_Q takes width inputs. The
// width chooses from lists by stage, and the layer's number from lists by layer. The error is that of
// a value of a wrong kind, or of a width that none of the stages has.
func (c *Config) Shape(array string, width int) (Shape, error) {
	if c == nil {
		return Shape{}, nil
	}
	kept := c.err
	c.err = nil
	defer func() { c.err = kept }()
	at := c.place(array, width)
	s := Shape{
		Heads: c.entry(at, headEntries), KeyHeads: c.entry(at, keyEntries), Dimension: c.entry(at, dimensionEntries),
		Layout: c.layout(),
		Gated:  c.isIn("gate after queries"),
	}
	if c.isUNet() && s.Heads == 0 { // diffusers, unet_2d_condition.py: the key is not what its name says
		s.Heads, s.Dimension = c.entry(at, []string{"attention_head_dim"}), 0
	}
	if c.Type == "convbert" { // a part of the heads are convolutions
		ratio, _ := c.numberOr("head_ratio", 2)
		s.Heads = int(float64(s.Heads) / ratio)
	}
	if c.multiQuery() {
		s.KeyHeads = 1
	}
	if c.truth("multi_query_attention", false) {
		s.KeyHeads = c.entry(at, []string{"multi_query_group_num"})
	}
	if at.stages > 0 {
		return s, c.err
	}
	s.Widths = c.plain(at, widthEntries)
	if c.isAny("zamba zamba2") && len(s.Widths) > 0 {
		s.Widths = append(s.Widths, 2*s.Widths[0]) // the hidden state next to the embedding
	}
	s.Layers = c.layers()
	return s, c.err
}

// place finds the layer of an array.
func (c *Config) place(array string, width int) place {
	at := place{layer: -1, stage: -1}
	side := ""
	for _, m := range modules(array) {
		if n, err := strconv.Atoi(m); err == nil && at.layer < 0 {
			at.layer = n
		}
		if side == "" && (m == "encoder" || m == "decoder" || m == "speech_encoder") {
			side = m + "_"
		}
		if m == "predictor" && c.has("pred_num_attention_heads") { // V-JEPA 2
			side = "pred_"
		}
	}
	types, _ := c.value("layer_types").([]any)
	windows := c.numbers("hybrid_layer_pattern") // of MiMo-V2: 1 if the layer has a window
	switch {
	case at.layer < 0:
	case at.layer < len(types) && types[at.layer] == "full_attention":
		at.begins = []string{"global_", "num_global_"}
	case at.layer < len(types) && types[at.layer] == "sliding_attention",
		at.layer < len(windows) && windows[at.layer] == 1:
		at.begins = []string{"swa_", "num_sliding_", "num_swa_"}
	}
	if side != "" {
		at.begins = append(at.begins, side, "num_"+side)
	}
	at.begins = append(at.begins, "")
	all := c.stageWidths()
	at.stages, at.stage = len(all), slices.Index(all, width)
	if len(all) > 0 && at.stage < 0 {
		c.err = fmt.Errorf("%s: its stages have the widths %s, and %s takes %d inputs",
			c.Path, strings.Trim(fmt.Sprint(all), "[]"), array, width)
	}
	return at
}

// stageWidths returns the widths of the stages of a model that sees at several resolutions; none of
// other models.
func (c *Config) stageWidths() (all []int) {
	for _, key := range []string{"hidden_sizes", "embed_dim", "embed_dims", "dim_embed", "embed_dim_per_stage",
		"block_out_channels"} {
		if _, list := c.value(key).([]any); list && (key != "block_out_channels" || c.isUNet()) {
			for _, x := range c.numbers(key) {
				all = append(all, int(x))
			}
			return all
		}
	}
	first, ok := c.number("embed_dim", "patch_embeds_hidden_size")
	depths, _ := c.value("depths").([]any)
	if !ok || c.Type == "swin2sr" {
		return nil
	}
	for range depths { // Swin, Hiera, CLAP: the width doubles from stage to stage
		all = append(all, int(first))
		first *= 2
	}
	return all
}

// entry returns the whole number of the first key that is set, with what the layer's keys begin
// with; of a list, that of the layer or its stage; 0 if none is set.
func (c *Config) entry(at place, keys []string) int {
	for _, begin := range at.begins {
		for _, key := range keys {
			for _, name := range []string{begin + key, begin + strings.TrimPrefix(key, "num_")} {
				if c.value(name) == nil {
					continue
				}
				if _, list := c.value(name).([]any); list {
					return c.item(at, name)
				}
				x, _ := c.number(name)
				return c.whole(name, x)
			}
		}
	}
	return 0
}

// item returns the entry of a list that is that of a layer or of its stage.
func (c *Config) item(at place, key string) int {
	all := c.numbers(key)
	i := at.layer
	switch {
	case len(slices.Compact(slices.Clone(all))) == 1:
		i = 0
	case len(all) == at.stages:
		i = at.stage
	}
	if i >= 0 && i < len(all) {
		return c.whole(key, all[i])
	}
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s is a list of %d numbers, of which none is that of layer %d",
			c.Path, key, len(all), at.layer)
	}
	return 0
}

// maxWhole bounds numbers of heads, of layers and of components.
const maxWhole = 1 << 16

// whole returns a number of heads, of layers or of components; Err tells if it is none.
func (c *Config) whole(key string, x float64) int {
	if (x < 0 || x > maxWhole || x != math.Trunc(x)) && c.err == nil {
		c.err = fmt.Errorf("%s: %s is %g, which is not a whole number of 0 to %d", c.Path, key, x, maxWhole)
	}
	return int(max(0, min(x, maxWhole)))
}

// plain returns the numbers of all keys that are set to one, with what the layer's keys begin with.
func (c *Config) plain(at place, keys []string) (all []int) {
	for _, begin := range at.begins {
		for _, key := range keys {
			if n, ok := c.value(begin + key).(float64); ok && n > 0 {
				all = append(all, int(n))
			}
		}
	}
	return all
}

// layers returns the number of layers of the largest stack, with those that predict further tokens.
func (c *Config) layers() (most int) {
	for key, value := range c.values {
		n, ok := value.(float64)
		if ok && (strings.HasSuffix(key, "layers") || key == "n_layer" || key == "depth") {
			most = max(most, c.whole(key, n))
		}
	}
	more, _ := c.number("num_nextn_predict_layers")
	return most + c.whole("num_nextn_predict_layers", more)
}

// isUNet reports whether the config is that of a UNet of diffusers that text conditions.
func (c *Config) isUNet() bool {
	name := c.text("_class_name")
	if name == "" {
		return c.has("block_out_channels")
	}
	// Of these blocks the key is what its name says: d_k (unet_2d_blocks.py).
	blocks := fmt.Sprint(c.value("down_block_types"), c.value("up_block_types"), c.value("mid_block_type"))
	isNamedRightly := strings.Contains(blocks, "SimpleCrossAttn") || strings.Contains(blocks, "KCrossAttn")
	return !isNamedRightly && (strings.Contains(name, "UNet2D") || strings.Contains(name, "ControlNet"))
}

// multiQuery reports whether all heads share one of keys, in models whose layout depends on it.
func (c *Config) multiQuery() bool {
	switch c.Type {
	case "falcon", "RefinedWebModel", "RefinedWeb":
		return c.truth("multi_query", true) && !c.truth("new_decoder_architecture", false) && !c.has("n_head_kv")
	case "gpt_bigcode":
		return c.truth("multi_query", true)
	}
	return false
}

// layout returns how a model's one array of queries, keys and values is laid out, by
// modeling_NAME.py of transformers or of the model itself; empty if the array's name tells.
func (c *Config) layout() string {
	switch c.Type {
	case "falcon", "RefinedWebModel", "RefinedWeb":
		if c.truth("new_decoder_architecture", false) || c.has("n_head_kv") {
			return "grouped"
		}
	case "chatglm":
		if c.truth("multi_query_attention", false) {
			return "packed"
		}
	}
	if c.multiQuery() {
		return "packed"
	}
	for _, layout := range []string{"packed", "interleaved", "grouped", "in four parts of heads (codegen)"} {
		if c.isIn(layout) {
			return layout
		}
	}
	return ""
}

// Where the norm stands whose output queries and keys are made of.
const (
	NormBefore   = "before"   // attention, in the layer itself
	NormAfter    = "after"    // the layer before, or after the embedding
	NormResidual = "residual" // nowhere: the stream itself goes in
)

// NormPlace returns where the norm stands that queries and keys are made of: one of the constants, or
// empty if the config does not tell.
func (c *Config) NormPlace() string {
	if c == nil {
		return ""
	}
	for _, key := range []string{"do_layer_norm_before", "do_stable_layer_norm", "prenorm", "pre_norm",
		"normalize_before"} {
		if c.value(key) == nil {
			continue
		}
		if c.truth(key, true) {
			return NormBefore
		}
		return NormAfter
	}
	switch {
	case c.isIn("no norm before attention"), strings.Contains(c.text("architecture"), "_rpn_"): // timm, ResPostBlock
		return NormResidual
	case c.isIn("norms after attention"):
		return NormAfter
	case c.isIn("root of d_k"):
		return NormBefore
	}
	return ""
}

// PlusOne reports whether gains are stored less 1, as in Gemma but for 3n and 4, and in the
// LayerNorm1P of Nemotron.
func (c *Config) PlusOne() bool {
	return c != nil && c.isIn("gain 1 + weight")
}

// LayerNorm reports whether norms without a bias take the mean off all the same; known is false if
// the config does not tell.
func (c *Config) LayerNorm() (takes, known bool) {
	switch {
	case c == nil:
		return false, false
	case c.isIn("LayerNorm without a bias"):
		return true, true
	case c.has("rms_norm_eps") || c.isIn("RMSNorm by layer_norm_eps"):
		return false, true
	}
	takes = c.has("layer_norm_eps", "layer_norm_epsilon")
	return takes, takes
}

// Epsilon returns what norms add to the mean square; 0 if the config does not tell.
func (c *Config) Epsilon() float64 {
	x, _ := c.number("rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps", "norm_epsilon")
	return x
}
