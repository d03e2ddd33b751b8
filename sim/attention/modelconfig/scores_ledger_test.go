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

// ledgerConfig has the config.json of a model of the ledger, or the reason why there is none. The
// config has only the keys that concern attention and some keys that seem to concern it. The keys
// are defined by the configuration classes of transformers 5.3 or diffusers, or by a class that is
// published with the model. The values of keys that do not concern attention are examples.
type ledgerConfig struct {
	Name   string
	Config json.RawMessage
	Layer  int    // layer that the ledger describes
	Array  string // array that selects the tower; empty for text
	Reason string `json:"Without"` // reason why there is no config
}

// TestLedger checks that the config.json of a model and its entry in the ledger give the same
// factor of q·k, to the digits of the ledger, and the same cap, and agree on whether there are
// sinks and norms of queries and keys. All keys of the configs must be understood.
func TestLedger(t *testing.T) {
	text, err := os.ReadFile("testdata/configs.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []ledgerConfig
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	configs := map[string]ledgerConfig{}
	for _, r := range list {
		configs[r.Name] = r
	}
	for _, m := range models.All() {
		t.Run(m.Name, func(t *testing.T) {
			r, ok := configs[m.Name]
			switch {
			case !ok:
				t.Fatal("testdata/configs.json has neither a config of the model nor a reason for its absence")
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
				t.Errorf("factor: got %v, want %v of the ledger; the scores are: %s", s.Factor(), want, s)
			}
			if s.Cap != m.Cap {
				t.Errorf("cap: got %v, want %v of the ledger", s.Cap, m.Cap)
			}
			isNormalised := s.Norm != "" && !strings.HasPrefix(s.Norm, "components limited")
			if isNormalised != m.IsNormalised() {
				t.Errorf("norm of queries and keys: got %q; the ledger has %q", s.Norm, m.QKNorm)
			}
			if (s.Sink != "") != (m.Field("sink") != "") {
				t.Errorf("sink: got %q; the ledger has %q", s.Sink, m.Field("sink"))
			}
			if len(s.Unused) > 0 {
				t.Errorf("keys that are not understood: %v; want none", s.Unused)
			}
		})
	}
}
