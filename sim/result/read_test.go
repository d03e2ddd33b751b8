package result

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// endless repeats a text for ever, and counts what is read of it.
type endless struct {
	text string
	read int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(b)
	return len(b), nil
}

// What does not begin as a document does is refused at its beginning, however long it is.
func TestReadRefusesEarly(t *testing.T) {
	for _, text := range []string{"\x00", " ", "1", "{\"", `{"a": 1, `, "[", `[{"value": 1}, `, "experiment,cell,d_k\n", `{"digest": "`, `{"schema": "mcsim/results/2", "a": `, `{"schema": 3, `, `{"schema": {`} {
		r := &endless{text: text}
		if _, err := Read(opener(r, 0)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q without end: %v", text, err)
		}
		if r.read > headSize {
			t.Errorf("%q: %d bytes were read before it was refused", text, r.read)
		}
	}
}

// One that is expected to be larger than any document is refused by its size.
func TestReadRefusesBySize(t *testing.T) {
	head := `{"schema": "` + Schema + `", `
	r := &endless{text: head + strings.Repeat(" ", headSize)}
	if _, err := Read(opener(r, MaxSize+1)); !errors.Is(err, ErrSize) || r.read > headSize {
		t.Errorf("%v, with %d bytes read", err, r.read)
	}
}

func TestRead(t *testing.T) {
	text := encoded(t, document())
	for _, size := range []int64{0, int64(len(text)), 3} {
		d, err := Read(opener(bytes.NewReader(text), size))
		if err != nil || len(d.Estimates) != 40 {
			t.Errorf("expecting %d bytes: %v", size, err)
		}
	}
	broken := errors.New("broken")
	for _, r := range []io.Reader{failing{broken}, io.MultiReader(bytes.NewReader(text[:5000]), failing{broken})} {
		if _, err := Read(opener(r, 0)); !errors.Is(err, broken) {
			t.Errorf("of a broken file: %v", err)
		}
	}
}

// opener opens a text once, and then what is left of it.
func opener(r io.Reader, size int64) Opener {
	return func() (io.Reader, int64, error) { return r, size, nil }
}

// failing fails to read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// FuzzDecode: whatever the bytes, a document that can be written and read again, or
// a reason in one line. Digests are left aside, which no random change would fit.
func FuzzDecode(f *testing.F) {
	text, err := Encode(document())
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
		first := encoded(t, d)
		again, err := Decode(first)
		if err != nil || !bytes.Equal(encoded(t, again), first) {
			t.Errorf("read again: %v", err)
		}
	})
}
