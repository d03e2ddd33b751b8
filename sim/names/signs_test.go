package names

import (
	"slices"
	"testing"
)

// TestFindSymbol checks that Find accepts symbols with the right case only, and spaces around a
// name.
func TestFindSymbol(t *testing.T) {
	for symbol, name := range map[string]string{"R": RelativeTrace, "σ": ParamSigma, "ρ": ParamRho} {
		if found := Find(symbol); !slices.ContainsFunc(found, func(e Entry) bool { return e.Name == name }) {
			t.Errorf("Find(%q) is %+v, want the entry of %s", symbol, found, name)
		}
	}
	if found := Find("r"); len(found) > 0 {
		t.Errorf("Find(\"r\") is %+v, want none, since the symbol is R", found)
	}
	if found := Find(" entropy "); len(found) == 0 || found[0].Name != Entropy {
		t.Errorf("Find(\" entropy \") is %+v, want the entry of %s", found, Entropy)
	}
}
