package models

import (
	"encoding/csv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/attention/weights"
	"mcsim/sim/names"
)

// TestLedger checks that every entry has a source, is found by its names, and has a valid shape.
func TestLedger(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All() {
		for _, text := range append(strings.Split(m.Alias, ";"), m.Name, m.TypedName()) {
			if found, err := Lookup(text); text != "" && (err != nil || found.Name != m.Name) {
				t.Errorf("%s: %q is found as %s, %v", m.Name, text, found.Name, err)
			}
		}
		if seen[spelling(words(m.Name))] {
			t.Errorf("%s is there twice", m.Name)
		}
		seen[spelling(words(m.Name))] = true
		if m.Year < 2017 || m.Field("line") == "" || m.Field("verified") == "" {
			t.Errorf("%s: without a year, a source, or how far it is trusted", m.Name)
		}
		if (m.Context > 0) != (m.Field("context_source") != "") {
			t.Errorf("%s: a context without its source", m.Name)
		}
		if m.Evidence == names.EvidenceUnknown && m.HasHead() {
			t.Errorf("%s has a head without evidence", m.Name)
		}
		uneven := m.KeyHeads > 0 && m.Heads%m.KeyHeads != 0 || m.IsLatent() && m.Nope+m.Rope != m.Key
		if uneven || m.Model > weights.MaxModel || m.Key > weights.MaxKey {
			t.Errorf("%s: the shape %+v is not valid", m.Name, m.Layer)
		}
		if _, known := weights.Lookup(m.Scheme); m.Scheme != "" && !known {
			t.Errorf("%s: there is no initialisation %s", m.Name, m.Scheme)
		}
	}
	if len(seen) < 140 {
		t.Errorf("only %d models", len(seen))
	}
}

// TestFields checks that fields are numbers from 0 on, or one of a list of words, so that they can
// be parsed.
func TestFields(t *testing.T) {
	words := map[string][]string{"qk_norm": {NoNorm, RMSHead, RMSAll, LayerHead, LayerAll, UnitLength},
		"norm": {"", "layernorm", "rmsnorm", "none"}, "evidence": names.Evidences,
		"distribution": slices.Collect(maps.Keys(distributions))}
	numbers := strings.Fields("year d_nope d_rope q_latent kv_latent context scale yarn cap d_model d_k heads " +
		"kv_heads q_sd k_sd")
	for _, m := range All() {
		for column, allowed := range words {
			if field := m.Field(column); !slices.Contains(allowed, field) {
				t.Errorf("%s, %s: %q is not one of %q", m.Name, column, field, allowed)
			}
		}
		for _, column := range numbers {
			if x, err := strconv.ParseFloat(m.Field(column), 64); m.Field(column) != "" && (err != nil || x < 0) {
				t.Errorf("%s, %s: %q is not a number from 0 on", m.Name, column, m.Field(column))
			}
		}
	}
}

// TestSchemesAgreeWithEntries checks that a scheme of sim/attention/weights has the standard
// deviations of the entry.
func TestSchemesAgreeWithEntries(t *testing.T) {
	for _, m := range All() {
		if m.Scheme == "" || m.QuerySD == 0 {
			continue
		}
		h := m.InitScheme().HeadInLayer(m.Layer)
		for _, v := range [][2]float64{{h.Query.Variance, m.queryVariance}, {h.Key.Variance, m.keyVariance}} {
			if math.Abs(v[0]/v[1]-1) > 1e-4 {
				t.Errorf("%s: entries of %s have the variance %g, of the row %g", m.Name, m.Scheme, v[0], v[1])
			}
		}
	}
}

// TestScalesAreTheirFormulas checks that scales with a simple formula have its value.
func TestScalesAreTheirFormulas(t *testing.T) {
	formulas := map[string]func(Model) float64{
		"1/sqrt(d_k)": func(m Model) float64 { return 1 / math.Sqrt(float64(m.Key)) },
		"1 (none)":    func(Model) float64 { return 1 },
	}
	checked := 0
	for _, m := range All() {
		if formula, ok := formulas[m.Field("scale_formula")]; ok && m.Key > 0 {
			checked++
			if math.Abs(m.Scale/formula(m)-1) > 1e-5 {
				t.Errorf("%s: %s is %g, not %g", m.Name, m.Field("scale_formula"), formula(m), m.Scale)
			}
		}
	}
	if checked < 90 {
		t.Errorf("only %d", checked)
	}
}

// TestVariancesAreThoseOfHeads compares with variances that NumPy finds in heads computed step by
// step (testdata/heads.py).
func TestVariancesAreThoseOfHeads(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "heads.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 10 {
		t.Fatal(err, len(rows))
	}
	for _, row := range rows[1:] {
		m, err := Lookup(row[0])
		if err != nil {
			t.Fatal(err)
		}
		want, _ := strconv.ParseFloat(row[1], 64)
		se, _ := strconv.ParseFloat(row[2], 64)
		// The 1 % is for caps, and for the correlation of latent vectors of slightly correlated
		// tokens.
		if got := m.LogitSD() * m.LogitSD(); math.Abs(got-want) > 4.5*se+0.01*want {
			t.Errorf("%s: the variance of a logit is %.4g, in heads %.4g ± %.2g", m.Name, got, want, se)
		}
		if combined := m.Head().LogitVariance(); math.Abs(combined/(m.LogitSD()*m.LogitSD())-1) > 1e-9 {
			t.Errorf("%s: one head has the variance %g, its parts %g", m.Name, combined, m.LogitSD()*m.LogitSD())
		}
	}
}

func TestLookup(t *testing.T) {
	for text, want := range map[string]string{"gpt2": "GPT-2 small", "GPT2-XL": "GPT-2 XL", "t5": "T5-base",
		"llama2": "Llama-2 7B", "gptneox-20b": "GPT-NeoX-20B", "openai-community/gpt2": "GPT-2 small",
		"ViT-B/16": "ViT-B/16", "bert": "BERT-base", "llama-2-7b": "Llama-2 7B"} {
		if m, err := Lookup(text); err != nil || m.Name != want {
			t.Errorf("%s is %s, %v", text, m.Name, err)
		}
	}
	for text, want := range map[string]string{
		"llama3": "Llama-3-8B", "Llama 3": "Llama-3-8B", "llama-3.1": "Llama-3.1-405B", "llama3.2": "Llama-3.2-1B",
		"gemma 3n":      "Gemma-3n E4B",
		"deepseek v3.2": "DeepSeek-V3.2", "granite-3.1": "Granite-3.1-2B", "Grok2": "Grok-2", "exaone": "EXAONE-4",
	} {
		if m, err := Lookup(text); err != nil || m.Name != want {
			t.Errorf("%s is %s, %v; want %s", text, m.Name, err, want)
		}
	}
	// A suggestion keeps the version; an ambiguous name lists its models.
	for text, want := range map[string]string{
		"llama-3-70b": "the ledger has llama-3-8b", "llama3.3": "the ledger has llama-7b, llama-2-70b",
		"qwen":  "may be qwen-7b or qwen2.5-7b",
		"llama": "may be llama-7b, llama-2-70b", "llama-27b": "the ledger has llama-7b",
		"gemma-34b": "the ledger has gemma-2b",
		"olmo 27b":  "the ledger has olmo-7b", "qwen 38b": "the ledger has qwen-7b",
		"qwen-257b": "the ledger has qwen-7b",
		"lama3":     "did you mean llama-3-8b?", "qwem3": "did you mean qwen3-8b or qwen3-32b",
		"lama": "did you mean llama-7b",
		"neox": "did you mean gpt-neox-20b?",
		"rwkv": "mcsim models lists them all", "vicuna-3": "mcsim models lists them all",
		"":          "the name of a model is empty",
		"mistrl-7b": "did you mean mistral-7b?", "deepseek-v9": "the ledger has deepseek-v2 or deepseek-v3",
	} {
		if m, err := Lookup(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v; want %q", text, m.Name, err, want)
		}
	}
	if _, err := Lookup("gpt2-xs"); err == nil || !strings.Contains(err.Error(), "did you mean gpt-2-xl?") {
		t.Errorf("gpt2-xs: %v", err)
	}
	found := names.Map(WithShape(weights.Shape{Model: 4608, Key: 128}), Model.TypedName)
	if !slices.Equal(found, []string{"gemma-2-27b"}) {
		t.Errorf("4608/128 is %v", found)
	}
}

// TestLabel checks the limits √(2 ln n): 2.0393 for 8 keys and 3.9049 for 2048 (Python 3.11.2).
func TestLabel(t *testing.T) {
	for _, c := range []struct {
		keys  int
		sigma float64
		want  string
	}{
		{8, 0, names.LabelSpread}, {8, 2.0392, names.LabelSpread}, {8, 2.0394, names.LabelConcentrated},
		{2048, 3.9048, names.LabelSpread}, {2048, 3.9052, names.LabelConcentrated},
	} {
		if got := Label(c.keys, c.sigma); got != c.want {
			t.Errorf("%d keys, σ = %v: %s, want %s", c.keys, c.sigma, got, c.want)
		}
	}
}

// TestCommits checks that commits are written in full, so that a line of a file can be found again.
func TestCommits(t *testing.T) {
	for _, m := range All() {
		for c := range strings.SplitSeq(m.Field("commit"), ";") {
			c = strings.TrimSpace(c)
			if c != "" && (len(c) != 40 || strings.Trim(c, "0123456789abcdef") != "") {
				t.Errorf("%s: %q is not a commit", m.Name, c)
			}
		}
	}
}
