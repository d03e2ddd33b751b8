package replace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func writeText(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func listFolder(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func checkContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s has the content %q (error %v), want %q", filepath.Base(path), got, err, want)
	}
}

// TestSet checks that Add does not change any file, and that Commit replaces all of them.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	must(t, Text(a, []byte("old")))
	var s Set
	for path, content := range map[string]string{a: "new a", b: "new b"} {
		must(t, s.Add(path, writeText(content)))
	}
	checkContent(t, a, "old")
	if _, err := os.Stat(b); err == nil {
		t.Error("b exists before Commit")
	}
	must(t, s.Commit())
	s.Discard()
	checkContent(t, a, "new a")
	checkContent(t, b, "new b")
	if got := listFolder(t, dir); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the folder has the files %q, want a and b", got)
	}
}

// TestFailedAdd checks that an Add that fails changes no file and leaves no new file.
func TestFailedAdd(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	must(t, Text(a, []byte("old")))
	full := errors.New("the disk is full")
	var s Set
	must(t, s.Add(a, writeText("new")))
	err := s.Add(filepath.Join(dir, "b"), func(w io.Writer) error { io.WriteString(w, "part"); return full })
	if !errors.Is(err, full) {
		t.Errorf("Add failed with %v, want %v", err, full)
	}
	s.Discard()
	checkContent(t, a, "old")
	if got := listFolder(t, dir); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the folder has the files %q, want only a", got)
	}
	if err := Text(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Text in a folder that does not exist: error %v, want %v", err, os.ErrNotExist)
	}
}

func TestAddRefusesFolder(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "a", "inside"), 0o755))
	var s Set
	if err := s.Add(filepath.Join(dir, "a"), writeText("x")); err == nil {
		t.Error("Add of the path of a folder: no error")
	}
	if got := listFolder(t, dir); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the folder has the files %q, want only a", got)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
