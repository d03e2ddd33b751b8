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

// addIndex adds the arrays of all shards that are listed in an index, such as
// model.safetensors.index.json.
func (f *Files) addIndex(path string, source io.Reader, size int64) error {
	if size > maxHeader {
		return fmt.Errorf("has %d bytes; an index has at most %d", size, maxHeader)
	}
	shardOf, err := readIndex(source)
	if err != nil {
		return fmt.Errorf("is not an index of shards: %w", err)
	}
	folder := filepath.Dir(path)
	for _, shard := range slices.Compact(slices.Sorted(maps.Values(shardOf))) {
		if err := f.addFile(filepath.Join(folder, shard), true); err != nil {
			return fmt.Errorf("has a shard that cannot be added: %w", err)
		}
	}
	for array, shard := range shardOf {
		if f.fileOf[array] != filepath.Join(folder, shard) {
			return fmt.Errorf("says that array %q is in %s, which does not have it", array, shard)
		}
	}
	return nil
}

// readIndex returns the file name of the shard of each array. Shards must be in the folder of the
// index.
func readIndex(source io.Reader) (map[string]string, error) {
	var index struct {
		ShardOf map[string]string `json:"weight_map"`
	}
	if err := json.UnmarshalRead(source, &index); err != nil {
		return nil, err
	}
	if len(index.ShardOf) == 0 {
		return nil, errors.New("it has no weight_map with the file of each array")
	}
	for array, shard := range index.ShardOf {
		if err := errors.Join(checkName(array), checkName(shard)); err != nil {
			return nil, err
		}
		if !strings.HasSuffix(shard, ".safetensors") || strings.ContainsAny(shard, "/\\:\x00") {
			return nil, fmt.Errorf("array %q is in %q, which is not a .safetensors file of the same folder", array,
				shard)
		}
	}
	return index.ShardOf, nil
}
