package modelconfig

import (
	"slices"
	"strings"
)

// typeOfPart returns the model_type for a nested object that has none: the known one for such a
// part, or, for a text part, the type of the whole model.
func (c *Config) typeOfPart(key string) string {
	for _, name := range []string{c.Type + "_" + stem(key), c.Type + "_" + stem(key) + "_model"} {
		if (&Config{Type: name}).isKnown() {
			return name
		}
	}
	if slices.Contains([]string{"text", "llm", "language"}, stem(key)) {
		return c.Type
	}
	return ""
}

// noTowers has keys of objects that are not towers.
var noTowers = []string{"attn_config", "ffn_config", "quantization_config", "rope_scaling", "rope_parameters"}

// isTower reports whether the nested object of a key is a tower.
func isTower(key string) bool {
	return tower(key) != nil || strings.HasSuffix(key, "_config") && !slices.Contains(noTowers, key)
}

// tower returns the prefixes of the parts of array names that belong to the tower of a key, or nil
// if the key is not known.
func tower(key string) []string { return keys()["tower "+stem(key)] }

// stem returns a key without the ending _config.
func stem(key string) string { return strings.TrimSuffix(key, "_config") }

// modules splits the name of an array at its dots and slashes.
func modules(array string) []string {
	return strings.FieldsFunc(array, func(r rune) bool { return r == '.' || r == '/' })
}

// TowerName returns the part of an array's name that names a tower, such as visual or text_model,
// and empty if none does.
func TowerName(array string) string {
	for _, m := range modules(array) {
		for _, key := range []string{"vision", "audio", "text"} {
			if hasAnyPrefix(m, tower(key)) && !strings.HasPrefix(m, "vit") {
				return m
			}
		}
	}
	return ""
}

// hasAnyPrefix reports whether a part of a name begins with one of the prefixes.
func hasAnyPrefix(module string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(word string) bool { return strings.HasPrefix(module, word) })
}

// describes reports whether the array whose name has these parts belongs to the tower.
func (c *Config) describes(names []string) bool {
	key := stem(c.Tower)
	if key == "encoder" || key == "decoder" {
		if len(names) > 1 && names[0] == "model" {
			names = names[1:]
		}
		return len(names) > 0 && names[0] == key
	}
	prefixes := tower(key)
	if prefixes == nil {
		prefixes = []string{key}
	}
	return slices.ContainsFunc(names, func(m string) bool { return hasAnyPrefix(m, prefixes) })
}

// ForArray returns the part of the config that describes the tower of an array: the nested object
// that the array's name tells, otherwise the top level, or the text part if the top level has no
// heads.
func (c *Config) ForArray(array string) *Config {
	if c == nil {
		return nil
	}
	names := modules(array)
	for _, part := range c.parts {
		if part.describes(names) {
			return part.ForArray(array)
		}
	}
	if c.hasField("heads") {
		return c
	}
	for _, key := range []string{"text", "llm", "language", "thinker"} {
		for _, part := range c.parts {
			if stem(part.Tower) == key {
				return part.ForArray(array)
			}
		}
	}
	return c
}

// Towers returns the parts of the config that describe attention: the top level if it has a number
// of heads, and the nested objects that have one or are known as towers.
func (c *Config) Towers() (towers []*Config) {
	known := tower(c.Tower) != nil && len(c.parts) == 0
	if c.hasField("heads") || known || c.isUNet() {
		towers = append(towers, c)
	}
	for _, part := range c.parts {
		towers = append(towers, part.Towers()...)
	}
	return towers
}
