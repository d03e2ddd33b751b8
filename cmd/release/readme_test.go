package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The README of an archive leads to no file that the archive lacks, and shows its picture.
func TestReadmeOfAnArchive(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	program := filepath.Join(t.TempDir(), "mcsim")
	must(t, os.WriteFile(program, []byte("program"), 0o755))
	path := filepath.Join(t.TempDir(), "a.tar.gz")
	to := target{"linux", "amd64"}
	must(t, write(path, state{seconds: at.Unix()}, to, program, nil))
	archive, err := os.ReadFile(path)
	must(t, err)
	var has []string
	readme := ""
	for _, f := range untar(t, archive) {
		name := strings.TrimPrefix(f.name, to.folder(state{seconds: at.Unix()})+"/")
		has = append(has, name)
		if name == readmeFile {
			readme = f.text
		}
	}
	targets := 0
	for _, m := range link.FindAllStringSubmatch(readme, -1) {
		targets++
		if !slices.Contains(has, m[3]) {
			t.Errorf("the README leads to %s; the archive has %s", m[3], has)
		}
	}
	if targets == 0 || !slices.Contains(has, "out/figures/scaled.svg") || !strings.Contains(readme, "docs/ci.md") || !strings.Contains(readme, elsewhere) {
		t.Errorf("%d links; the archive has %s, and its README says %.300s", targets, has, readme)
	}
}

// Links that lead somewhere stay.
func TestUnlinked(t *testing.T) {
	got := unlinked("# a\n[x](docs/x.md), [y](LICENSE), [z](https://example.org/), [w](#use) ![p](p.svg)\n", []string{"LICENSE", "p.svg"})
	if want := "# a\n\n" + elsewhere + "x, [y](LICENSE), [z](https://example.org/), [w](#use) ![p](p.svg)\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
