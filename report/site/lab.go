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

	"mcsim/report/page"
	"mcsim/sim/names"
)

// Two pages run the program of cmd/lab, compiled to WebAssembly and compressed. It is in a script of
// its own, which they load when they need it, and which works from a local folder and from a server.
// Their content security policies allow no script of another site, and no connection.

// labFolder contains the program, and the JavaScript runtime from the same Go toolchain, if
// `make lab` put them there before mcsim was built. Otherwise the site does not have the script of
// the program, and the pages explain that it is missing.
//
//go:embed all:lab
var labFolder embed.FS

// The files of the folder lab.
const (
	wasmFile    = "lab.wasm"
	runtimeFile = "wasm_exec.js" // from Go's distribution, under Go's licence
)

// widget is a part of a page with scripts that other pages do not have.
type widget struct {
	markup string // controls, pictures and scripts
	policy string // content security policy that allows the scripts
}

// programSources are the sources of scripts that a page needs to run the program.
const programSources = "'wasm-unsafe-eval' 'self' file: "

// addWidgets builds the parts of the pages that have scripts.
func (set *templateSet) addWidgets() error {
	set.widgets = map[string]widget{}
	for _, w := range []struct{ page, name, sources, otherPolicies string }{
		{page: stripPage, name: "strip"},
		{page: labPage, name: "lab", sources: programSources},
		{page: modelsPage, name: "calculator", sources: programSources, otherPolicies: "; worker-src blob:"},
	} {
		script := string(set.data["page.js"]) + string(set.data[w.name+".js"])
		if strings.Contains(strings.ToLower(script), "</script") || strings.Contains(script, "<!--") {
			return fmt.Errorf("templates: %s.js contains </script or <!--, which HTML does not allow", w.name)
		}
		markup := strings.Replace(string(set.data[w.name+".html"]), "<!-- initialisations -->", listInitialisations(), 1)
		set.widgets[w.page] = widget{
			markup: markup + "<script>" + script + "</script>\n",
			policy: scriptPolicy(w.sources, script) + w.otherPolicies,
		}
	}
	return nil
}

// listInitialisations returns the options of the list of initialisations, as HTML.
func listInitialisations() string {
	var b strings.Builder
	for _, name := range names.NamesIn(names.GroupInitialisation) {
		fmt.Fprintf(&b, "<option value=\"%[1]s\">%[1]s</option>", name)
	}
	return b.String()
}

// packProgram returns the script with the program, its runtime and the given functions. The result
// is nil if folder does not have the program. If folder is nil, packProgram reads the embedded one.
func packProgram(functions []byte, folder fs.FS) ([]byte, error) {
	if folder == nil {
		embedded, err := fs.Sub(labFolder, "lab")
		if err != nil {
			return nil, err
		}
		folder = embedded
	}
	program, err := fs.ReadFile(folder, wasmFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	runtime, err := fs.ReadFile(folder, runtimeFile)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(program); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return fmt.Appendf(functions, "\nfunction defineGo() {\n%s\n}\nconst packedProgram = \"%s\";\n", runtime,
		base64.StdEncoding.EncodeToString(packed.Bytes())), nil
}

// labLink is the link of the strip to the lab.
const labLink = `<a href="lab.html">More in the lab</a>`

// newEmbedLink returns the link to the lab for a strip on another site. It is empty if the address of
// this site is not known.
func newEmbedLink(home string) string {
	if home == "" {
		return ""
	}
	address := htmltemplate.HTMLEscapeString(publicAddress("lab.html", home))
	return `<a href="` + address + `" target="_top">More in the lab</a>`
}

// embedPage returns the page with only the strip.
func (set *templateSet) embedPage() ([]byte, error) {
	t, err := htmltemplate.New(embedFile).Parse(string(set.data[embedFile]))
	if err != nil {
		return nil, set.shortError(err)
	}
	var b bytes.Buffer
	strip := set.widgets[stripPage]
	body := strings.Replace(strip.markup, labLink, newEmbedLink(page.HomeURL()), 1)
	err = t.Execute(&b, shell{Policy: strip.policy, Body: htmltemplate.HTML(body)})
	return b.Bytes(), err
}

// scriptPolicy returns a content security policy. It allows scripts of the given sources, and the
// given script by its digest. It also allows pictures and style sheets from the site's folder, and
// fonts that a style sheet contains. It allows nothing else.
func scriptPolicy(sources, script string) string {
	sum := sha256.Sum256([]byte(script))
	return strings.Join([]string{
		"default-src 'none'", "script-src " + sources + "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
		"connect-src 'none'", "img-src 'self' file:", "style-src 'self' file:", "font-src data:",
		"base-uri 'none'", "form-action 'none'",
	}, "; ")
}
