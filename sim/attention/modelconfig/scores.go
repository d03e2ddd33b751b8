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
	Terms      []Term   // factors of q·k, whose product is Factor
	Cap        float64  // logits become Cap·tanh(logit/Cap); 0 means no cap
	Norm       string   // norm of queries and keys, in words; empty if none is known
	Sink       string   // sinks of a row of softmax, in words; empty means none
	Position   string   // temperature that depends on the position, in words; empty means none
	Unresolved []string // effects that are not a single factor of q·k, and ambiguities of the config
	Unused     []string // keys that may concern the scale and are not understood, with their values
	Source     string   // path of the config, or "the ledger" of released models; empty if there is neither
	Assumed    bool     // the factor is the default, because nothing is known about the model
}

// Term is one factor of q·k.
type Term struct {
	Value float64
	Text  string // formula, such as 64^(-1/2)
}

// limitPrefix begins the part of Norm about limits of the components of q and k.
const limitPrefix = "components limited to ±"

// Factor returns the product of the terms.
func (s Scores) Factor() float64 {
	factor := 1.0
	for _, t := range s.Terms {
		factor = float64(factor * t.Value)
	}
	return factor
}

// NewRootScores returns the Scores of an unknown model, which is assumed to divide q·k by √d_k.
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
	softCap := "none"
	if s.Cap > 0 {
		softCap = fmt.Sprintf("%g·tanh(logit/%g)", s.Cap, s.Cap)
	}
	parts := []string{s.factorText(), "cap " + softCap}
	for _, extra := range []struct{ name, text string }{
		{"qk-norm", s.Norm}, {"sink", s.Sink}, {"by position", s.Position},
		{"besides", strings.Join(s.Unresolved, "; ")}, {"not understood", strings.Join(s.Unused, ", ")},
	} {
		if extra.text != "" {
			parts = append(parts, extra.name+": "+extra.text)
		}
	}
	return strings.Join(parts, "; ")
}

// factorText returns the factor with its formula, such as "multiply q·k by 0.125 = 64^(-1/2)".
func (s Scores) factorText() string {
	if len(s.Terms) == 0 && len(s.Unresolved) > 0 {
		return "no single factor of q·k"
	}
	factor, formula := fmt.Sprintf("%.4g", s.Factor()), s.Formula()
	text := "multiply q·k by " + factor
	switch {
	case strings.HasPrefix(formula, factor+" ("): // the formula is the factor with a remark
		text = "multiply q·k by " + formula
	case formula != factor:
		text += " = " + formula
	}
	if s.Assumed {
		text += ", which is assumed"
	}
	return text
}

// AssumedScale is the caveat for a model that is not known.
const AssumedScale = "with the usual scale, which is assumed"

// Caveats returns phrases for the end of a statement about the logits Factor·q·k. They name the
// effects that the statement ignores.
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
	if strings.Contains(s.Norm, limitPrefix) {
		caveats = append(caveats, "before components are limited")
	}
	return caveats
}

// Doubts returns the reasons not to make any statement about the logits Factor·q·k: what is
// unresolved, and keys that are not understood. It does not return the Caveats.
func (s Scores) Doubts() []string {
	doubts := append([]string{}, s.Unresolved...)
	for _, key := range s.Unused {
		doubts = append(doubts, "the config's "+key+" is not understood")
	}
	return doubts
}

// Scores returns how a layer computes logits. layer is its index, and dimension its d_k. For a nil
// Config it returns NewRootScores. If the factor is not positive and finite, it sets the error that
// Err returns.
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
	s.Unused = c.unusedKeys()
	if f := s.Factor(); c.err == nil && !(f > 0 && !math.IsInf(f, 1)) {
		c.err = fmt.Errorf("%s: q·k would be multiplied by %s; a factor is more than 0 and finite", c.Path, s.Formula())
	}
	return *s
}

// scaleKey matches names of keys that may concern the scale. harmlessKey matches the exceptions:
// names of which scaleKey matches a part, although the keys do not concern the scale.
var (
	scaleKey    = regexp.MustCompile(`(?i)scal|multiplier|factor|cap(s|ped|ping)?(_|$)|norm|temperature|mup`)
	harmlessKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)" + strings.Join(keys()["harmless"], "|"))
	})
)

// unusedKeys returns the keys that may concern the scale and were not looked up, with their values.
// A key that is null or false is ignored.
func (c *Config) unusedKeys() (unusedKeys []string) {
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		unusedKeys = append(unusedKeys, c.unusedIn(key, c.values[key])...)
	}
	return unusedKeys
}

// unusedIn returns the unused keys of a value: the key itself or, for an object at the top level
// that is not a tower, the keys in it. Towers and objects in nested objects are ignored.
func (c *Config) unusedIn(key string, value any) (unused []string) {
	object, isObject := value.(map[string]any)
	if isObject && !strings.Contains(key, ".") && !isTower(key) {
		for _, inner := range slices.Sorted(maps.Keys(object)) {
			unused = append(unused, c.unusedIn(key+"."+inner, object[inner])...)
		}
		return unused
	}
	name := key[strings.LastIndexByte(key, '.')+1:]
	isSet := !isObject && value != nil && value != false
	concernsScale := scaleKey.MatchString(name) && !harmlessKey().MatchString(name)
	if isSet && concernsScale && !c.read[key] {
		return []string{fmt.Sprintf("%s = %v", key, value)}
	}
	return nil
}
