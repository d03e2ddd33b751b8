package models

import (
	_ "embed"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcsim/sim/base/distribution"
)

//go:embed ledger.csv
var ledgerText string

// ledgerRows returns the fields of each line of the ledger. The first line is the header.
var ledgerRows = sync.OnceValue(func() [][]string {
	rows, err := csv.NewReader(strings.NewReader(ledgerText)).ReadAll()
	if err != nil {
		panic("models: ledger.csv: " + err.Error())
	}
	return rows
})

func columnNames() []string { return ledgerRows()[0] }

// ledger returns the models of the ledger.
var ledger = sync.OnceValue(func() (models []Model) {
	for _, fields := range ledgerRows()[1:] {
		models = append(models, record(fields).newModel())
	}
	return models
})

// distributions maps the ledger's names for the distribution of an entry of W_Q and W_K to
// distributions, and to the factor by which truncation changes the variance. A normal number that
// is truncated at three standard deviations has 0.973 of the variance. It is sampled as a normal
// number of this variance, without truncation.
var distributions = map[string]struct {
	distribution   distribution.Distribution
	varianceFactor float64
}{
	"normal": {distribution.Normal, 1}, "uniform": {distribution.Uniform, 1}, "": {distribution.Normal, 1},
	"truncated":   {distribution.TruncatedNormal, distribution.TruncatedVariance},
	"truncated-3": {distribution.Normal, 0.973337},
}

// record has the fields of a line of the ledger. Errors of parsing are ignored: TestFields checks
// that all fields can be parsed.
type record []string

// text returns the field of a column.
func (r record) text(column string) string { return r[slices.Index(columnNames(), column)] }

// number returns a field that is a number, or 0 if it is empty.
func (r record) number(column string) float64 {
	x, _ := strconv.ParseFloat(r.text(column), 64)
	return x
}

func (r record) integer(column string) int { return int(r.number(column)) }

// newModel returns the model of a record.
func (r record) newModel() Model {
	m := Model{Name: r.text("name"), Alias: r.text("alias"), Year: r.integer("year"),
		Nope: r.integer("d_nope"), Rope: r.integer("d_rope"), QueryLatent: r.integer("q_latent"),
		KeyLatent: r.integer("kv_latent"),
		Context:   r.integer("context"), Scale: r.number("scale"), YaRN: r.number("yarn"), QKNorm: r.text("qk_norm"),
		Cap: r.number("cap"), RMS: r.text("norm") == "rmsnorm",
		Scheme: r.text("scheme"), Evidence: r.text("evidence"), fields: r}
	m.Model, m.Key = r.integer("d_model"), r.integer("d_k")
	m.Heads, m.KeyHeads = r.integer("heads"), r.integer("kv_heads")
	// The ledger has scales of six digits. A rounded 1/√d_k is replaced by its exact value.
	if root := 1 / math.Sqrt(float64(m.Key)); strconv.FormatFloat(root, 'g', 6, 64) == r.text("scale") {
		m.Scale = root
	}
	entry := distributions[r.text("distribution")]
	m.Distribution = entry.distribution
	m.QuerySD, m.KeySD = r.number("q_sd"), r.number("k_sd")
	m.queryVariance, m.keyVariance = float64(m.QuerySD*m.QuerySD)*entry.varianceFactor,
		float64(m.KeySD*m.KeySD)*entry.varianceFactor
	return m
}
