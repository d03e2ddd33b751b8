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

// The part holds the program whole, and its policy names every script of it by its digest,
// and nothing else that runs.
func TestLab(t *testing.T) {
	program := bytes.Repeat([]byte("\x00asm, and a program of some length. "), 100)
	p, err := newLab(labMarkup, "const page = 1;\n", fstest.MapFS{programFile: {Data: program}, runtimeFile: {Data: []byte("// runtime\n")}})
	if err != nil {
		t.Fatal(err)
	}
	scripts := regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`).FindAllStringSubmatch(p.markup, -1)
	if len(scripts) != 3 || !strings.HasPrefix(p.markup, labMarkup) {
		t.Fatalf("%d scripts in %s", len(scripts), p.markup)
	}
	for _, s := range scripts[1:] {
		sum := sha256.Sum256([]byte(s[2]))
		if source := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; s[1] != "" || !strings.Contains(p.policy, source) {
			t.Errorf("the policy %s does not name the script %q", p.policy, s[2])
		}
	}
	if strings.Count(p.policy, "sha256-") != 2 || strings.Contains(p.policy, "unsafe-inline") || !strings.Contains(p.policy, "connect-src 'none'") {
		t.Errorf("the policy is %s", p.policy)
	}
	data, err := base64.StdEncoding.DecodeString(scripts[0][2])
	if err != nil || !strings.Contains(scripts[0][1], "octet-stream") {
		t.Fatal(err, scripts[0][1])
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, program) {
		t.Errorf("the page holds another program (%v)", err)
	}
}

// Without a program the part says so and runs nothing; what cannot be a page is refused.
func TestLabWithoutProgram(t *testing.T) {
	for _, from := range []fstest.MapFS{{".gitignore": {}}, {programFile: {}}, {runtimeFile: {}}} {
		p, err := newLab(labMarkup, "const page = 1;", from)
		if err != nil || strings.Contains(p.markup, "<script") || !strings.Contains(p.markup, "<code>make report</code>") || !strings.Contains(p.policy, "script-src 'none'") {
			t.Errorf("%+v, %v", p, err)
		}
	}
	if _, err := newLab("<p>no place</p>", "", fstest.MapFS{}); err == nil {
		t.Error("there is nowhere to say what is missing")
	}
	for name, c := range map[string]struct {
		script string
		from   fstest.MapFS
	}{
		"an end of script": {`"</SCRIPT>"`, fstest.MapFS{programFile: {}, runtimeFile: {}}},
		"a comment":        {`"<!--"`, fstest.MapFS{programFile: {}, runtimeFile: {}}},
	} {
		if _, err := newLab(labMarkup, c.script, c.from); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
