package result

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// endlessReader repeats a text for ever and counts the bytes that are read.
type endlessReader struct {
	text      string
	bytesRead int
}

func (e *endlessReader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[(e.bytesRead+i)%len(e.text)]
	}
	e.bytesRead += len(b)
	return len(b), nil
}

func TestReadRefusesEarly(t *testing.T) {
	for _, text := range []string{
		"\x00", " ", "1", "{\"", `{"a": 1, `, "[", `[{"value": 1}, `, "experiment,cell,d_k\n", `{"digest": "`,
		`{"schema": "mcsim/results/2", "a": `, `{"schema": 3, `, `{"schema": {`,
	} {
		r := &endlessReader{text: text}
		if _, err := Read(openOnce(r, 0)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q without end: %v", text, err)
		}
		if r.bytesRead > headSize {
			t.Errorf("%q: %d bytes were read before it was refused", text, r.bytesRead)
		}
	}
}

func TestReadRefusesBySize(t *testing.T) {
	head := `{"schema": "` + Schema + `", `
	r := &endlessReader{text: head + strings.Repeat(" ", headSize)}
	if _, err := Read(openOnce(r, MaxSize+1)); !errors.Is(err, ErrSize) || r.bytesRead > headSize {
		t.Errorf("%v, with %d bytes read", err, r.bytesRead)
	}
}

func TestRead(t *testing.T) {
	text := mustEncode(t, newDocument())
	for _, size := range []int64{0, int64(len(text)), 3} {
		d, err := Read(openOnce(bytes.NewReader(text), size))
		if err != nil || len(d.Estimates) != 40 {
			t.Errorf("expecting %d bytes: %v", size, err)
		}
	}
	broken := errors.New("broken")
	for _, r := range []io.Reader{failingReader{broken},
		io.MultiReader(bytes.NewReader(text[:5000]), failingReader{broken})} {
		if _, err := Read(openOnce(r, 0)); !errors.Is(err, broken) {
			t.Errorf("a broken file: %v", err)
		}
	}
}

// openOnce returns an Opener that opens r, and later the unread rest of r.
func openOnce(r io.Reader, size int64) Opener {
	return func() (io.Reader, int64, error) { return r, size, nil }
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// FuzzDecode checks that any text either is a document that can be written and read again, or gives
// an error in one line. It ignores the digest, which no random change would fit.
func FuzzDecode(f *testing.F) {
	text, err := Encode(newDocument())
	must(f, err)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		d, _, err := decode(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has several lines", err)
			}
			return
		}
		if _, err := Outline(bytes.NewReader(text)); err != nil {
			t.Errorf("a document without an outline: %v", err)
		}
		first := mustEncode(t, d)
		again, err := Decode(first)
		if err != nil || !bytes.Equal(mustEncode(t, again), first) {
			t.Errorf("read a second time: %v", err)
		}
	})
}
