package models

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
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

// ledger is the rows as models. What cannot be one is a mistake in the file, which is built in.
var ledger = sync.OnceValue(func() (all []Model) {
	for i, fields := range table()[1:] {
		m, err := read(fields)
		if err != nil {
			panic(fmt.Sprintf("models: ledger.csv: row %d: %v", i+2, err))
		}
		all = append(all, m)
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
	"truncated": {distribution.TruncatedNormal, distribution.TruncatedVariance}, "truncated-3": {distribution.Normal, 0.973337},
}

// reader reads fields, and keeps the first error.
type reader struct {
	fields []string
	err    error
}

// fail keeps an error about a column.
func (r *reader) fail(column string, err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("%s: %w", column, err)
	}
}

// text is a field.
func (r *reader) text(column string) string { return r.fields[slices.Index(header(), column)] }

// one is a field that is one of some words.
func (r *reader) one(column string, of string) string {
	s := r.text(column)
	if s != "" && !slices.Contains(strings.Split(of, " "), s) {
		r.fail(column, fmt.Errorf("%q is none of %s", s, of))
	}
	return s
}

// number is a field that is a number from 0 on; 0 if it is empty.
func (r *reader) number(column string) float64 {
	s := r.text(column)
	if s == "" {
		return 0
	}
	x, err := strconv.ParseFloat(s, 64)
	if err == nil && !(x >= 0) {
		err = fmt.Errorf("%s is below 0", s)
	}
	r.fail(column, err)
	return x
}

func (r *reader) whole(column string) int { return int(r.number(column)) }

// read makes a model of a row.
func read(fields []string) (Model, error) {
	r := &reader{fields: fields}
	m := Model{Name: r.text("name"), Alias: r.text("alias"), Year: r.whole("year"),
		Nope: r.whole("d_nope"), Rope: r.whole("d_rope"), QueryLatent: r.whole("q_latent"), KeyLatent: r.whole("kv_latent"),
		Context: r.whole("context"), Scale: r.number("scale"), YaRN: r.number("yarn"), QKNorm: r.one("qk_norm", heldNorms),
		Cap: r.number("cap"), RMS: r.one("norm", heldByTokens) == rmsNorm,
		Scheme: r.text("scheme"), Evidence: r.text("evidence"), fields: fields}
	m.Model, m.Key = r.whole("d_model"), r.whole("d_k")
	m.Heads, m.KeyHeads = r.whole("heads"), r.whole("kv_heads")
	// The ledger rounds the scale to six digits.
	if root := 1 / math.Sqrt(float64(m.Key)); strconv.FormatFloat(root, 'g', 6, 64) == r.text("scale") {
		m.Scale = root
	}
	entry, ok := distributions[r.text("distribution")]
	if !ok {
		r.fail("distribution", fmt.Errorf("%q is no distribution of entries", r.text("distribution")))
	}
	m.Distribution = entry.distribution
	m.QuerySD, m.KeySD = r.number("q_sd"), r.number("k_sd")
	m.queryVariance, m.keyVariance = float64(m.QuerySD*m.QuerySD)*entry.variance, float64(m.KeySD*m.KeySD)*entry.variance
	if !slices.Contains(names.Evidences, m.Evidence) {
		r.fail("evidence", fmt.Errorf("%q is none of %s", m.Evidence, strings.Join(names.Evidences, ", ")))
	}
	return m, r.err
}
