package inspect

import (
	"fmt"

	"mcsim/sim/attention"
	"mcsim/sim/rule"
)

// Names are those of the arrays of a file. V may be empty, and is then the array V, if
// there is one; Mask may be empty for none.
type Names struct{ Q, K, V, Mask string }

// Read takes the named arrays out of a file.
func Read(archive *Archive, names Names, causal bool, r rule.Rule) (Question, error) {
	if names.V == "" && archive.Has("V") {
		names.V = "V"
	}
	var q, k, v, m Array
	for _, a := range []struct {
		name string
		to   *Array
	}{{names.Q, &q}, {names.K, &k}, {names.V, &v}, {names.Mask, &m}} {
		if a.name == "" {
			continue
		}
		var err error
		if *a.to, err = archive.Array(a.name); err != nil {
			return Question{}, err
		}
	}
	mask := attention.Mask{Causal: causal}
	if names.Mask != "" {
		var err error
		if mask.Added, err = Mask(m); err != nil {
			return Question{}, fmt.Errorf("%s %w", names.Mask, err)
		}
	}
	return NewQuestion(q, k, v, r, mask)
}
