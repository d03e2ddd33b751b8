package plan

import (
	"slices"
	"testing"
)

func TestSmaller(t *testing.T) {
	for name, c := range map[string]struct {
		ready  string
		change Change
		want   string
	}{
		"whole":           {"default", Change{}, "quick"},
		"full":            {"full", Change{}, "quick"},
		"part":            {"default", Change{Selection: []string{"exponents"}}, "quick"},
		"other tolerance": {"default", Change{Tolerance: 0.05}, ""},
	} {
		text, err := Embedded(c.ready)
		must(t, err)
		p, err := c.change.Parse(c.ready, text)
		must(t, err)
		p.Seed = 8
		got := p.Smaller()
		if c.want == "" && got != nil ||
			c.want != "" && (got == nil || got.Name != c.want || !slices.Equal(got.Selection, p.Selection)) {
			t.Errorf("%s: the smaller sibling is %+v", name, got)
		}
	}
}
