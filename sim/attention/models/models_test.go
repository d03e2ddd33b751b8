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

// TestLedger checks for every entry of the ledger that it has a source and a valid shape, and that
// Lookup finds it by each of its names.
func TestLedger(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All() {
		for _, text := range append(strings.Split(m.Alias, ";"), m.Name, m.TypedName()) {
			if found, err := Lookup(text); text != "" && (err != nil || found.Name != m.Name) {
				t.Errorf("Lookup(%q) = %s with the error %v, want %s", text, found.Name, err, m.Name)
			}
		}
		if seen[spelling(words(m.Name))] {
			t.Errorf("the ledger has %s twice", m.Name)
		}
		seen[spelling(words(m.Name))] = true
		if m.Year < 2017 {
			t.Errorf("%s: the year is %d, want 2017 or later", m.Name, m.Year)
		}
		for _, column := range []string{"line", "verified"} {
			if m.Field(column) == "" {
				t.Errorf("%s: the column %q is empty", m.Name, column)
			}
		}
		if (m.Context > 0) != (m.Field("context_source") != "") {
			t.Errorf("%s: the context is %d and its source %q, want both or neither", m.Name, m.Context,
				m.Field("context_source"))
		}
		if m.Evidence == names.EvidenceUnknown && m.HasHead() {
			t.Errorf("%s has an initialisation, but its evidence is %q", m.Name, m.Evidence)
		}
		if m.KeyHeads > 0 && m.Heads%m.KeyHeads != 0 {
			t.Errorf("%s: %d query heads cannot share %d key heads evenly", m.Name, m.Heads, m.KeyHeads)
		}
		if m.IsLatent() && m.Nope+m.Rope != m.Key {
			t.Errorf("%s: a key has %d components, but %d unrotated and %d rotated ones", m.Name, m.Key, m.Nope, m.Rope)
		}
		if m.Model > weights.MaxModel || m.Key > weights.MaxKey {
			t.Errorf("%s: the shape is %+v, want at most %d × %d", m.Name, m.Shape, weights.MaxModel, weights.MaxKey)
		}
		if _, isKnown := weights.Lookup(m.Scheme); m.Scheme != "" && !isKnown {
			t.Errorf("%s: package weights has no scheme %q", m.Name, m.Scheme)
		}
	}
	if len(seen) < 140 {
		t.Errorf("the ledger has %d models, want at least 140", len(seen))
	}
}

// TestFields checks that the fields of some columns are numbers of at least 0 or empty, and the
// fields of others one of a list of words. Therefore record can ignore errors of parsing.
func TestFields(t *testing.T) {
	words := map[string][]string{"qk_norm": {NoNorm, RMSHead, RMSAll, LayerHead, LayerAll, UnitLength},
		"norm": {"", "layernorm", "rmsnorm", "none"}, "evidence": names.Evidences,
		"distribution": slices.Collect(maps.Keys(distributions))}
	numbers := strings.Fields("year d_nope d_rope q_latent kv_latent context scale yarn cap d_model d_k heads " +
		"kv_heads q_sd k_sd")
	for _, m := range All() {
		for column, allowed := range words {
			if field := m.Field(column); !slices.Contains(allowed, field) {
				t.Errorf("%s: %s is %q, want one of %q", m.Name, column, field, allowed)
			}
		}
		for _, column := range numbers {
			if x, err := strconv.ParseFloat(m.Field(column), 64); m.Field(column) != "" && (err != nil || x < 0) {
				t.Errorf("%s: %s is %q, want a number of at least 0", m.Name, column, m.Field(column))
			}
		}
	}
}

// TestSchemesAgreeWithEntries checks that, if an entry of the ledger has a scheme of
// sim/attention/weights and standard deviations, the scheme has these standard deviations.
func TestSchemesAgreeWithEntries(t *testing.T) {
	for _, m := range All() {
		if m.Scheme == "" || m.QuerySD == 0 {
			continue
		}
		h := m.InitScheme().HeadInLayer(m.Layer)
		for _, v := range [][2]float64{{h.Query.Variance, m.queryVariance}, {h.Key.Variance, m.keyVariance}} {
			if math.Abs(v[0]/v[1]-1) > 1e-4 {
				t.Errorf("%s: the scheme %s has entries of variance %g, want %g of the ledger", m.Name, m.Scheme,
					v[0], v[1])
			}
		}
	}
}

// TestScalesAreTheirFormulas checks the scales with a simple formula against the formula.
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
				t.Errorf("%s: the scale is %g, want %s = %g", m.Name, m.Scale, m.Field("scale_formula"), formula(m))
			}
		}
	}
	if checked < 90 {
		t.Errorf("%d scales have a simple formula, want at least 90", checked)
	}
}

// TestVariancesAreThoseOfHeads compares the variances of logits with heads.csv, for which
// testdata/heads.py computed heads step by step with NumPy.
func TestVariancesAreThoseOfHeads(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "heads.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 10 {
		t.Fatalf("heads.csv: got %d lines with the error %v, want at least 10", len(rows), err)
	}
	for _, row := range rows[1:] {
		m, err := Lookup(row[0])
		if err != nil {
			t.Fatal(err)
		}
		want, _ := strconv.ParseFloat(row[1], 64)
		se, _ := strconv.ParseFloat(row[2], 64)
		// LogitSD ignores caps, and that the latent vectors of correlated tokens are correlated.
		// The tolerance of 1 % is for both.
		if got := m.LogitSD() * m.LogitSD(); math.Abs(got-want) > 4.5*se+0.01*want {
			t.Errorf("%s: the variance of a logit is %.4g, want %.4g ± %.2g of heads.csv", m.Name, got, want, se)
		}
		if combined := m.Head().LogitVariance(); math.Abs(combined/(m.LogitSD()*m.LogitSD())-1) > 1e-9 {
			t.Errorf("%s: Head has logits of variance %g, want %g of HeadParts", m.Name, combined,
				m.LogitSD()*m.LogitSD())
		}
	}
}

func TestLookup(t *testing.T) {
	for text, want := range map[string]string{"gpt2": "GPT-2 small", "GPT2-XL": "GPT-2 XL", "t5": "T5-base",
		"llama2": "Llama-2 7B", "gptneox-20b": "GPT-NeoX-20B", "openai-community/gpt2": "GPT-2 small",
		"ViT-B/16": "ViT-B/16", "bert": "BERT-base", "llama-2-7b": "Llama-2 7B"} {
		if m, err := Lookup(text); err != nil || m.Name != want {
			t.Errorf("Lookup(%q) = %s with the error %v, want %s", text, m.Name, err, want)
		}
	}
	for text, want := range map[string]string{
		"llama3": "Llama-3-8B", "Llama 3": "Llama-3-8B", "llama-3.1": "Llama-3.1-405B", "llama3.2": "Llama-3.2-1B",
		"gemma 3n":      "Gemma-3n E4B",
		"deepseek v3.2": "DeepSeek-V3.2", "granite-3.1": "Granite-3.1-2B", "Grok2": "Grok-2", "exaone": "EXAONE-4",
	} {
		if m, err := Lookup(text); err != nil || m.Name != want {
			t.Errorf("Lookup(%q) = %s with the error %v, want %s", text, m.Name, err, want)
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
		"gpt2-xs":   "did you mean gpt-2-xl?",
		"mistrl-7b": "did you mean mistral-7b?", "deepseek-v9": "the ledger has deepseek-v2 or deepseek-v3",
	} {
		if m, err := Lookup(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Lookup(%q) = %s with the error %v, want an error that contains %q", text, m.Name, err, want)
		}
	}
	found := names.Map(WithShape(weights.Shape{Model: 4608, Key: 128}), Model.TypedName)
	if !slices.Equal(found, []string{"gemma-2-27b"}) {
		t.Errorf("the models with d_model = 4608 and d_k = 128 are %v, want gemma-2-27b", found)
	}
}

// TestLabel checks that the label changes at √(2 ln n), which is 2.0393 for n = 8 keys and 3.9049
// for 2048 keys (Python 3.11.2).
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
			t.Errorf("Label(%d, %v) = %s, want %s", c.keys, c.sigma, got, c.want)
		}
	}
}

// TestCommits checks that the ledger has the full hashes of commits.
func TestCommits(t *testing.T) {
	for _, m := range All() {
		for c := range strings.SplitSeq(m.Field("commit"), ";") {
			c = strings.TrimSpace(c)
			if c != "" && (len(c) != 40 || strings.Trim(c, "0123456789abcdef") != "") {
				t.Errorf("%s: the commit is %q, want 40 hexadecimal digits", m.Name, c)
			}
		}
	}
}
