package site

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// The page of the lab contains the program of cmd/lab, compiled to WebAssembly and compressed. A
// script of the page runs it, under a content security policy that allows no other script. Since
// the page loads nothing, it works from a local folder and from a server.

// labFolder contains the program of the lab, and the JavaScript runtime from the same Go toolchain,
// if `make lab` put them there before mcsim was built. Otherwise the folder has neither, and the
// page explains that the program is missing.
//
//go:embed all:lab
var labFolder embed.FS

// The files of the folder lab.
const (
	programFile = "lab.wasm"
	runtimeFile = "wasm_exec.js" // from Go's distribution, under Go's licence
)

// labMissing is the message on the page of the lab if the program is missing, as HTML.
const labMissing = "This copy of the report was made without the lab's program. " +
	"<code>make report</code> in mcsim's folder builds it, and the page."

// labStatus is the start tag of the element of lab.html that shows messages.
const labStatus = `<p class="lab-say" id="lab-say" role="status">`

// lab is the part of a page with scripts that other pages do not have.
type lab struct {
	markup string // controls, pictures and scripts
	policy string // content security policy that allows only the scripts of markup
}

// newLab returns the lab, which consists of the given markup and script and of the program and its
// runtime, which newLab reads from folder. If folder is nil, newLab reads the embedded folder. If
// the program or its runtime is missing, the lab only shows a message.
func newLab(markup, script string, folder fs.FS) (lab, error) {
	if folder == nil {
		embedded, err := fs.Sub(labFolder, "lab")
		if err != nil {
			return lab{}, err
		}
		folder = embedded
	}
	var runtime []byte
	program, err := fs.ReadFile(folder, programFile)
	if err == nil {
		runtime, err = fs.ReadFile(folder, runtimeFile)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return labWithoutProgram(markup)
	}
	if err != nil {
		return lab{}, err
	}
	compressed, err := compressProgram(program)
	if err != nil {
		return lab{}, err
	}
	markup += fmt.Sprintf("<script id=\"program\" type=\"application/octet-stream\">%s</script>\n", compressed)
	l, err := withScripts(markup, string(runtime), script)
	l.policy = strings.Replace(l.policy, "script-src", "script-src 'wasm-unsafe-eval'", 1)
	return l, err
}

// withScripts returns markup that ends with the given scripts.
func withScripts(markup string, scripts ...string) (lab, error) {
	var b strings.Builder
	b.WriteString(markup)
	for _, s := range scripts {
		if strings.Contains(strings.ToLower(s), "</script") || strings.Contains(s, "<!--") {
			return lab{}, fmt.Errorf("a script contains </script or <!--, which HTML does not allow")
		}
		fmt.Fprintf(&b, "<script>%s</script>\n", s)
	}
	return lab{markup: b.String(), policy: scriptPolicy(scripts...)}, nil
}

// embedPage returns the page with only the strip.
func (set *templateSet) embedPage() ([]byte, error) {
	t, err := htmltemplate.New(embedFile).Parse(string(set.data[embedFile]))
	if err != nil {
		return nil, set.shortError(err)
	}
	var b bytes.Buffer
	err = t.Execute(&b, shell{Policy: set.strip.policy, Body: htmltemplate.HTML(set.strip.markup)})
	return b.Bytes(), err
}

// labWithoutProgram returns the lab with a message and a static picture, and without scripts.
func labWithoutProgram(markup string) (lab, error) {
	if !strings.Contains(markup, labStatus) {
		return lab{}, fmt.Errorf("lab.html: %s is missing", labStatus)
	}
	markup = strings.Replace(markup, `<div id="still" hidden>`, `<div id="still">`, 1)
	markup = strings.Replace(markup, labStatus, labStatus+labMissing, 1)
	return lab{markup: markup, policy: scriptPolicy()}, nil
}

// compressProgram returns the program, compressed by gzip, in base64.
func compressProgram(program []byte) (string, error) {
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

// scriptPolicy returns a content security policy. It allows the given scripts, by their digests. It
// also allows pictures and style sheets from the site's folder, and fonts that a style sheet
// contains. It allows nothing else.
func scriptPolicy(scripts ...string) string {
	var allowed []string
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		allowed = append(allowed, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	if len(scripts) == 0 {
		allowed = []string{"'none'"}
	}
	return strings.Join([]string{
		"default-src 'none'", "script-src " + strings.Join(allowed, " "), "connect-src 'none'",
		"img-src 'self' file:", "style-src 'self' file:", "font-src data:", "base-uri 'none'", "form-action 'none'",
	}, "; ")
}
