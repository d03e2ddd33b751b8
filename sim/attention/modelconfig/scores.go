package modelconfig

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Scores describes how the attention of a layer computes logits from q·k.
type Scores struct {
	Terms    []Term   // factors of q·k, whose product is Factor
	Cap      float64  // logits become Cap·tanh(logit/Cap); 0 means no cap
	Norm     string   // norm of queries and keys, in words; empty if none is known
	Sink     string   // sinks of a row of softmax, in words; empty means none
	Position string   // temperature that depends on the position, in words; empty means none
	Open     []string // effects on logits that are not a single factor, or two readings of the config
	Unused   []string // keys, with values, that may concern the scale and are not understood
	Source   string   // the file or the ledger; empty if there is neither
	Assumed  bool     // the factor is the default, because nothing is known about the model
}

// Term is one factor of q·k.
type Term struct {
	Value float64
	Text  string // formula, such as 64^(-1/2)
}

// limitWords begin the part of Norm about limits of the components of q and k.
const limitWords = "components limited to ±"

// Factor returns the product of the terms.
func (s Scores) Factor() float64 {
	factor := 1.0
	for _, t := range s.Terms {
		factor = float64(factor * t.Value)
	}
	return factor
}

// NewRootScores returns the scores of a model that divides q·k by √d_k, as most models do.
func NewRootScores(dimension int) Scores {
	s := Scores{Assumed: true}
	resolver{scores: &s}.divideByRoot(float64(dimension), "")
	return s
}

// Formula returns the product of the terms as text, such as 64^(-1/2) × 1.5, and 1 if there are no
// terms.
func (s Scores) Formula() string {
	var texts []string
	for _, t := range s.Terms {
		texts = append(texts, t.Text)
	}
	if len(texts) == 0 {
		return "1"
	}
	return strings.Join(texts, " × ")
}

// String returns all fields in one line: multiply q·k by 0.125 = 64^(-1/2); cap none; …
func (s Scores) String() string {
	factor, formula := fmt.Sprintf("%.4g", s.Factor()), s.Formula()
	parts := []string{"multiply q·k by " + factor}
	switch {
	case strings.HasPrefix(formula, factor+" ("):
		parts[0] = "multiply q·k by " + formula
	case formula != factor:
		parts[0] += " = " + formula
	}
	if s.Assumed {
		parts[0] += ", which is assumed"
	}
	if len(s.Terms) == 0 && len(s.Open) > 0 {
		parts[0] = "no single factor of q·k"
	}
	limit := "none"
	if s.Cap > 0 {
		limit = fmt.Sprintf("%g·tanh(logit/%g)", s.Cap, s.Cap)
	}
	parts = append(parts, "cap "+limit)
	for _, extra := range []struct{ name, text string }{
		{"qk-norm", s.Norm}, {"sink", s.Sink}, {"by position", s.Position},
		{"besides", strings.Join(s.Open, "; ")}, {"not understood", strings.Join(s.Unused, ", ")},
	} {
		if extra.text != "" {
			parts = append(parts, extra.name+": "+extra.text)
		}
	}
	return strings.Join(parts, "; ")
}

// AssumedScale is the caveat for a model that is not known.
const AssumedScale = "with the usual scale, which is assumed"

// Caveats returns phrases that follow a verdict about logits of Factor and name the effects that it
// ignores.
func (s Scores) Caveats() (caveats []string) {
	if s.Assumed {
		caveats = append(caveats, AssumedScale)
	}
	if s.Cap > 0 {
		caveats = append(caveats, "before the soft cap")
	}
	if s.Sink != "" {
		caveats = append(caveats, "without the sinks")
	}
	if s.Position != "" {
		caveats = append(caveats, "without the temperature by position")
	}
	if strings.Contains(s.Norm, limitWords) {
		caveats = append(caveats, "before components are limited")
	}
	return caveats
}

// Doubts returns the reasons against any verdict about logits of Factor only: open effects or
// readings, and keys that are not understood. Caveats are not doubts.
func (s Scores) Doubts() []string {
	doubts := append([]string{}, s.Open...)
	for _, key := range s.Unused {
		doubts = append(doubts, "the config's "+key+" is not understood")
	}
	return doubts
}

// Scores returns how a layer computes logits, for its index and its d_k. A nil Config gives
// NewRootScores.
func (c *Config) Scores(layer, dimension int) Scores {
	if c == nil {
		return NewRootScores(dimension)
	}
	s := &Scores{Source: c.Path}
	r := resolver{c, s, layer, float64(dimension)}
	r.addScale()
	r.addMultipliers()
	r.addRope()
	r.addExtras()
	s.Unused = c.unused()
	if f := s.Factor(); c.err == nil && !(f > 0 && !math.IsInf(f, 1)) {
		c.err = fmt.Errorf("%s: q·k would be multiplied by %s; a factor is more than 0 and finite", c.Path, s.Formula())
	}
	return *s
}

// scaleWord matches names of keys that may concern the scale, and harmless matches those of them
// that do not.
var (
	scaleWord = regexp.MustCompile(`(?i)scal|multiplier|factor|cap(s|ped|ping)?(_|$)|norm|temperature|mup`)
	harmless  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)" + strings.Join(keys()["harmless"], "|"))
	})
)

// unused returns the keys, with values, that may concern the scale and were not looked up. A key
// that is null or false is ignored.
func (c *Config) unused() (unused []string) {
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		unused = append(unused, c.unusedIn(key, c.values[key])...)
	}
	return unused
}

// unusedIn returns the unused keys of a value: the key itself, or the keys of a nested object that
// is not a tower.
func (c *Config) unusedIn(key string, value any) (unused []string) {
	object, nested := value.(map[string]any)
	if nested && !strings.Contains(key, ".") && !isTower(key) {
		for _, inner := range slices.Sorted(maps.Keys(object)) {
			unused = append(unused, c.unusedIn(key+"."+inner, object[inner])...)
		}
		return unused
	}
	name := key[strings.LastIndexByte(key, '.')+1:]
	hasMeaning := !nested && value != nil && value != false && !c.read[key]
	if !hasMeaning || !scaleWord.MatchString(name) || harmless().MatchString(name) {
		return nil
	}
	return []string{fmt.Sprintf("%s = %v", key, value)}
}
