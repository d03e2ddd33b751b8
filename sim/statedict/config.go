package statedict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"mcsim/sim/elementary"
)

// config is what is read of a config.json of Hugging Face's transformers.
type config struct {
	path string

	Type     string  `json:"model_type"`
	Heads    int     `json:"num_attention_heads"`
	NHead    int     `json:"n_head"`
	NHeads   int     `json:"n_heads"`
	NumHeads int     `json:"num_heads"`
	KeyHeads int     `json:"num_key_value_heads"`
	KV       int     `json:"num_kv_heads"`
	Groups   int     `json:"multi_query_group_num"`
	Dim      int     `json:"head_dim"`
	KV2      int     `json:"d_kv"` // of T5
	Scalar   float64 `json:"query_pre_attn_scalar"`
	Factor   float64 `json:"attention_multiplier"`
	RMSEps   float64 `json:"rms_norm_eps"`
	LayerEps float64 `json:"layer_norm_eps"`
	Before   *bool   `json:"do_layer_norm_before"` // of OPT
	Stable   *bool   `json:"do_stable_layer_norm"` // of wav2vec 2.0
	Rotated  int     `json:"qk_rope_head_dim"`
	NewMode  bool    `json:"new_decoder_architecture"`
	Multi    bool    `json:"multi_query"`
	GroupedQ bool    `json:"multi_query_attention"` // of ChatGLM
	Scaling  struct {
		Factor float64 `json:"factor"`
		Mscale float64 `json:"mscale_all_dim"`
	} `json:"rope_scaling"`
	Text *config `json:"text_config"`
}

// mostConfig is how long a config.json may be.
const mostConfig = 1 << 20

// configBeside reads the config.json of a file's folder, if there is one.
func configBeside(path string) (config, error) {
	path = filepath.Join(filepath.Dir(path), "config.json")
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return config{}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return config{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostConfig+1))
	if err == nil && len(text) > mostConfig {
		err = errors.New("is longer than 1 MiB")
	}
	var c config
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	var other *json.UnmarshalTypeError
	var broken *json.SyntaxError
	switch {
	case errors.As(err, &other) && other.Field == "":
		err = errors.New("is no object of JSON")
	case errors.As(err, &other):
		err = fmt.Errorf("%s has a value of another kind (%s) than transformers writes", other.Field, other.Value)
	case errors.As(err, &broken):
		err = fmt.Errorf("is no JSON: %w", err)
	}
	if err != nil {
		return config{}, fmt.Errorf("%s: %w", path, err)
	}
	if c.Text != nil {
		c.Text.Type = either(c.Text.Type, c.Type)
		c = *c.Text
	}
	c.path = path
	return c, nil
}

// either is the first that is said.
func either[T comparable](all ...T) (none T) {
	for _, x := range all {
		if x != none {
			return x
		}
	}
	return none
}

// heads is how many heads of queries there are; 0 where nothing is said.
func (c config) heads() int { return either(c.Heads, c.NHead, c.NHeads, c.NumHeads) }

// keyHeads is how many heads of keys.
func (c config) keyHeads() int {
	if c.multiQuery() && !c.GroupedQ {
		return 1
	}
	return either(c.KeyHeads, c.KV, c.Groups)
}

// multiQuery reports whether keys are shared, where the layout depends on it.
func (c config) multiQuery() bool {
	switch c.Type {
	case "falcon":
		return c.Multi && !c.NewMode
	case "gpt_bigcode":
		return c.Multi
	}
	return c.GroupedQ
}

// dimension is d_k.
func (c config) dimension() int { return either(c.Dim, c.KV2) }

// epsilon is what norms add to the mean square.
func (c config) epsilon() float64 { return either(c.RMSEps, c.LayerEps, epsilon) }

// scale is what the model multiplies q·k by, with how that comes; 0 where it is 1/√d_k.
func (c config) scale(dimension int) (scale float64, why string) {
	switch {
	case c.Type == "t5" || c.Type == "mt5" || c.Type == "umt5" || c.Type == "gpt_neo":
		return 1, c.Type + " does not scale q·k"
	case c.Scalar > 0:
		return 1 / math.Sqrt(c.Scalar), "query_pre_attn_scalar"
	case c.Factor > 0:
		return c.Factor, "attention_multiplier"
	case c.Scaling.Mscale > 0 && c.Scaling.Factor > 1 && c.Rotated > 0:
		// modeling_deepseek.py of DeepSeek-V3: yarn_get_mscale, squared.
		m := float64(0.1*c.Scaling.Mscale*elementary.Log(c.Scaling.Factor)) + 1
		return m * m / math.Sqrt(float64(dimension)), "mscale_all_dim of YaRN"
	}
	return 0, ""
}
