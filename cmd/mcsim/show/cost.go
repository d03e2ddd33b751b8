package show

import (
	"fmt"
	"io"

	"mcsim/cmd/mcsim/screen"
	"mcsim/report/digits"
	"mcsim/sim/cost"
	"mcsim/sim/names"
)

// Cost prints what a layer takes: a table of its steps, and below it what it stores.
func Cost(w io.Writer, l cost.Layer) error {
	screen.Say(w, "One attention layer for %s: D = %s, h = %s heads of queries, g = %s of keys and values, d_k = %s, d_v = %s%s.",
		Counted(int(l.Context), "token"), digits.Count(l.Model), digits.Count(l.Heads), digits.Count(l.KeyHeads), digits.Count(l.Key), digits.Count(l.Value), masked(l))
	fmt.Fprintln(w)
	t := screen.NewColumns(w)
	fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", names.ParamPart, names.ColumnOperations, names.ColumnShare, names.ColumnGrowth, names.ColumnWeightBytes, names.ColumnMadeBytes)
	all := l.Operations()
	for _, p := range l.Parts() {
		fmt.Fprintf(t, "%s\t%s\t%s\t×%s\t%s\t%s\n", p.Name, digits.Count(p.Operations), share(p.Operations, all), digits.Places(p.Growth, 2), stored(p.Weights), stored(p.Made))
	}
	fmt.Fprintf(t, "%s\t%s\t100 %%\t×%s\t%s\n", names.PartWhole, digits.Count(all), digits.Places(l.Growth(), 2), stored(l.WeightBytes()))
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	screen.Say(w, "From %s on, scores and blend take as many operations as the projections, or more.", Counted(int(l.Crossing()), "token"))
	screen.Say(w, "In numbers of %s: all scores %s%s, in tiles of %d × %d %s; keys and values %s.",
		Counted(int(l.Bytes), "byte"), digits.Count(l.ScoreBytes()), hidden(l), cost.TileSide, cost.TileSide, digits.Count(l.TileBytes()), digits.Count(l.CacheBytes()))
	return nil
}

// masked says that a mask is causal.
func masked(l cost.Layer) string {
	if l.Causal {
		return ", causal"
	}
	return ""
}

// hidden says that bytes of all scores are those of the ones too that a mask hides.
func hidden(l cost.Layer) string {
	if l.Causal {
		return " with those that the mask hides"
	}
	return ""
}

// share is a part of the whole in percent.
func share(part, whole int64) string {
	return digits.Decimals(100*float64(part)/float64(whole), 1) + " %"
}

// stored writes bytes, and nothing for none.
func stored(bytes int64) string {
	if bytes == 0 {
		return digits.None
	}
	return digits.Count(bytes)
}

// GivenCost is the same as JSON.
type GivenCost struct {
	Context    int64      `json:"context"`
	Model      int64      `json:"d_model"`
	Key        int64      `json:"d_k"`
	Value      int64      `json:"d_v"`
	Heads      int64      `json:"heads"`
	KeyHeads   int64      `json:"kv_heads"`
	Bytes      int64      `json:"bytes_per_number"`
	Causal     bool       `json:"causal"`
	Operations int64      `json:"operations"`
	Growth     float64    `json:"growth"`
	Crossing   int64      `json:"crossing"`
	Weights    int64      `json:"weight_bytes"`
	Scores     int64      `json:"score_matrix_bytes"`
	Tiles      int64      `json:"score_tile_bytes"`
	Cache      int64      `json:"kv_bytes"`
	Parts      []partJSON `json:"parts"`
}

type partJSON struct {
	Part       string  `json:"part"`
	Operations int64   `json:"operations"`
	Share      float64 `json:"share"`
	Growth     float64 `json:"growth"`
	Weights    int64   `json:"weight_bytes"`
	Made       int64   `json:"made_bytes"`
}

// NewCost counts a layer for JSON.
func NewCost(l cost.Layer) *GivenCost {
	out := &GivenCost{Context: l.Context, Model: l.Model, Key: l.Key, Value: l.Value, Heads: l.Heads, KeyHeads: l.KeyHeads, Bytes: l.Bytes, Causal: l.Causal,
		Operations: l.Operations(), Growth: l.Growth(), Crossing: l.Crossing(),
		Weights: l.WeightBytes(), Scores: l.ScoreBytes(), Tiles: l.TileBytes(), Cache: l.CacheBytes()}
	for _, p := range l.Parts() {
		out.Parts = append(out.Parts, partJSON{p.Name, p.Operations, float64(p.Operations) / float64(out.Operations), p.Growth, p.Weights, p.Made})
	}
	return out
}
