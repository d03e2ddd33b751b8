package tensor

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// index opens all shards that a model.safetensors.index.json names.
func (f *Files) index(path string, in io.Reader, size int64) error {
	if size > longestHeader {
		return fmt.Errorf("has %d bytes; an index has at most %d", size, longestHeader)
	}
	shards, err := readIndex(jsontext.NewDecoder(bufio.NewReader(in)))
	if err != nil {
		return fmt.Errorf("is no index of shards: %w", err)
	}
	for _, shard := range slices.Compact(slices.Sorted(maps.Values(shards))) {
		of := filepath.Join(filepath.Dir(path), shard)
		if err := f.add(of); err != nil {
			return fmt.Errorf("%s: its shard %w", path, err)
		}
	}
	for name, shard := range shards {
		if of := filepath.Join(filepath.Dir(path), shard); f.where[name] != of {
			return fmt.Errorf("says that array %q is in %s, which does not have it", name, shard)
		}
	}
	return nil
}

// readIndex reads which shard has which array. A shard is a file of the index's own folder.
func readIndex(in *jsontext.Decoder) (shards map[string]string, err error) {
	shards = map[string]string{}
	err = members(in, func(name string) error {
		if name != "weight_map" {
			return in.SkipValue()
		}
		return members(in, func(array string) error {
			t, err := in.ReadToken()
			if err != nil {
				return err
			}
			if !sameFolder(t) {
				return fmt.Errorf("array %q is in %q, which is no .safetensors file of the same folder", array, t)
			}
			shards[array] = t.String()
			return nil
		})
	})
	if err == nil && len(shards) == 0 {
		err = errors.New("it has no weight_map with the file of each array")
	}
	return shards, cmp.Or(err, ends(in))
}

// sameFolder reports whether a token is the name of a shard, and of no path.
func sameFolder(t jsontext.Token) bool {
	file := t.String()
	return t.Kind() == '"' && strings.HasSuffix(file, ".safetensors") && !strings.ContainsAny(file, "/\\:\x00")
}
