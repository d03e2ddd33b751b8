package statedict

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/names"
)

// candidate is a module with its layer. If the layer cannot be opened, it has the error.
type candidate struct {
	module module
	layer  *Layer
	err    error
	width  int // number of inputs of W_Q; 0 if it is not known
	size   int // number of weights in W_Q, estimated if there is no layer
}

// newCandidate opens the layer of a module.
func (o *opener) newCandidate(m module) *candidate {
	c := &candidate{module: m}
	c.layer, c.err = o.open(m)
	if c.layer != nil {
		c.width, c.size = c.layer.width, c.layer.Heads*c.layer.Dimension*c.layer.width
		return c
	}
	a, err := o.files.Lookup(m.queryArray)
	if err != nil || len(a.Shape) != 2 {
		return c
	}
	c.width, c.size = a.Shape[1], a.Shape[0]*a.Shape[1]
	if m.isJoint() {
		c.size /= 3
	}
	return c
}

// tower is a set of layers that belong together, such as the layers of an image encoder. Layers
// with a common group key are in the same tower.
type tower struct {
	name       string
	candidates []*candidate
	groupKeys  map[string]bool // group keys of its layers
}

// size returns the number of weights in W_Q of all layers.
func (t *tower) size() (n int) {
	for _, c := range t.candidates {
		n += c.size
	}
	return n
}

// isCopyOrEmpty reports whether a tower is a copy of another one, or empty.
func (t *tower) isCopyOrEmpty() bool {
	return len(t.candidates) == 0 || copyModule.MatchString(t.candidates[0].module.prefix)
}

// String describes a tower.
func (t *tower) String() string {
	return fmt.Sprintf("%s (%s, such as %s, with %d weights of queries)",
		t.name, names.Count(len(t.candidates), "layer"), t.candidates[0].module.queryArray, t.size())
}

// stack returns the name of a module up to the number of its layer; all layers of a stack have it.
func (m *module) stack() string {
	if span := findLayerNumber(m.prefix, m.numberStart); span != nil {
		return m.prefix[:span[0]]
	}
	return m.prefix
}

// copyModule matches modules of a copy of a model, such as averaged weights or a teacher.
var copyModule = regexp.MustCompile(`(?i)(?:^|[./])(?:\w+_)?(?:ema|averaged|teacher|momentum)(?:_\w+)?[./]`)

// groupKeys returns the group keys of a layer. One consists of the part of the model and the stack,
// and the other, if the width is known, of the part of the model and the width.
func (c *candidate) groupKeys(config *modelconfig.Config) []string {
	part := copyModule.FindString(c.module.prefix) + modelconfig.TowerName(c.module.queryArray)
	if described := config.ForArray(c.module.queryArray); described != nil {
		part += "/" + described.Tower
	}
	keys := []string{part + "|" + c.module.stack()}
	if c.width > 0 {
		keys = append(keys, fmt.Sprintf("%s|%d", part, c.width))
	}
	return keys
}

// groupTowers groups layers into towers: layers with a common group key, directly or through other
// layers, are in the same tower.
func groupTowers(config *modelconfig.Config, candidates []*candidate) (towers []*tower) {
	for _, c := range candidates {
		keys := c.groupKeys(config)
		belongs := func(t *tower) bool {
			return slices.ContainsFunc(keys, func(key string) bool { return t.groupKeys[key] })
		}
		i := slices.IndexFunc(towers, belongs)
		if i < 0 {
			i = len(towers)
			name := cmp.Or(modelconfig.TowerName(c.module.queryArray), strings.TrimRight(c.module.stack(), "./_"),
				c.module.queryArray)
			towers = append(towers, &tower{name: name, groupKeys: map[string]bool{}})
		}
		joined := towers[i] // the towers after it that share a group key are merged into it
		others := slices.DeleteFunc(towers[i+1:], func(t *tower) bool {
			if !belongs(t) {
				return false
			}
			joined.candidates = append(joined.candidates, t.candidates...)
			maps.Copy(joined.groupKeys, t.groupKeys)
			return true
		})
		towers = towers[:i+1+len(others)]
		joined.candidates = append(joined.candidates, c)
		for _, key := range keys {
			joined.groupKeys[key] = true
		}
	}
	return towers
}

// chooseTower returns the tower with the most weights of queries, and the other towers. If --tower
// is given, it chooses only among layers with that text in their names. The layers of the chosen
// tower are sorted by their numbers.
func (o *opener) chooseTower(candidates []*candidate) (chosen *tower, others []*tower, err error) {
	var matching, rest []*candidate
	for _, c := range candidates {
		if strings.Contains(c.module.prefix, o.Tower) {
			matching = append(matching, c)
		} else {
			rest = append(rest, c)
		}
	}
	if len(matching) == 0 {
		known := names.Map(groupTowers(o.config, candidates), func(t *tower) string { return t.name })
		return nil, nil, fmt.Errorf("--tower: no layer is named %s; there are %s", o.Tower, strings.Join(known, ", "))
	}
	chosen, others = new(tower), groupTowers(o.config, matching)
	for _, t := range others {
		if t.size() > chosen.size() || t.size() == chosen.size() && chosen.isCopyOrEmpty() {
			chosen = t
		}
	}
	others = slices.DeleteFunc(others, func(t *tower) bool { return t == chosen })
	slices.SortStableFunc(chosen.candidates, func(a, b *candidate) int {
		return compareNumbered(a.module.prefix, b.module.prefix)
	})
	return chosen, append(others, groupTowers(o.config, rest)...), nil
}
