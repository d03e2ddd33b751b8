package replace

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a killed process left beside a file goes, and nothing else: no other file, and none that is being written.
func TestClear(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "nodes[1].bin")
	keep := []string{"nodes[1].bin", "nodes[1].bin.lock", "nodes1.bin.7-0.new", "other.7-0.new"}
	for _, name := range append(keep, "nodes[1].bin.7-0.new", "nodes[1].bin.99999-12.new") {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	err := File(path, func(w io.Writer) error {
		Clear(path)
		_, err := fmt.Fprint(w, "text")
		return err
	})
	if text, failed := os.ReadFile(path); err != nil || failed != nil || string(text) != "text" {
		t.Errorf("the file that was being written: %v, %v, %q", err, failed, text)
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(keep)
	if !slices.Equal(names, keep) {
		t.Errorf("%q are left, want %q", names, keep)
	}
}
