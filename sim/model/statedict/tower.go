package statedict

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/tensor"
)

// candidate is a layer that was opened, or why it cannot be.
type candidate struct {
	found found
	layer *Layer
	err   error
	width int // inputs of W_Q; 0 if not known
	size  int // numbers in W_Q, about if it cannot be opened
}

// tower is the layers that belong together: those of one part of the config, whose stacks have
// widths in common.
type tower struct {
	name       string
	candidates []*candidate
	has        map[string]bool // parts with their stacks, and with their widths
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
	return len(t.candidates) == 0 || copied.MatchString(t.candidates[0].found.prefix)
}

// String says what a tower is.
func (t *tower) String() string {
	return fmt.Sprintf("%s (%s, such as %s, with %d weights of queries)",
		t.name, counted(len(t.candidates), "layer"), t.candidates[0].found.query, t.size())
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// try opens a layer.
func (o *Options) try(files *tensor.Files, config *modelconfig.Config, f found) *candidate {
	c := &candidate{found: f}
	c.layer, c.err = o.open(files, config, f)
	if c.layer != nil {
		c.width, c.size = c.layer.width, c.layer.Heads*c.layer.Dimension*c.layer.width
		return c
	}
	a, err := files.Lookup(f.query)
	if err != nil || len(a.Shape) != 2 {
		return c
	}
	c.width, c.size = a.Shape[1], a.Shape[0]*a.Shape[1]
	if f.query == f.key {
		c.size /= 3
	}
	return c
}

// stack returns the name of an array without its numbers and what follows them.
func stack(f found) string {
	if at := layerAt(f.prefix, f.from); at != nil {
		return f.prefix[:at[0]]
	}
	return f.prefix
}

// copied matches modules of another copy of a model: averaged weights, a teacher.
var copied = regexp.MustCompile(`(?i)(?:^|[./])(?:\w+_)?(?:ema|averaged|teacher|momentum)(?:_\w+)?[./]`)

// keys returns what a layer has in common with others of its tower.
func (c *candidate) keys(config *modelconfig.Config) []string {
	part := copied.FindString(c.found.prefix) + modelconfig.TowerOf(c.found.query)
	if described := config.For(c.found.query); described != nil {
		part += "/" + described.Tower
	}
	keys := []string{part + "|" + stack(c.found)}
	if c.width > 0 {
		keys = append(keys, fmt.Sprintf("%s|%d", part, c.width))
	}
	return keys
}

// towers groups layers.
func towers(config *modelconfig.Config, all []*candidate) (out []*tower) {
	for _, c := range all {
		keys := c.keys(config)
		var home *tower
		out = slices.DeleteFunc(out, func(t *tower) bool {
			if !slices.ContainsFunc(keys, func(key string) bool { return t.has[key] }) {
				return false
			}
			if home == nil {
				home = t
				return false
			}
			home.candidates = append(home.candidates, t.candidates...)
			maps.Copy(home.has, t.has)
			return true
		})
		if home == nil {
			name := cmp.Or(modelconfig.TowerOf(c.found.query), strings.TrimRight(stack(c.found), "./_"), c.found.query)
			home = &tower{name: name, has: map[string]bool{}}
			out = append(out, home)
		}
		home.candidates = append(home.candidates, c)
		for _, key := range keys {
			home.has[key] = true
		}
	}
	return out
}

// choose returns the tower with most weights of queries, of the layers that --tower names if it is
// given, and the others.
func (o *Options) choose(config *modelconfig.Config, all []*candidate) (*tower, []*tower, error) {
	var some, rest []*candidate
	for _, c := range all {
		if strings.Contains(c.found.prefix, o.Tower) {
			some = append(some, c)
		} else {
			rest = append(rest, c)
		}
	}
	if len(some) == 0 {
		var names []string
		for _, t := range towers(config, all) {
			names = append(names, t.name)
		}
		return nil, nil, fmt.Errorf("--tower: no layer is named %s; there are %s", o.Tower, strings.Join(names, ", "))
	}
	most, others := new(tower), towers(config, some)
	for _, t := range others {
		if t.size() > most.size() || t.size() == most.size() && most.isSpare() {
			most = t
		}
	}
	others = slices.DeleteFunc(others, func(t *tower) bool { return t == most })
	return most, append(others, towers(config, rest)...), nil
}
