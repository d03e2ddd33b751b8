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
)

const labMarkup = labStatus + "</p>\n"

// TestLab checks that the lab contains the complete program, and that its policy allows only its
// scripts, by their digests.
func TestLab(t *testing.T) {
	program := bytes.Repeat([]byte("\x00asm, and a program of some length. "), 100)
	folder := fstest.MapFS{programFile: {Data: program}, runtimeFile: {Data: []byte("// runtime\n")}}
	p, err := newLab(labMarkup, "const page = 1;\n", folder)
	if err != nil {
		t.Fatal(err)
	}
	scripts := regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`).FindAllStringSubmatch(p.markup, -1)
	if len(scripts) != 3 || !strings.HasPrefix(p.markup, labMarkup) {
		t.Fatalf("got %d scripts, want the markup of the page and 3 scripts: %s", len(scripts), p.markup)
	}
	for _, s := range scripts[1:] { // the first is the program, as data
		sum := sha256.Sum256([]byte(s[2]))
		source := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if s[1] != "" || !strings.Contains(p.policy, source) {
			t.Errorf("the policy %s does not allow the script %q", p.policy, s[2])
		}
	}
	if n := strings.Count(p.policy, "sha256-"); n != 2 {
		t.Errorf("the policy allows %d scripts by their digests, want 2: %s", n, p.policy)
	}
	if strings.Contains(p.policy, "unsafe-inline") || !strings.Contains(p.policy, "connect-src 'none'") {
		t.Errorf("the policy allows inline scripts or connections: %s", p.policy)
	}
	if attributes := scripts[0][1]; !strings.Contains(attributes, "octet-stream") {
		t.Errorf("the first script has the attributes %q, want the type of binary data", attributes)
	}
	data, err := base64.StdEncoding.DecodeString(scripts[0][2])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, program) {
		t.Errorf("the program on the page differs from %s (%v)", programFile, err)
	}
}

// TestLabWithoutProgram checks that the lab shows a message and runs no script if the program or
// its runtime is missing.
func TestLabWithoutProgram(t *testing.T) {
	for _, folder := range []fstest.MapFS{{".gitignore": {}}, {programFile: {}}, {runtimeFile: {}}} {
		p, err := newLab(labMarkup, "const page = 1;", folder)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.markup, "<script") || !strings.Contains(p.policy, "script-src 'none'") {
			t.Errorf("the lab has or allows a script: %+v", p)
		}
		if !strings.Contains(p.markup, "<code>make report</code>") {
			t.Errorf("the message is missing: %s", p.markup)
		}
	}
}

func TestLabErrors(t *testing.T) {
	if _, err := newLab("<p>no status</p>", "", fstest.MapFS{}); err == nil {
		t.Error("markup without the element for the message is accepted")
	}
	folder := fstest.MapFS{programFile: {}, runtimeFile: {}}
	for _, script := range []string{`"</SCRIPT>"`, `"<!--"`} {
		if _, err := newLab(labMarkup, script, folder); err == nil {
			t.Errorf("the script %s is accepted", script)
		}
	}
}
