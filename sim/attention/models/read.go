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
var text string

// table is the ledger as rows of fields, the heading first.
var table = sync.OnceValue(func() [][]string {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		panic("models: ledger.csv: " + err.Error())
	}
	return rows
})

func header() []string { return table()[0] }

// ledger is the rows as models.
var ledger = sync.OnceValue(func() (all []Model) {
	for _, fields := range table()[1:] {
		all = append(all, row(fields).model())
	}
	return all
})

// distributions are those of an entry of W_Q and W_K. A normal number cut at three standard deviations
// has 0.97 of its variance, and is drawn as a normal one of that.
var distributions = map[string]struct {
	distribution distribution.Distribution
	variance     float64
}{
	"normal": {distribution.Normal, 1}, "uniform": {distribution.Uniform, 1}, "": {distribution.Normal, 1},
	"truncated":   {distribution.TruncatedNormal, distribution.TruncatedVariance},
	"truncated-3": {distribution.Normal, 0.973337},
}

// row reads the fields of a row. TestFields checks that they can be read.
type row []string

// text returns a field.
func (r row) text(column string) string { return r[slices.Index(header(), column)] }

// number returns a field that is a number; 0 if it is empty.
func (r row) number(column string) float64 {
	x, _ := strconv.ParseFloat(r.text(column), 64)
	return x
}

func (r row) whole(column string) int { return int(r.number(column)) }

// model makes a model of a row.
func (r row) model() Model {
	m := Model{Name: r.text("name"), Alias: r.text("alias"), Year: r.whole("year"),
		Nope: r.whole("d_nope"), Rope: r.whole("d_rope"), QueryLatent: r.whole("q_latent"),
		KeyLatent: r.whole("kv_latent"),
		Context:   r.whole("context"), Scale: r.number("scale"), YaRN: r.number("yarn"), QKNorm: r.text("qk_norm"),
		Cap: r.number("cap"), RMS: r.text("norm") == "rmsnorm",
		Scheme: r.text("scheme"), Evidence: r.text("evidence"), fields: r}
	m.Model, m.Key = r.whole("d_model"), r.whole("d_k")
	m.Heads, m.KeyHeads = r.whole("heads"), r.whole("kv_heads")
	// The ledger rounds the scale to six digits.
	if root := 1 / math.Sqrt(float64(m.Key)); strconv.FormatFloat(root, 'g', 6, 64) == r.text("scale") {
		m.Scale = root
	}
	entry := distributions[r.text("distribution")]
	m.Distribution = entry.distribution
	m.QuerySD, m.KeySD = r.number("q_sd"), r.number("k_sd")
	m.queryVariance, m.keyVariance = float64(m.QuerySD*m.QuerySD)*entry.variance,
		float64(m.KeySD*m.KeySD)*entry.variance
	return m
}
