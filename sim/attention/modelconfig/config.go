// Package modelconfig finds what a model does with q·k before softmax, from its config.json or its
// entry in the ledger of released models: the factor, a soft cap, a norm of queries and keys,
// sinks, and a temperature that depends on the position. It reports settings that it does not
// understand.
//
//   - config.go reads a config.json, and tower.go finds the part of a tower, such as vision_config.
//   - shape.go finds the heads of a layer, and norms.go the conventions of its norms.
//   - scores.go and families.go resolve the factor, and rope.go the factors of position encodings.
//   - types.txt lists the types of models by their behaviour, and keys.txt the keys by their
//     meaning.
package modelconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Config is one tower of a config.json. All methods treat a nil Config as one without settings.
type Config struct {
	Path  string // path of the file
	Tower string // key of the nested object, such as vision_config; empty for the top level
	Type  string // model_type

	values map[string]any
	parts  []*Config       // nested towers
	read   map[string]bool // keys that were looked up
	err    error           // error of the first value of a wrong type
}

// maxBytes is the maximum length of a config.json.
const maxBytes = 1 << 20

// ReadNextTo reads the config.json in the folder of the file path. It returns nil without an error
// if there is none.
func ReadNextTo(path string) (*Config, error) {
	path = filepath.Join(filepath.Dir(path), "config.json")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	return Read(path)
}

// Read reads a config.json as transformers 4 or 5 writes it, of at most 1 MiB.
func Read(path string) (*Config, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		err = errors.New("longer than 1 MiB")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c, err := parse(path, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// parse returns the Config of the text of a file.
func parse(path string, text []byte) (*Config, error) {
	var values map[string]any
	err := json.Unmarshal(text, &values)
	var typeError *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typeError) || err == nil && values == nil:
		return nil, errors.New("not a JSON object")
	case err != nil:
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	return newConfig(path, "", values), nil
}

// newConfig returns the Config of an object, with a part for each nested object that is a tower.
func newConfig(path, name string, values map[string]any) *Config {
	c := &Config{Path: path, Tower: name, values: values, read: map[string]bool{}}
	c.Type, _ = values["model_type"].(string)
	if class, isSet := values["_class_name"].(string); isSet { // of diffusers
		c.Type = class
	}
	if c.Type == "" {
		architecture, _ := values["architecture"].(string) // of timm
		c.Type, _, _ = strings.Cut(architecture, "_")
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		nested, ok := values[key].(map[string]any)
		if !ok || slices.Contains(nonTowerKeys, key) {
			continue
		}
		part := newConfig(path, key, nested)
		isPart := part.hasField("heads") || len(part.parts) > 0 || towerPrefixes(key) != nil
		if !isPart {
			continue
		}
		// The towers in published configs of Qwen3-VL have the type of the whole model.
		if part.Type == "" || part.Type == c.Type {
			part.Type = c.typeOfPart(key)
		}
		c.parts = append(c.parts, part)
	}
	return c
}

// has reports whether one of the keys is set.
func (c *Config) has(names ...string) bool {
	return slices.ContainsFunc(names, func(key string) bool { return c.value(key) != nil })
}

// hasField reports whether one of the keys of a field of keys.txt is set.
func (c *Config) hasField(name string) bool { return c.has(keys()[name]...) }

// field returns the number of a field of keys.txt. ok is false if none of the field's keys is set.
func (c *Config) field(name string) (x float64, ok bool) { return c.number(keys()[name]...) }

// value returns the value of a key, or nil if it is not set. The key a.b is b of the nested object
// a.
func (c *Config) value(key string) any {
	if c == nil {
		return nil
	}
	c.read[key] = true
	object := c.values
	for {
		outer, inner, nested := strings.Cut(key, ".")
		if !nested {
			return object[key]
		}
		object, _ = object[outer].(map[string]any)
		key = inner
	}
}

// markRead marks all keys of the nested object with a prefix, such as "rope_scaling.", as
// understood.
func (c *Config) markRead(prefix string) {
	object, _ := c.value(strings.TrimSuffix(prefix, ".")).(map[string]any)
	for key := range object {
		c.read[prefix+key] = true
	}
}

// number returns the number of the first key that is set to a number. ok is false if there is none.
// It records an error for a value of another type.
func (c *Config) number(names ...string) (x float64, ok bool) {
	for _, key := range names {
		switch v := c.value(key).(type) {
		case nil:
		case float64:
			return v, true
		default:
			c.fail(key, v, "a number")
		}
	}
	return 0, false
}

// boolean returns the truth value of a key, or the default if the key is not set.
func (c *Config) boolean(key string, defaultValue bool) bool {
	switch v := c.value(key).(type) {
	case nil:
	case bool:
		return v
	case float64: // as attn_temperature_tuning of Llama 4
		return v != 0
	default:
		c.fail(key, v, "true or false")
	}
	return defaultValue
}

// text returns the string of a key, or an empty string if the key is not set.
func (c *Config) text(key string) string {
	s, _ := c.value(key).(string)
	return s
}

// numbers returns the list of numbers of a key. A single number is returned as a list of one.
func (c *Config) numbers(key string) (list []float64) {
	switch v := c.value(key).(type) {
	case float64:
		return []float64{v}
	case []any:
		for _, item := range v {
			x, ok := item.(float64)
			if !ok {
				c.fail(key, v, "a list of numbers")
				return nil
			}
			list = append(list, x)
		}
	}
	return list
}

// fail records a value of a wrong type.
func (c *Config) fail(key string, value any, want string) {
	typeName := map[string]string{"string": "a string", "bool": "true or false", "[]interface {}": "a list",
		"map[string]interface {}": "an object", "float64": "a number"}[fmt.Sprintf("%T", value)]
	c.setError("%s: %s is %s; transformers writes %s", c.Path, key, typeName, want)
}

// setError records the first error.
func (c *Config) setError(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// Err returns the error of the first value that was looked up and has a wrong type, if any.
func (c *Config) Err() error {
	if c == nil {
		return nil
	}
	return c.err
}
