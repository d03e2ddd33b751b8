package tensor

import (
	"bufio"
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
	if err := expect(in, '{'); err != nil {
		return nil, err
	}
	for in.PeekKind() != '}' {
		name, err := in.ReadToken()
		if err != nil {
			return nil, err
		}
		if name.String() != "weight_map" {
			err = in.SkipValue()
		} else {
			err = readShards(in, shards)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(shards) == 0 {
		return nil, errors.New("it has no weight_map with the file of each array")
	}
	if _, err := in.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := in.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows it")
	}
	return shards, nil
}

// readShards reads the object of weight_map.
func readShards(in *jsontext.Decoder, shards map[string]string) error {
	if err := expect(in, '{'); err != nil {
		return err
	}
	for in.PeekKind() != '}' {
		key, err := in.ReadToken()
		if err != nil {
			return err
		}
		name := key.String()
		t, err := in.ReadToken()
		if err != nil {
			return err
		}
		file := t.String()
		if t.Kind() != '"' || file == "" || file == "." || file == ".." || strings.ContainsAny(file, "/\\:\x00") ||
			!strings.HasSuffix(file, ".safetensors") {
			return fmt.Errorf("array %q is in %q, which is no .safetensors file of the same folder", name, file)
		}
		shards[name] = file
	}
	_, err := in.ReadToken()
	return err
}
