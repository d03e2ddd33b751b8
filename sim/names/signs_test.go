package names

import (
	"slices"
	"strings"
	"testing"
)

// A sign leads to entries of the table, that use it or whose name it begins, and a name with
// spaces around it to its own.
func TestSigns(t *testing.T) {
	for sign := range signs {
		for _, key := range signs[sign] {
			e, ok := Lookup(key[0], key[1])
			if !ok || !slices.Contains(Find(sign), e) || !slices.Contains(Find(" "+sign+" "), e) {
				t.Errorf("%s does not lead to the %s %s", sign, key[0], key[1])
			}
		}
	}
	for sign, name := range map[string]string{"R": GradientSurvival, "σ": ParamSigma, "ρ": ParamRho} {
		if found := Find(sign); len(found) == 0 || found[0].Name != name {
			t.Errorf("%s is found as %+v", sign, found)
		}
	}
	if found := Find(" entropy "); len(found) == 0 || found[0].Name != Entropy || len(Find(strings.ToLower("R"))) > 0 {
		t.Errorf("entropy with spaces is found as %+v", found)
	}
}
