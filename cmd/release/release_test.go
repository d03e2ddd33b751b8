package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// files are of an archive of a test.
var files = []content{{"mcsim-1/mcsim", []byte("program"), true}, {"mcsim-1/LICENSE", bytes.Repeat([]byte("licence\n"), 500), false}}

var at = time.Unix(1_700_000_000, 0).UTC()

// unpacked is an archive as others read it: names, modes, times and texts.
type unpacked struct {
	name, text string
	mode       os.FileMode
	at         time.Time
}

func untar(t *testing.T, archive []byte) (all []unpacked) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	must(t, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		must(t, err)
		text, err := io.ReadAll(r)
		must(t, err)
		all = append(all, unpacked{h.Name, string(text), h.FileInfo().Mode(), h.ModTime.UTC()})
	}
}

func unzip(t *testing.T, archive []byte) (all []unpacked) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	must(t, err)
	for _, f := range r.File {
		in, err := f.Open()
		must(t, err)
		text, err := io.ReadAll(in)
		must(t, err)
		all = append(all, unpacked{f.Name, string(text), f.Mode(), f.Modified.UTC()})
	}
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// An archive has the bytes that it had, and others read in it what was put there, at the
// time of the commit and whoever built it.
func TestArchives(t *testing.T) {
	want := []unpacked{{files[0].name, "program", 0o755, at}, {files[1].name, string(files[1].text), 0o644, at}}
	for name, kind := range map[string]struct {
		pack func(io.Writer, []content, time.Time) error
		read func(*testing.T, []byte) []unpacked
	}{"tar.gz": {tarball, untar}, "zip": {zipped, unzip}} {
		var first, second bytes.Buffer
		must(t, kind.pack(&first, files, at))
		must(t, kind.pack(&second, files, at))
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: two archives of the same files differ", name)
		}
		if got := kind.read(t, first.Bytes()); !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", name, got, want)
		}
	}
}

// The README of an archive leads to no file that the archive lacks.
func TestReadmeOfAnArchive(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	has, err := accompanying()
	must(t, err)
	readme, err := os.ReadFile("README.md")
	must(t, err)
	links := regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(string(readme), -1)
	for _, m := range links {
		if !slices.Contains(has, m[1]) {
			t.Errorf("the README leads to %s; the archive has %s", m[1], has)
		}
	}
	if len(links) < 5 {
		t.Errorf("the README has %d links", len(links))
	}
}

// The checksums are those that sha256sum finds.
func TestChecksums(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.tar.gz"), []byte("abc"), 0o644))
	must(t, checksums(dir, []string{"a.tar.gz"}))
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	must(t, err)
	// The example of FIPS 180-2, appendix B.1.
	if want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.tar.gz\n"; string(sums) != want {
		t.Errorf("%q, want %q", sums, want)
	}
}

// Every module that the linker says it has linked in is named in the notices with its
// licence, and so are Go, the fonts, and what only other systems have.
func TestNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	t.Chdir("../..")
	text, err := notices()
	must(t, err)
	program := filepath.Join(t.TempDir(), "mcsim")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/mcsim").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := buildinfo.ReadFile(program)
	must(t, err)
	if len(info.Deps) < 5 {
		t.Fatalf("%d modules are linked in", len(info.Deps))
	}
	for _, m := range info.Deps {
		if !strings.Contains(string(text), "\n"+m.Path+" "+m.Version+"\n") {
			t.Errorf("%s %s is linked in, and has no notice", m.Path, m.Version)
		}
	}
	for _, words := range []string{"\nGo go1.", "SIL OPEN FONT LICENSE", "GUST Font License", "github.com/inconshreveable/mousetrap", "Redistribution and use in source and binary forms"} {
		if !strings.Contains(string(text), words) {
			t.Errorf("the notices say nothing of %q", words)
		}
	}
}

// requests are what pages for man may begin a line with.
var requests = regexp.MustCompile(`^\.(TH|SH|nf|fi|nh|ad l)( |$)`)

// A page for man of every command and the completions of four shells go with the program,
// the same bytes each time they are written, with the date of the commit. Pages say what help
// says; no text in them is taken for a request, nothing is not ASCII, and mandoc has nothing
// to say against them.
func TestGuides(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	t.Chdir("../..")
	dir, s := t.TempDir(), state{version: "1.2.3", seconds: 86400}
	files, err := guides(dir, s)
	must(t, err)
	again, err := guides(t.TempDir(), s)
	must(t, err)
	if !slices.EqualFunc(files, again, func(a, b content) bool { return a.name == b.name && bytes.Equal(a.text, b.text) }) {
		t.Error("written twice they differ")
	}
	var pages []string
	named := map[string]string{}
	for _, f := range files {
		text := string(f.text)
		named[f.name] = text
		if !strings.HasSuffix(f.name, ".1") {
			continue
		}
		for line := range strings.SplitSeq(text, "\n") {
			if (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && !requests.MatchString(line) {
				t.Errorf("%s has the request %q", f.name, line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r > 126 || r < ' ' }) {
				t.Errorf("%s has %q", f.name, line)
			}
		}
		pages = append(pages, filepath.Join(dir, filepath.Base(f.name)))
		must(t, os.WriteFile(pages[len(pages)-1], f.text, 0o644))
	}
	for name, has := range map[string]string{"man/man1/mcsim.1": "probe ", "man/man1/mcsim-verify.1": `"1970-01-02" "mcsim 1.2.3"`, "man/man1/mcsim-run.1": "\n.SH HOW IT IS DRAWN\n",
		"completions/mcsim.bash": "__start_mcsim", "completions/_mcsim": "#compdef mcsim", "completions/mcsim.fish": "complete -c mcsim", "completions/mcsim.ps1": "Register-ArgumentCompleter"} {
		if !strings.Contains(named[name], has) {
			t.Errorf("%s has no %s", name, has)
		}
	}
	if len(pages) < 18 {
		t.Errorf("%d pages", len(pages))
	}
	lint, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed")
	}
	if said, err := exec.Command(lint, append([]string{"-Tlint", "-Wwarning"}, pages...)...).CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("mandoc: %v: %s", err, said)
	}
}

// A module that does not say what one may do with it cannot be passed on.
func TestNoLicence(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "licences.go"), nil, 0o644))
	if names, err := (module{Path: "example.org/m", Dir: dir}).legal(); err == nil {
		t.Errorf("takes %q for licences", names)
	}
	want := []string{"COPYING", "LICENSE", "LICENSE-SIL", "LICENSE.md", "NOTICE.txt", "UNLICENSE", "licence"}
	for _, name := range want {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	if names, err := (module{Dir: dir}).legal(); err != nil || !slices.Equal(names, want) {
		t.Errorf("finds %q (%v), want %q", names, err, want)
	}
}

// What is released is a commit: with changes there is none, and a tag names it.
func TestCommit(t *testing.T) {
	t.Chdir(t.TempDir())
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Env = append(os.Environ(), "GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	must(t, os.MkdirAll("cmd/mcsim/folder", 0o755))
	must(t, os.WriteFile("cmd/mcsim/folder/version.go", []byte("package folder\n\nvar Version = \"0.3.0-dev\"\n"), 0o644))
	if _, err := commit(); err == nil || !strings.Contains(err.Error(), "has changes") {
		t.Errorf("a checkout with changes: %v", err)
	}
	git("add", ".")
	git("commit", "-qm", "first")
	s, err := commit()
	if err != nil || s.version != "0.3.0-dev" || s.seconds != 1_700_000_000 || len(s.name) != len("0.3.0-dev-")+12 {
		t.Errorf("a commit without a tag is %+v (%v)", s, err)
	}
	git("tag", "v1.2.0")
	if s, err = commit(); err != nil || s.version != "1.2.0" || s.name != "1.2.0" {
		t.Errorf("a tagged commit is %+v (%v)", s, err)
	}
	if name := (target{"windows", "arm64"}).archive(s); name != "mcsim-1.2.0-windows-arm64.zip" {
		t.Errorf("its archive is %s", name)
	}
}

// The compiler hears of the target, and not of what the user's environment would change.
func TestEnvironment(t *testing.T) {
	t.Setenv("GOFLAGS", "-race")
	t.Setenv("GOAMD64", "v3")
	env := target{"linux", "amd64"}.environment()
	last := map[string]string{}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		last[name] = value
	}
	if last["GOFLAGS"] != "" || last["GOAMD64"] != "v1" || last["CGO_ENABLED"] != "0" || last["GOARCH"] != "amd64" {
		t.Errorf("the compiler hears %v", env)
	}
}

func TestChosen(t *testing.T) {
	if got, err := chosen("linux/arm64,windows/amd64"); err != nil || !slices.Equal(got, []target{{"linux", "arm64"}, {"windows", "amd64"}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := chosen(""); err != nil || len(got) != 6 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := chosen("plan9/amd64"); err == nil || !strings.Contains(err.Error(), "linux/amd64, linux/arm64, darwin/amd64") {
		t.Errorf("an unknown system: %v", err)
	}
}
