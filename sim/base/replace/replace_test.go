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
		t.Errorf("%s holds %q (%v), want %q", filepath.Base(path), got, err, want)
	}
}

// TestSet checks that Commit replaces all files, and Add none.
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
		t.Errorf("the folder holds %q", got)
	}
}

// TestFailedAdd checks that an error of Add leaves the files of the set unchanged.
func TestFailedAdd(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	must(t, Text(a, []byte("old")))
	full := errors.New("the disk is full")
	var s Set
	must(t, s.Add(a, writeText("new")))
	err := s.Add(filepath.Join(dir, "b"), func(w io.Writer) error { io.WriteString(w, "part"); return full })
	if !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	s.Discard()
	checkContent(t, a, "old")
	if got := listFolder(t, dir); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the folder holds %q", got)
	}
	if err := Text(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that does not exist: %v", err)
	}
}

func TestAddRefusesFolder(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "a", "inside"), 0o755))
	var s Set
	if err := s.Add(filepath.Join(dir, "a"), writeText("x")); err == nil {
		t.Error("a folder was accepted")
	}
	if got := listFolder(t, dir); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the folder holds %q", got)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
