// Package lab puts the program of cmd/lab into a page: compiled to WebAssembly, packed,
// and run by the page's own script under a policy that allows nothing else. The page
// loads nothing, so that it works from a folder as from a server.
//
// The program is built by `make lab` into the folder built, beside what the same
// toolchain needs to run it in a browser. A bare go build has an empty folder, and the
// page then says what is missing.
package lab

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/gzip"
)

//go:embed all:built
var built embed.FS

// The files of the folder built.
const (
	programFile = "lab.wasm"
	runtimeFile = "wasm_exec.js" // of Go's distribution, under Go's licence
)

// Missing is what the page says where the program is not there.
const Missing = "This copy of the report was made without the lab's program. `make report` in mcsim's folder builds it, and the page."

// place is where the markup says what there is to say.
const place = `<p class="lab-say" id="lab-say" role="status">`

// Part is what a page needs to be the lab.
type Part struct {
	Markup string // the controls and pictures, and the scripts behind them
	Policy string // for a page that may do what they do, and no more
}

// New puts the markup, the page's script and the program from a folder as `make lab`
// builds it into a part. Without a program the part says what is missing.
// Where from is nil, the folder is the one that was built into this program.
func New(markup, script string, from fs.FS) (Part, error) {
	var err error
	if from == nil {
		if from, err = fs.Sub(built, "built"); err != nil {
			return Part{}, err
		}
	}
	program, err := packed(from)
	if err != nil {
		return Part{}, err
	}
	runtime, err := fs.ReadFile(from, runtimeFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Part{}, err
	}
	if program == "" || err != nil {
		if !strings.Contains(markup, place) {
			return Part{}, fmt.Errorf("lab.html has no %s, within which stands what is missing", place)
		}
		text := strings.ReplaceAll(strings.Replace(Missing, "`", "<code>", 1), "`", "</code>")
		markup = strings.Replace(markup, `<div id="still" hidden>`, `<div id="still">`, 1)
		return Part{Markup: strings.Replace(markup, place, place+text, 1), Policy: policy()}, nil
	}
	var b strings.Builder
	b.WriteString(markup)
	fmt.Fprintf(&b, "<script id=\"program\" type=\"application/octet-stream\">%s</script>\n", program)
	scripts := []string{string(runtime), script}
	for _, s := range scripts {
		if strings.Contains(strings.ToLower(s), "</script") || strings.Contains(s, "<!--") {
			return Part{}, fmt.Errorf("a script of the lab holds what would end it in a page")
		}
		fmt.Fprintf(&b, "<script>%s</script>\n", s)
	}
	return Part{Markup: b.String(), Policy: policy(scripts...)}, nil
}

// packed is the program, packed and as text; empty where there is none.
func packed(from fs.FS) (string, error) {
	program, err := fs.ReadFile(from, programFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(program); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// policy allows the given scripts, by their digests, to compile the program, and the
// pictures and style sheets of the site's own folder. Nothing may be asked for or sent.
func policy(scripts ...string) string {
	allowed := []string{"'none'"}
	if len(scripts) > 0 {
		allowed = []string{"'wasm-unsafe-eval'"}
	}
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		allowed = append(allowed, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return "default-src 'none'; script-src " + strings.Join(allowed, " ") + "; connect-src 'none'; img-src 'self' file:; style-src 'self' file:; font-src data:; base-uri 'none'; form-action 'none'"
}
