package result

import (
	"bytes"
	"errors"
	"io"
	"slices"
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
		if _, err := Read(openWithoutRewind(r, 0)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q repeated for ever: error %v, want an error of one line", text, err)
		}
		if r.bytesRead > headSize {
			t.Errorf("%q repeated for ever: %d bytes are read, want at most %d", text, r.bytesRead, headSize)
		}
	}
}

func TestReadRefusesBySize(t *testing.T) {
	head := `{"schema": "` + Schema + `", `
	r := &endlessReader{text: head + strings.Repeat(" ", headSize)}
	if _, err := Read(openWithoutRewind(r, MaxSize+1)); !errors.Is(err, ErrSize) {
		t.Errorf("error %v, want %v", err, ErrSize)
	}
	if r.bytesRead > headSize {
		t.Errorf("%d bytes are read, want at most %d", r.bytesRead, headSize)
	}
}

// TestReadBoundsSpace checks that white space before, in or after a document is read only up to a
// bound, since the decoder holds it in memory.
func TestReadBoundsSpace(t *testing.T) {
	text := string(mustEncode(t, newDocument()))
	for _, start := range []string{text, text[:len(text)-2], `{"schema": "` + Schema + `",`} {
		space := &endlessReader{text: "\n "}
		open := func() (io.Reader, int64, error) {
			return io.MultiReader(strings.NewReader(start), space), 0, nil
		}
		if _, err := Read(open); !errors.Is(err, ErrSize) || space.bytesRead > 8*maxSpace {
			t.Errorf("%.30q…: error %v after %d bytes of white space, want %v", start, err, space.bytesRead, ErrSize)
		}
	}
}

func TestRead(t *testing.T) {
	text := mustEncode(t, newDocument())
	for _, size := range []int64{0, int64(len(text)), 3} {
		d, err := Read(openWithoutRewind(bytes.NewReader(text), size))
		must(t, err)
		if len(d.Estimates) != 40 {
			t.Errorf("expected size %d: %d estimates, want 40", size, len(d.Estimates))
		}
	}
	broken := errors.New("broken")
	for _, r := range []io.Reader{failingReader{broken},
		io.MultiReader(bytes.NewReader(text[:5000]), failingReader{broken})} {
		if _, err := Read(openWithoutRewind(r, 0)); !errors.Is(err, broken) {
			t.Errorf("reader that fails: error %v, want %v", err, broken)
		}
	}
}

// openWithoutRewind returns an Opener that does not go back to the beginning: every call returns r
// itself, at its current position.
func openWithoutRewind(r io.Reader, size int64) Opener {
	return func() (io.Reader, int64, error) { return r, size, nil }
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// FuzzDecode checks that any text either is a document that can be written and read again, or gives
// an error in one line. The digest is not checked, since no mutated text would match it.
func FuzzDecode(f *testing.F) {
	text, err := Encode(newDocument())
	must(f, err)
	f.Add(text)
	f.Fuzz(checkDecode)
}

// FuzzDecodeChanged replaces a range of bytes of a document. It finds more faults in a given time than
// FuzzDecode, whose fuzzer spends much of its time on making long texts shorter.
func FuzzDecodeChanged(f *testing.F) {
	text, err := Encode(newDocument())
	must(f, err)
	f.Add(uint16(0), uint16(0), []byte{})
	f.Add(uint16(60), uint16(2000), []byte("{}"))
	f.Fuzz(func(t *testing.T, position, length uint16, inserted []byte) {
		start := min(int(position), len(text))
		checkDecode(t, slices.Concat(text[:start], inserted, text[min(start+int(length), len(text)):]))
	})
}

// checkDecode checks that the error of a text is one line, and that an accepted document is written
// in the same way after it was read again.
func checkDecode(t *testing.T, text []byte) {
	d, _, err := decode(text)
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q has several lines, want one", err)
		}
		return
	}
	if _, err := Outline(bytes.NewReader(text)); err != nil {
		t.Errorf("Outline refuses a text that Decode accepts: %v", err)
	}
	first := mustEncode(t, d)
	again, err := Decode(first)
	must(t, err)
	if second := mustEncode(t, again); !bytes.Equal(second, first) {
		t.Errorf("a document is written as\n%s\nand after it was read again as\n%s", first, second)
	}
}
