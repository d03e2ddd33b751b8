package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// accompanying are the files of the repository that go with the program: its README, and
// what that leads to.
func accompanying() ([]string, error) {
	text, err := output("git", "ls-files", "README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "docs", "out")
	return strings.Fields(text), err
}

// noticesFile is the file of the notices, in the archive.
const noticesFile = "THIRD_PARTY_NOTICES.txt"

// content is a file of an archive.
type content struct {
	name    string
	text    []byte
	program bool
}

// write writes the archive of a target: its program, the files of the repository that go
// with it, and what else does, by names in the archive.
func write(path string, s state, t target, program string, beside []content) error {
	var files []content
	add := func(name, from string, program bool) error {
		text, err := os.ReadFile(from)
		files = append(files, content{t.folder(s) + "/" + name, text, program})
		return err
	}
	if err := add(t.program(), program, true); err != nil {
		return err
	}
	with, err := accompanying()
	if err != nil {
		return err
	}
	for _, name := range with {
		if err := add(name, name, false); err != nil {
			return err
		}
	}
	for _, c := range beside {
		files = append(files, content{name: t.folder(s) + "/" + c.name, text: c.text})
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	pack := tarball
	if strings.HasSuffix(path, ".zip") {
		pack = zipped
	}
	if err := pack(file, files, time.Unix(s.seconds, 0).UTC()); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return file.Close()
}

// mode is that of a file.
func (c content) mode() os.FileMode {
	if c.program {
		return 0o755
	}
	return 0o644
}

// tarball writes the files as .tar.gz, in their order, owned by nobody.
func tarball(w io.Writer, files []content, at time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, c := range files {
		if err := t.WriteHeader(&tar.Header{Name: c.name, Size: int64(len(c.text)), Mode: int64(c.mode()), ModTime: at, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := t.Write(c.text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return packed.Close()
}

// zipped writes the files as .zip, in their order.
func zipped(w io.Writer, files []content, at time.Time) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, c := range files {
		head := &zip.FileHeader{Name: c.name, Method: zip.Deflate, Modified: at}
		head.SetMode(c.mode())
		f, err := z.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := f.Write(c.text); err != nil {
			return err
		}
	}
	return z.Close()
}

// checksums writes SHA256SUMS of the archives, as sha256sum reads it.
func checksums(dir string, archives []string) error {
	var text strings.Builder
	for _, name := range archives {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(text.String()), 0o644)
}
