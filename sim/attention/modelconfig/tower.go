package modelconfig

import (
	"slices"
	"strings"
)

// typeOfPart returns the model_type for a nested object that does not state one: a known type that
// consists of the model's type and the key, such as clip_vision_model, or, for a text part, the
// type of the whole model.
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

// nonTowerKeys has keys of nested objects that are not towers.
var nonTowerKeys = []string{"attn_config", "ffn_config", "quantization_config", "rope_scaling", "rope_parameters"}

// isTower reports whether the nested object of a key is a tower.
func isTower(key string) bool {
	return towerPrefixes(key) != nil || strings.HasSuffix(key, "_config") && !slices.Contains(nonTowerKeys, key)
}

// towerPrefixes returns prefixes for the tower of a key: if a part of an array's name begins with
// one of them, the array belongs to the tower. It returns nil if the key is not known.
func towerPrefixes(key string) []string { return keys()["tower "+stem(key)] }

// stem returns a key without the ending _config.
func stem(key string) string { return strings.TrimSuffix(key, "_config") }

// modules splits the name of an array at its dots and slashes.
func modules(array string) []string {
	return strings.FieldsFunc(array, func(r rune) bool { return r == '.' || r == '/' })
}

// TowerName returns the part of an array's name that names a tower, such as visual or text_model,
// or an empty string if no part does.
func TowerName(array string) string {
	for _, m := range modules(array) {
		for _, key := range []string{"vision", "audio", "text"} {
			if hasAnyPrefix(m, towerPrefixes(key)) && !strings.HasPrefix(m, "vit") {
				return m
			}
		}
	}
	return ""
}

// hasAnyPrefix reports whether a part of an array's name begins with one of the prefixes.
func hasAnyPrefix(module string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(module, p) })
}

// describes reports whether an array belongs to the tower. names are the parts of its name.
func (c *Config) describes(names []string) bool {
	key := stem(c.Tower)
	if key == "encoder" || key == "decoder" {
		if len(names) > 1 && names[0] == "model" {
			names = names[1:]
		}
		return len(names) > 0 && names[0] == key
	}
	prefixes := towerPrefixes(key)
	if prefixes == nil {
		prefixes = []string{key}
	}
	return slices.ContainsFunc(names, func(m string) bool { return hasAnyPrefix(m, prefixes) })
}

// ForArray returns the part of the config that describes the tower of an array. This is the nested
// object whose key fits to the array's name. If there is none, it is the top level, or the text
// part if the top level does not have a number of heads.
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
	isKnownTower := towerPrefixes(c.Tower) != nil && len(c.parts) == 0
	if c.hasField("heads") || isKnownTower || c.isUNet() {
		towers = append(towers, c)
	}
	for _, part := range c.parts {
		towers = append(towers, part.Towers()...)
	}
	return towers
}
