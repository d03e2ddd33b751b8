package samples

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// TestMistakes checks the warnings for likely mistakes in the arrays of queries and keys.
func TestMistakes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	warningsFor := func(q, k inspect.Vectors, shape []int, name string, split bool) []string {
		s := inspect.Summarise(
			[]inspect.HeadText{measure(t, q, k,
				inspect.Options{Scale: 1 / math.Sqrt(float64(q.Dimension)), Workers: 1})},
			1,
			inspect.Options{Scale: 1 / math.Sqrt(float64(q.Dimension))},
		)
		return newWarnings(s, Source{name, "k", shape, shape, split})
	}
	scale := func(v inspect.Vectors, x float64) inspect.Vectors {
		for i := range v.Data {
			v.Data[i] *= x
		}
		return v
	}
	q, k := sampleVectors(r, 256, 64, normal), sampleVectors(r, 256, 64, normal)
	wideQueries, wideKeys := sampleVectors(r, 600, 768, normal), sampleVectors(r, 600, 768, normal)
	square := scale(sampleVectors(r, 768, 768, normal), 0.02)
	for _, c := range []struct {
		want     string
		warnings []string
	}{
		{"", warningsFor(q, k, []int{256, 64}, "q", false)},
		{"", warningsFor(scale(sampleVectors(r, 256, 64, normal), 3), k, []int{1, 1, 256, 64}, "query", false)},
		{"--wq self_attn.q_proj.weight --wk k",
			warningsFor(square, square, []int{768, 768}, "self_attn.q_proj.weight", false)},
		{"--wq q --wk k", warningsFor(square, scale(sampleVectors(r, 768, 768, normal), 0.02), []int{768, 768}, "q",
			false)},
		{"--heads 12", warningsFor(wideQueries, wideKeys, []int{600, 768}, "q", false)},
		{"q.transpose(1, 2)", warningsFor(q, k, []int{2, 256, 12, 64}, "q", false)},
		{"the same vectors", warningsFor(q, q, []int{256, 64}, "q", false)},
		{"transposed", warningsFor(sampleVectors(r, 64, 250, normal), sampleVectors(r, 64, 250, normal),
			[]int{64, 250}, "q",
			false)},
		{"does not vary", warningsFor(scale(sampleVectors(r, 256, 64, normal), 0), k, []int{256, 64}, "q", false)},
		{"does not vary", warningsFor(newConstantVectors(256, 64), newConstantVectors(256, 64), []int{256, 64}, "q",
			false)},
		{"--scale none", warningsFor(scale(sampleVectors(r, 256, 64, normal), 1.0/8), k, []int{256, 64}, "q", false)},
	} {
		got := strings.Join(c.warnings, "; ")
		switch {
		case c.want == "" && got != "":
			t.Errorf("the warnings are %q, want none", got)
		case !strings.Contains(got, c.want):
			t.Errorf("the warnings are %q, want them to contain %q", got, c.want)
		}
	}
}

// newConstantVectors returns rows that are all equal.
func newConstantVectors(rows, d int) inspect.Vectors {
	v := inspect.Vectors{Rows: rows, Dimension: d, Data: make([]float64, rows*d)}
	for i := range v.Data {
		v.Data[i] = 0.1 + 0.3*float64(i%d)
	}
	return v
}

// TestBlocks checks the number of blocks into which a head is divided, and the size of the last
// block.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		queries, keys, d, blocks int
		paired                   bool
		want                     string
	}{
		{1000, 1000, 64, 1, false, ""}, {1 << 16, 1 << 16, 64, 1, false, ""}, {1<<16 + 1, 1<<16 + 1, 64, 17, false, ""},
		{200_000, 200_000, 64, 8, true, ""}, {39_000_000, 39_000_000, 64, 9522, false, ""},
		{39_000_000, 8, 64, 0, false,
			"too many for memory"},
	} {
		s := &Samples{Queries: c.queries, Keys: c.keys, Dimension: c.d}
		err := s.setBlocks(c.paired)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: the error is %v, want %q", c, err, c.want)
			}
			continue
		}
		if err != nil || s.blocks != c.blocks {
			t.Errorf("%+v: got %d blocks (error %v), want %d", c, s.blocks, err, c.blocks)
		}
		start, end := s.rowRange(s.blocks-1, c.queries)
		if end != c.queries {
			t.Errorf("%+v: the last block ends at row %d, want %d", c, end, c.queries)
		}
		if size := (end - start) * c.d; size > maxNumbers {
			t.Errorf("%+v: the last block has %d numbers, want %d at most", c, size, maxNumbers)
		}
	}
}

// TestFind checks how Find splits an array into heads, and its errors.
func TestFind(t *testing.T) {
	newArray := func(shape ...int) testArray {
		v := testArray{shape: shape}
		n := 1
		for _, s := range shape {
			n *= s
		}
		for i := range n {
			v.data = append(v.data, float64(i*i*7%256)+1)
		}
		return v
	}
	q, k := newArray(2, 5, 12), newArray(2, 7, 12)
	s, err := Find(openArrays(t, map[string]testArray{"q": q, "k": k}), Names{}, 3, 3)
	simtest.Must(t, err)
	simtest.Must(t, s.setBlocks(false))
	m, err := s.readBlock(headBlock{1, 0, 2, s.layers[0]}, 2, inspect.Options{})
	simtest.Must(t, err)
	if s.Texts != 2 || s.Heads != 3 || s.Dimension != 4 || m.q.Rows != 5 || m.k.Rows != 7 ||
		m.q.Row(1)[1] != q.data[60+12+9] {
		t.Errorf("got %d texts, %d heads, d_k = %d, %d queries and %d keys, want 2, 3, 4, 5 and 7; queries %v",
			s.Texts, s.Heads, s.Dimension, m.q.Rows, m.k.Rows, m.q)
	}
	type arraysByName = map[string]testArray
	for want, c := range map[string]struct {
		arrays          arraysByName
		names           Names
		heads, keyHeads int
	}{
		"no arrays are named":        {arraysByName{"a": q}, Names{}, 0, 0},
		"no array \"z\"":             {arraysByName{"q": q, "k": k}, Names{Q: "z", K: "k"}, 0, 0},
		"must be the same":           {arraysByName{"q": q, "c": newArray(2, 7, 6)}, Names{Q: "q", K: "c"}, 0, 0},
		"say --heads and --kv-heads": {arraysByName{"q": q, "c": newArray(2, 7, 6)}, Names{Q: "q", K: "c"}, 0, 0},
		"which 5 heads":              {arraysByName{"q": q, "k": k}, Names{}, 5, 5},
		"say --heads": {arraysByName{"one": newArray(2, 5000), "two": newArray(2, 5000)}, Names{}, 0,
			0},
		"rows × d_k":                  {arraysByName{"q": q, "v": newArray(7)}, Names{Q: "q", K: "v"}, 0, 0},
		"logits and weights of these": {arraysByName{"q": q, "k": k, "logits": newArray(2, 5, 5)}, Names{}, 0, 0},
		"average_attn_weights=False": {arraysByName{"q": newArray(2, 3, 5, 4), "k": newArray(2, 3, 7, 4),
			"weights": newArray(2, 5, 7)}, Names{}, 0, 0},
		"and so no numbers": {arraysByName{"q": q, "e": {shape: []int{2, 0, 12}}}, Names{Q: "q", K: "e"}, 0,
			0},
		"2 heads on its second axis": {arraysByName{"q": newArray(2, 4, 5, 8), "k": newArray(2, 2, 5, 8)}, Names{}, 4,
			4},
		"must both have one {}": {arraysByName{"q": q, "k": k}, Names{Q: "q{}", K: "k"}, 0, 0},
		"no array \"h.0.q\"":    {arraysByName{"q": q, "k": k}, Names{Q: "h.{}.q", K: "h.{}.k"}, 0, 0},
		"say --q, too": {arraysByName{"l0.q": q, "l0.k": k, "l1.q": q, "l1.k": k}, Names{K: "l0.k"}, 0,
			0},
		"needs heads × rows × d_k": {arraysByName{"l0.q": newArray(5, 8), "l0.k": newArray(5, 8),
			"l1.q": newArray(5, 8),
			"l1.k": newArray(5, 8)}, Names{}, 0, 0},
		"several arrays are named": {arraysByName{"a.0.q": q, "a.0.k": k, "b.0.q": q, "b.0.k": k}, Names{}, 0, 0},
		"layers judged together must": {arraysByName{"l0.q": q, "l0.k": k, "l1.q": newArray(2, 6, 12), "l1.k": k},
			Names{}, 0, 0},
		"do not both have logits": {arraysByName{"l0.q": q, "l0.k": k, "l0.logits": newArray(2, 5, 7), "l1.q": q,
			"l1.k": k},
			Names{}, 0, 0},
	} {
		if _, err := Find(openArrays(t, c.arrays), c.names, c.heads, c.keyHeads); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want it to contain %q", err, want)
		}
	}
}

// TestLayers checks that layers are found by names with a number, and sorted by that number.
func TestLayers(t *testing.T) {
	m := newModel(41, 2, 2, 2, 8, 8)
	for name, c := range map[string]struct {
		query, key string // % is the number of a layer
		names      Names
	}{
		"layer0.q":         {"layer%.q", "layer%.k", Names{}},
		"layers.0.q":       {"layers.%.q", "layers.%.k", Names{}},
		"q0":               {"q%", "k%", Names{}},
		"query_states_0":   {"query_states_%", "key_states_%", Names{}},
		"block_0_query":    {"block_%_query", "block_%_key", Names{}},
		"by names with {}": {"h.%.xs", "h.%.ys", Names{Q: "h.{}.xs", K: "h.{}.ys"}},
	} {
		t.Run(name, func(t *testing.T) {
			arrays := map[string]testArray{"norm.weight": {shape: []int{2}, data: []float64{1, 1}}}
			for _, number := range []string{"2", "10", "0"} {
				for suffix, v := range m.arrays(nil) {
					array := map[string]string{"q": c.query, "k": c.key}[suffix]
					arrays[strings.ReplaceAll(array, "%", number)] = v
				}
			}
			s, err := Find(openArrays(t, arrays), c.names, 0, 0)
			simtest.Must(t, err)
			var titles []string
			for _, l := range s.layers {
				titles = append(titles, l.title)
			}
			if strings.Join(titles, " ") != "0 2 10" || s.Heads != 6 || strings.Join(s.unused, " ") != "norm.weight" {
				t.Errorf("got the layers %q, %d heads and the unused arrays %q, want 0 2 10, 6 and norm.weight",
					titles, s.Heads, s.unused)
			}
		})
	}
}

func TestIncompleteLayers(t *testing.T) {
	m := newModel(44, 2, 2, 2, 8, 8)
	arrays := map[string]testArray{"layer2.q": m.arrays(nil)["q"], "layer3.k": m.arrays(nil)["k"]}
	for suffix, v := range m.arrays(nil) {
		arrays["layer0."+suffix], arrays["layer1."+suffix] = v, v
	}
	for _, want := range []string{"without 2 layers that lack q or k", "without 1 layer that lacks q or k"} {
		summary, _, err := measureSamples(t, arrays, inspect.Options{})
		simtest.Must(t, err)
		if got := strings.Join(summary.Caveats, "; "); !strings.Contains(got, want) {
			t.Errorf("the caveats are %q, want them to contain %q", got, want)
		}
		delete(arrays, "layer3.k")
	}
}

// TestHeadsOfLayers checks the titles, the logits and the factor of layers that differ in their
// numbers of heads.
func TestHeadsOfLayers(t *testing.T) {
	two, four := newModel(42, 8, 2, 1, 16, 16), newModel(43, 8, 4, 2, 16, 16)
	for i := range four.q {
		four.q[i] *= 3
	}
	arrays := map[string]testArray{}
	rightLogits := two.computePairs(func(p scoredPair) float64 { return p.score / 4 })
	for name, v := range two.arrays(map[string]testArray{"logits": rightLogits}) {
		arrays["layer0."+name] = v
	}
	wrongLogits := four.computePairs(func(p scoredPair) float64 { return p.score / 16 })
	for name, v := range four.arrays(map[string]testArray{"logits": wrongLogits}) {
		arrays["layer1."+name] = v
	}
	summary, a, err := measureSamples(t, arrays, inspect.Options{})
	simtest.Must(t, err)
	if len(summary.Heads) != 6 || summary.Heads[5].Title() != "layer 1, head 3" ||
		summary.Heads[1].Title() != "layer 0, head 1" {
		t.Fatalf("got the heads %+v, want 6 with the titles \"layer 0, head 1\" at 1 and \"layer 1, head 3\" at 5",
			summary.Heads)
	}
	for _, h := range summary.Heads {
		want := map[string]float64{"0": 1, "1": 3}[h.Layer]
		if sd := h.LogitSD; !(math.Abs(float64(sd.Value)-want) < 6*float64(sd.SE)) {
			t.Errorf("%s: the standard deviation of logits is %v ± %v, want %v", h.Title(), sd.Value, sd.SE, want)
		}
	}
	if a.Verdict != result.Fail || !strings.Contains(a.Diagnosis, "from head to head") {
		t.Errorf("got %s and %q, want fail and \"from head to head\"", a.Verdict, a.Diagnosis)
	}
}

// TestNumbersOfHeads checks how given numbers of heads split arrays of three and four axes.
func TestNumbersOfHeads(t *testing.T) {
	array := func(shape ...int) testArray {
		n := 1
		for _, s := range shape {
			n *= s
		}
		return testArray{shape: shape, data: make([]float64, n)}
	}
	for name, c := range map[string]struct {
		q, k            testArray
		heads, keyHeads int
		want            [4]int // texts, heads, heads of keys, d_k
	}{
		"of four axes":           {array(3, 8, 5, 32), array(3, 2, 5, 32), 8, 2, [4]int{3, 8, 2, 32}},
		"of keys alone":          {array(3, 8, 5, 32), array(3, 2, 5, 32), 0, 2, [4]int{3, 8, 2, 32}},
		"of three axes":          {array(8, 5, 64), array(8, 5, 64), 8, 8, [4]int{1, 8, 8, 64}},
		"of three, shared":       {array(8, 5, 32), array(2, 5, 32), 8, 2, [4]int{1, 8, 2, 32}},
		"side by side":           {array(8, 5, 512), array(8, 5, 128), 8, 2, [4]int{8, 8, 2, 64}},
		"of four, queries alone": {array(3, 8, 5, 32), array(3, 2, 5, 32), 8, 0, [4]int{3, 8, 2, 32}},
		"of three, queries":      {array(8, 5, 32), array(2, 5, 32), 8, 0, [4]int{1, 8, 2, 32}},
		"of three, keys":         {array(8, 5, 32), array(2, 5, 32), 0, 2, [4]int{1, 8, 2, 32}},
		"side by side, queries":  {array(8, 5, 512), array(8, 5, 128), 8, 0, [4]int{8, 8, 2, 64}},
		"side by side, keys":     {array(8, 5, 512), array(8, 5, 128), 0, 2, [4]int{8, 8, 2, 64}},
		"side by side, one text": {array(5, 512), array(5, 512), 8, 8, [4]int{1, 8, 8, 64}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Find(openArrays(t, map[string]testArray{"q": c.q, "k": c.k}), Names{}, c.heads, c.keyHeads)
			simtest.Must(t, err)
			if got := [4]int{s.Texts, s.Heads, s.layers[0].key.heads, s.Dimension}; got != c.want {
				t.Errorf("the numbers of texts, heads and heads of keys, and d_k, are %v, want %v", got, c.want)
			}
		})
	}
}

// sampleVectors returns rows of independent components.
func sampleVectors(r *rand.Rand, rows, d int, component func(*rand.Rand) float64) inspect.Vectors {
	v := inspect.Vectors{Rows: rows, Dimension: d, Data: make([]float64, rows*d)}
	for i := range v.Data {
		v.Data[i] = component(r)
	}
	return v
}

func normal(r *rand.Rand) float64 { return r.NormFloat64() }

func measure(t *testing.T, q, k inspect.Vectors, o inspect.Options) inspect.HeadText {
	t.Helper()
	p, err := inspect.Measure(q, k, o)
	simtest.Must(t, err)
	return p
}
