package show

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mcsim/sim/names"
)

// Every field that advice has as JSON is defined in the table of names.
func TestFieldsOfAdviceAreDefined(t *testing.T) {
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		for i := range of.NumField() {
			f := of.Field(i)
			if !f.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !slices.ContainsFunc([]string{names.GroupColumn, names.GroupQuantity, names.GroupParameter, names.GroupTerm}, func(group string) bool {
				_, ok := names.Lookup(group, name)
				return ok
			}) {
				t.Errorf("%s.%s: the table of names does not define %q", of.Name(), f.Name, name)
			}
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				walk(inner)
			}
		}
	}
	walk(reflect.TypeFor[Advice]())
}

// A paragraph keeps its lines on a screen, its words in order, and an error beside its
// value.
func TestParagraph(t *testing.T) {
	text := strings.Repeat("nine √d_k ± 0.0005 ", 20) + strings.Repeat("x", 100) + " end"
	var b strings.Builder
	Paragraph(&b, "Heading", 9, text)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) < 6 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > screen && !strings.Contains(line, "xxx") {
			t.Errorf("line %d has %d characters: %s", i, n, line)
		}
		if i > 0 && !strings.HasPrefix(line, strings.Repeat(" ", 9)) || strings.HasSuffix(line, "±") || strings.HasPrefix(strings.TrimSpace(line), "±") {
			t.Errorf("line %d is %q", i, line)
		}
	}
	if got := strings.Join(strings.Fields(b.String()), " "); got != "Heading "+text {
		t.Errorf("the words are %q", got)
	}
}
