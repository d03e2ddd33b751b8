package plan

import (
	"slices"
	"testing"
)

// TestSmaller checks that Smaller returns the quick plan with the same selection for a ready plan,
// whatever the seed. It must return nil if the tolerance was changed.
func TestSmaller(t *testing.T) {
	for name, c := range map[string]struct {
		ready  string
		change Change
		want   string // name of the smaller plan; "" for none
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
		if c.want == "" {
			if got != nil {
				t.Errorf("%s: the smaller plan is %s, want none", name, got.Name)
			}
			continue
		}
		if got == nil || got.Name != c.want || !slices.Equal(got.Selection, p.Selection) {
			t.Errorf("%s: the smaller plan is %+v, want %s with the selection %q", name, got, c.want, p.Selection)
		}
	}
}
