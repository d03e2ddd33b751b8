package tensor

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// addIndex adds the arrays of all shards that an index (model.safetensors.index.json) names.
func (f *Files) addIndex(path string, source io.Reader, size int64) error {
	if size > maxHeader {
		return fmt.Errorf("has %d bytes; an index has at most %d", size, maxHeader)
	}
	shards, err := readIndex(source)
	if err != nil {
		return fmt.Errorf("is not an index of shards: %w", err)
	}
	folder := filepath.Dir(path)
	for _, shard := range slices.Compact(slices.Sorted(maps.Values(shards))) {
		if err := f.addFile(filepath.Join(folder, shard)); err != nil {
			return fmt.Errorf("%s: shard %w", path, err)
		}
	}
	for name, shard := range shards {
		if f.fileOf[name] != filepath.Join(folder, shard) {
			return fmt.Errorf("says that array %q is in %s, which does not have it", name, shard)
		}
	}
	return nil
}

// readIndex returns the shard of each array. Shards must be in the folder of the index.
func readIndex(source io.Reader) (map[string]string, error) {
	var index struct {
		Shards map[string]string `json:"weight_map"`
	}
	if err := json.UnmarshalRead(source, &index); err != nil {
		return nil, err
	}
	if len(index.Shards) == 0 {
		return nil, errors.New("it has no weight_map with the file of each array")
	}
	for array, file := range index.Shards {
		if !strings.HasSuffix(file, ".safetensors") || strings.ContainsAny(file, "/\\:\x00") {
			return nil, fmt.Errorf("array %q is in %q, which is not a .safetensors file of the same folder", array,
				file)
		}
	}
	return index.Shards, nil
}
