package modelconfig_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/attention/models"
)

// released is the config.json of a model of the ledger, or the reason why there is none. It has
// only the keys that concern attention and some that seem to. The keys are defined by the
// configuration classes of transformers 5.3 and diffusers, or by the model's own. The values of
// keys that do not concern attention are examples.
type released struct {
	Name   string
	Config json.RawMessage
	Layer  int    // layer that the ledger describes
	Array  string // array that selects the tower; empty for text
	Reason string `json:"Without"` // reason why there is no config
}

// TestLedger checks that a model's config.json and its entry of the ledger agree in the factor of
// q·k, in the cap, and in whether there are norms of queries and keys, and sinks. Factors of the
// ledger have six digits. All keys of the configs must be understood.
func TestLedger(t *testing.T) {
	text, err := os.ReadFile("testdata/configs.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []released
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	configs := map[string]released{}
	for _, r := range list {
		configs[r.Name] = r
	}
	for _, m := range models.All() {
		t.Run(m.Name, func(t *testing.T) {
			r, ok := configs[m.Name]
			switch {
			case !ok:
				t.Fatal("the model has no config in testdata/configs.json, nor a reason why")
			case r.Reason != "":
				t.Skip(r.Reason)
			}
			path := filepath.Join(t.TempDir(), "config.json")
			if err := os.WriteFile(path, r.Config, 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := modelconfig.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			array := r.Array
			if array == "" {
				array = "model.layers.0.self_attn.q_proj.weight"
			}
			s := c.ForArray(array).Scores(r.Layer, m.Key)
			if want := m.Factor(); !(math.Abs(s.Factor()/want-1) < 1e-4) {
				t.Errorf("factor %v, want %v of the ledger: %s", s.Factor(), want, s)
			}
			if s.Cap != m.Cap {
				t.Errorf("cap %v, want %v", s.Cap, m.Cap)
			}
			isNormalised := s.Norm != "" && !strings.HasPrefix(s.Norm, "components limited")
			if isNormalised != m.IsNormalised() {
				t.Errorf("norm of queries and keys %q, want %q", s.Norm, m.QKNorm)
			}
			if (s.Sink != "") != (m.Field("sink") != "") {
				t.Errorf("sink %q, want %q", s.Sink, m.Field("sink"))
			}
			if len(s.Unused) > 0 {
				t.Errorf("not understood: %v", s.Unused)
			}
		})
	}
}
