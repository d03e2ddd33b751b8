package names

import (
	"slices"
	"strings"
	"testing"
)

func TestFindSymbol(t *testing.T) {
	for sign, name := range map[string]string{"R": RelativeTrace, "σ": ParamSigma, "ρ": ParamRho} {
		if found := Find(sign); !slices.ContainsFunc(found, func(e Entry) bool { return e.Name == name }) {
			t.Errorf("%s is found as %+v", sign, found)
		}
	}
	if found := Find(" entropy "); len(found) == 0 || found[0].Name != Entropy || len(Find(strings.ToLower("R"))) > 0 {
		t.Errorf("entropy with spaces is found as %+v", found)
	}
}
