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

func TestMistakes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	of := func(q, k inspect.Vectors, shape []int, name string, split bool) []string {
		s := inspect.Summarise(
			[]inspect.HeadText{measured(t, q, k, inspect.Options{Scale: 1 / math.Sqrt(float64(q.Dimension)), Workers: 1})},
			1,
			inspect.Options{Scale: 1 / math.Sqrt(float64(q.Dimension))},
		)
		return warnings(s, Source{name, "k", shape, shape, split})
	}
	times := func(v inspect.Vectors, x float64) inspect.Vectors {
		for i := range v.Data {
			v.Data[i] *= x
		}
		return v
	}
	q, k := drawn(r, 256, 64, normal), drawn(r, 256, 64, normal)
	wide, other := drawn(r, 600, 768, normal), drawn(r, 600, 768, normal)
	square := times(drawn(r, 768, 768, normal), 0.02)
	for _, c := range []struct {
		says     string
		warnings []string
	}{
		{"", of(q, k, []int{256, 64}, "q", false)},
		{"", of(times(drawn(r, 256, 64, normal), 3), k, []int{1, 1, 256, 64}, "query", false)},
		{"--wq self_attn.q_proj.weight --wk k", of(square, square, []int{768, 768}, "self_attn.q_proj.weight", false)},
		{"--wq q --wk k", of(square, times(drawn(r, 768, 768, normal), 0.02), []int{768, 768}, "q", false)},
		{"--heads 12", of(wide, other, []int{600, 768}, "q", false)},
		{"q.transpose(1, 2)", of(q, k, []int{2, 256, 12, 64}, "q", false)},
		{"the same vectors", of(q, q, []int{256, 64}, "q", false)},
		{"transposed", of(drawn(r, 64, 250, normal), drawn(r, 64, 250, normal), []int{64, 250}, "q", false)},
		{"does not vary", of(times(drawn(r, 256, 64, normal), 0), k, []int{256, 64}, "q", false)},
		{"does not vary", of(constant(256, 64), constant(256, 64), []int{256, 64}, "q", false)},
		{"--scale none", of(times(drawn(r, 256, 64, normal), 1.0/8), k, []int{256, 64}, "q", false)},
	} {
		if said := strings.Join(c.warnings, "; "); c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("%q does not say %q", said, c.says)
		}
	}
}

func constant(rows, d int) inspect.Vectors {
	v := inspect.Vectors{Rows: rows, Dimension: d, Data: make([]float64, rows*d)}
	for i := range v.Data {
		v.Data[i] = 0.1 + 0.3*float64(i%d)
	}
	return v
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		queries, keys, d, blocks int
		paired                   bool
		says                     string
	}{
		{1000, 1000, 64, 1, false, ""}, {1 << 16, 1 << 16, 64, 1, false, ""}, {1<<16 + 1, 1<<16 + 1, 64, 17, false, ""},
		{200_000, 200_000, 64, 8, true, ""}, {39_000_000, 39_000_000, 64, 9522, false, ""}, {39_000_000, 8, 64, 0, false,
			"too many to be kept"},
	} {
		s := &Samples{Queries: c.queries, Keys: c.keys, Dimension: c.d}
		if err := s.setBlocks(c.paired); c.says == "" && (err != nil || s.blocks != c.blocks) || c.says != "" &&
			(err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %d blocks, %v", c, s.blocks, err)
		}
		if from, to := s.rows(s.blocks-1, c.queries); c.says == "" && (to != c.queries || (to-from)*c.d > maxNumbers) {
			t.Errorf("%+v: the last block is %d to %d", c, from, to)
		}
	}
}

func TestFind(t *testing.T) {
	counted := func(shape ...int) values {
		v := values{shape: shape}
		n := 1
		for _, s := range shape {
			n *= s
		}
		for i := range n {
			v.data = append(v.data, float64(i*i*7%256)+1)
		}
		return v
	}
	q, k := counted(2, 5, 12), counted(2, 7, 12)
	s, err := Find(openArrays(t, map[string]values{"q": q, "k": k}), Names{}, 3, 3)
	simtest.Must(t, err)
	simtest.Must(t, s.setBlocks(false))
	m, err := s.read(place{1, 0, 2, s.layers[0]}, 2, inspect.Options{})
	simtest.Must(t, err)
	if s.Texts != 2 || s.Heads != 3 || s.Dimension != 4 || m.q.Rows != 5 || m.k.Rows != 7 ||
		m.q.Row(1)[1] != q.data[60+12+9] {
		t.Errorf("%+v, %v", s.Source, m.q)
	}
	type given = map[string]values
	for says, c := range map[string]struct {
		arrays          given
		names           Names
		heads, keyHeads int
	}{
		"no arrays are named":         {given{"a": q}, Names{}, 0, 0},
		"no array \"z\"":              {given{"q": q, "k": k}, Names{Q: "z", K: "k"}, 0, 0},
		"must be the same":            {given{"q": q, "c": counted(2, 7, 6)}, Names{Q: "q", K: "c"}, 0, 0},
		"say --heads and --kv-heads":  {given{"q": q, "c": counted(2, 7, 6)}, Names{Q: "q", K: "c"}, 0, 0},
		"which 5 heads":               {given{"q": q, "k": k}, Names{}, 5, 5},
		"say --heads":                 {given{"one": counted(2, 5000), "two": counted(2, 5000)}, Names{}, 0, 0},
		"rows × d_k":                  {given{"q": q, "v": counted(7)}, Names{Q: "q", K: "v"}, 0, 0},
		"logits and weights of these": {given{"q": q, "k": k, "logits": counted(2, 5, 5)}, Names{}, 0, 0},
		"average_attn_weights=False": {given{"q": counted(2, 3, 5, 4), "k": counted(2, 3, 7, 4),
			"weights": counted(2, 5, 7)}, Names{}, 0, 0},
		"and so no numbers":          {given{"q": q, "e": {shape: []int{2, 0, 12}}}, Names{Q: "q", K: "e"}, 0, 0},
		"2 heads on its second axis": {given{"q": counted(2, 4, 5, 8), "k": counted(2, 2, 5, 8)}, Names{}, 4, 4},
		"must both have one {}":      {given{"q": q, "k": k}, Names{Q: "q{}", K: "k"}, 0, 0},
		"no array \"h.0.q\"":         {given{"q": q, "k": k}, Names{Q: "h.{}.q", K: "h.{}.k"}, 0, 0},
		"say --q, too":               {given{"l0.q": q, "l0.k": k, "l1.q": q, "l1.k": k}, Names{K: "l0.k"}, 0, 0},
		"needs heads × rows × d_k": {given{"l0.q": counted(5, 8), "l0.k": counted(5, 8), "l1.q": counted(5, 8),
			"l1.k": counted(5, 8)}, Names{}, 0, 0},
		"several arrays are named":    {given{"a.0.q": q, "a.0.k": k, "b.0.q": q, "b.0.k": k}, Names{}, 0, 0},
		"layers judged together must": {given{"l0.q": q, "l0.k": k, "l1.q": counted(2, 6, 12), "l1.k": k}, Names{}, 0, 0},
		"do not both have logits": {given{"l0.q": q, "l0.k": k, "l0.logits": counted(2, 5, 7), "l1.q": q, "l1.k": k},
			Names{}, 0, 0},
	} {
		if _, err := Find(openArrays(t, c.arrays), c.names, c.heads, c.keyHeads); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}

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
			all := map[string]values{"norm.weight": {shape: []int{2}, data: []float64{1, 1}}}
			for _, number := range []string{"2", "10", "0"} {
				for suffix, v := range m.arrays(nil) {
					array := map[string]string{"q": c.query, "k": c.key}[suffix]
					all[strings.ReplaceAll(array, "%", number)] = v
				}
			}
			s, err := Find(openArrays(t, all), c.names, 0, 0)
			simtest.Must(t, err)
			var titles []string
			for _, l := range s.layers {
				titles = append(titles, l.title)
			}
			if strings.Join(titles, " ") != "0 2 10" || s.Heads != 6 || strings.Join(s.unused, " ") != "norm.weight" {
				t.Errorf("layers %q, %d heads, unused %q", titles, s.Heads, s.unused)
			}
		})
	}
}

// A layer that lacks q or k is a caveat.
func TestLoneLayers(t *testing.T) {
	m := newModel(44, 2, 2, 2, 8, 8)
	all := map[string]values{"layer2.q": m.arrays(nil)["q"], "layer3.k": m.arrays(nil)["k"]}
	for suffix, v := range m.arrays(nil) {
		all["layer0."+suffix], all["layer1."+suffix] = v, v
	}
	for _, want := range []string{"without 2 layers that lack q or k", "without 1 layer that lacks q or k"} {
		out, _, err := look(t, all, inspect.Options{})
		simtest.Must(t, err)
		if got := strings.Join(out.Caveats, "; "); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
		delete(all, "layer3.k")
	}
}

func TestHeadsOfLayers(t *testing.T) {
	two, four := newModel(42, 8, 2, 1, 16, 16), newModel(43, 8, 4, 2, 16, 16)
	for i := range four.q {
		four.q[i] *= 3
	}
	all := map[string]values{}
	for name, v := range two.arrays(map[string]values{"logits": two.pairs(func(p at) float64 { return p.score / 4 })}) {
		all["layer0."+name] = v
	}
	for name, v := range four.arrays(map[string]values{"logits": four.pairs(func(p at) float64 { return p.score / 16 })}) {
		all["layer1."+name] = v
	}
	out, a, err := look(t, all, inspect.Options{})
	simtest.Must(t, err)
	if len(out.Heads) != 6 || out.Heads[5].Title() != "layer 1, head 3" || out.Heads[1].Title() != "layer 0, head 1" {
		t.Fatalf("%+v", out.Heads)
	}
	for _, h := range out.Heads {
		want := map[string]float64{"0": 1, "1": 3}[h.Layer]
		if sd := h.LogitSD; !(math.Abs(float64(sd.Value)-want) < 6*float64(sd.SE)) {
			t.Errorf("%s: %v ± %v, want %v", h.Title(), sd.Value, sd.SE, want)
		}
	}
	if a.Verdict != result.Fail || !strings.Contains(a.Diagnosis, "from head to head") {
		t.Errorf("%+v", a)
	}
}

func TestHeadsGiven(t *testing.T) {
	array := func(shape ...int) values {
		n := 1
		for _, s := range shape {
			n *= s
		}
		return values{shape: shape, data: make([]float64, n)}
	}
	for name, c := range map[string]struct {
		q, k            values
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
			s, err := Find(openArrays(t, map[string]values{"q": c.q, "k": c.k}), Names{}, c.heads, c.keyHeads)
			simtest.Must(t, err)
			if got := [4]int{s.Texts, s.Heads, s.layers[0].key.heads, s.Dimension}; got != c.want {
				t.Errorf("texts, heads, heads of keys and d_k %v, want %v", got, c.want)
			}
		})
	}
}

// drawn are rows of independent components.
func drawn(r *rand.Rand, rows, d int, component func(*rand.Rand) float64) inspect.Vectors {
	v := inspect.Vectors{Rows: rows, Dimension: d, Data: make([]float64, rows*d)}
	for i := range v.Data {
		v.Data[i] = component(r)
	}
	return v
}

func normal(r *rand.Rand) float64 { return r.NormFloat64() }

func measured(t *testing.T, q, k inspect.Vectors, o inspect.Options) inspect.HeadText {
	t.Helper()
	p, err := inspect.Measure(q, k, o)
	simtest.Must(t, err)
	return p
}
