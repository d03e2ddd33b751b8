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

// candidate is a layer that was opened, or why it cannot be.
type candidate struct {
	module module
	layer  *Layer
	err    error
	width  int // inputs of W_Q; 0 if not known
	size   int // numbers in W_Q, about if it cannot be opened
}

// try opens a layer.
func (o *opener) try(m module) *candidate {
	c := &candidate{module: m}
	if c.layer, c.err = o.open(m); c.layer != nil {
		c.width, c.size = c.layer.width, c.layer.Heads*c.layer.Dimension*c.layer.width
		return c
	}
	a, err := o.files.Lookup(m.query)
	if err != nil || len(a.Shape) != 2 {
		return c
	}
	c.width, c.size = a.Shape[1], a.Shape[0]*a.Shape[1]
	if m.isOne() {
		c.size /= 3
	}
	return c
}

// tower is the layers that belong together: those of one part of the config, whose stacks have
// widths in common.
type tower struct {
	name       string
	candidates []*candidate
	keys       map[string]bool // of its layers
}

// size returns the numbers in all W_Q.
func (t *tower) size() (n int) {
	for _, c := range t.candidates {
		n += c.size
	}
	return n
}

// isSpare reports whether a tower is a copy of another one, or empty.
func (t *tower) isSpare() bool {
	return len(t.candidates) == 0 || copied.MatchString(t.candidates[0].module.prefix)
}

// String says what a tower is.
func (t *tower) String() string {
	return fmt.Sprintf("%s (%s, such as %s, with %d weights of queries)",
		t.name, names.Count(len(t.candidates), "layer"), t.candidates[0].module.query, t.size())
}

// stack returns the name of a module without the number of its layer and what follows.
func (m *module) stack() string {
	if at := layerAt(m.prefix, m.from); at != nil {
		return m.prefix[:at[0]]
	}
	return m.prefix
}

// copied matches modules of another copy of a model: averaged weights, a teacher.
var copied = regexp.MustCompile(`(?i)(?:^|[./])(?:\w+_)?(?:ema|averaged|teacher|momentum)(?:_\w+)?[./]`)

// keys returns what a layer has in common with others of its tower: the part of the model with its
// stack, and with its width.
func (c *candidate) keys(config *modelconfig.Config) []string {
	part := copied.FindString(c.module.prefix) + modelconfig.TowerName(c.module.query)
	if described := config.ForArray(c.module.query); described != nil {
		part += "/" + described.Tower
	}
	keys := []string{part + "|" + c.module.stack()}
	if c.width > 0 {
		keys = append(keys, fmt.Sprintf("%s|%d", part, c.width))
	}
	return keys
}

// towers groups layers that share a key.
func towers(config *modelconfig.Config, all []*candidate) (out []*tower) {
	for _, c := range all {
		keys := c.keys(config)
		isHome := func(t *tower) bool {
			return slices.ContainsFunc(keys, func(key string) bool { return t.keys[key] })
		}
		i := slices.IndexFunc(out, isHome)
		if i < 0 {
			i = len(out)
			name := cmp.Or(modelconfig.TowerName(c.module.query), strings.TrimRight(c.module.stack(), "./_"),
				c.module.query)
			out = append(out, &tower{name: name, keys: map[string]bool{}})
		}
		home := out[i]
		others := slices.DeleteFunc(out[i+1:], func(t *tower) bool {
			if !isHome(t) {
				return false
			}
			home.candidates = append(home.candidates, t.candidates...)
			maps.Copy(home.keys, t.keys)
			return true
		})
		out = out[:i+1+len(others)]
		home.candidates = append(home.candidates, c)
		for _, key := range keys {
			home.keys[key] = true
		}
	}
	return out
}

// choose returns the tower with most weights of queries, of the layers that --tower names if it is
// given, and the others. Its layers are in the order of their numbers.
func (o *opener) choose(all []*candidate) (taken *tower, others []*tower, err error) {
	var some, rest []*candidate
	for _, c := range all {
		if strings.Contains(c.module.prefix, o.Tower) {
			some = append(some, c)
		} else {
			rest = append(rest, c)
		}
	}
	if len(some) == 0 {
		known := names.Map(towers(o.config, all), func(t *tower) string { return t.name })
		return nil, nil, fmt.Errorf("--tower: no layer is named %s; there are %s", o.Tower, strings.Join(known, ", "))
	}
	taken, others = new(tower), towers(o.config, some)
	for _, t := range others {
		if t.size() > taken.size() || t.size() == taken.size() && taken.isSpare() {
			taken = t
		}
	}
	others = slices.DeleteFunc(others, func(t *tower) bool { return t == taken })
	slices.SortStableFunc(taken.candidates, func(a, b *candidate) int {
		return natural(a.module.prefix, b.module.prefix)
	})
	return taken, append(others, towers(o.config, rest)...), nil
}
