package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"mcsim/sim/attention/weights"
	"mcsim/sim/simtest"
)

// TestProgram checks that the script of the program contains the complete program and its runtime,
// and that there is no such script if the program is missing.
func TestProgram(t *testing.T) {
	program := bytes.Repeat([]byte("\x00asm, and a program of some length. "), 100)
	folder := fstest.MapFS{wasmFile: {Data: program}, runtimeFile: {Data: []byte("// runtime\n")}}
	script, err := packProgram([]byte("// functions"), folder)
	simtest.Must(t, err)
	m := regexp.MustCompile(`(?s)^// functions\nfunction defineGo\(\) \{\n// runtime\n\n\}\nconst packedProgram = "(.*)";\n$`).
		FindSubmatch(script)
	if m == nil {
		t.Fatalf("the script does not have the functions, the runtime and the program: %.200s", script)
	}
	data, err := base64.StdEncoding.DecodeString(string(m[1]))
	simtest.Must(t, err)
	z, err := gzip.NewReader(bytes.NewReader(data))
	simtest.Must(t, err)
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, program) {
		t.Errorf("the program in the script differs from %s (%v)", wasmFile, err)
	}
	if script, err := packProgram(nil, fstest.MapFS{".gitignore": {}}); script != nil || err != nil {
		t.Errorf("without a program, the script is %q (%v), want none", script, err)
	}
	if _, err := packProgram(nil, fstest.MapFS{wasmFile: {}}); err == nil {
		t.Error("a program without its runtime is accepted")
	}
}

// TestWidgets checks that the policy of each page with a script allows only this script, by its
// digest, and the script of the program only on the pages that run it.
func TestWidgets(t *testing.T) {
	set, err := loadTemplates(Options{Lab: fstest.MapFS{}})
	simtest.Must(t, err)
	for page, isRunning := range map[string]bool{stripPage: false, labPage: true, modelsPage: true} {
		w := set.widgets[page]
		_, rest, _ := strings.Cut(w.markup, "<script>")
		script, _, _ := strings.Cut(rest, "</script>")
		sum := sha256.Sum256([]byte(script))
		if source := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(w.policy, source) {
			t.Errorf("%s: the policy %s does not allow the script of the page", page, w.policy)
		}
		if strings.Count(w.policy, "sha256-") != 1 || strings.Contains(w.policy, "unsafe-inline") ||
			!strings.Contains(w.policy, "connect-src 'none'") {
			t.Errorf("%s: the policy allows other scripts or connections: %s", page, w.policy)
		}
		if strings.Contains(w.policy, "script-src 'wasm-unsafe-eval' 'self' file:") != isRunning {
			t.Errorf("%s: the policy allows the program: %v, want %v: %s", page, !isRunning, isRunning, w.policy)
		}
	}
	for _, name := range weights.Names() {
		if !strings.Contains(set.widgets[modelsPage].markup, `<option value="`+name+`">`) {
			t.Errorf("the calculator does not offer the initialisation %s", name)
		}
	}
	for _, script := range []string{`"</SCRIPT>"`, `"<!--"`} {
		set.data["strip.js"] = []byte(script)
		if err := set.addWidgets(); err == nil {
			t.Errorf("the script %s is accepted", script)
		}
	}
}
