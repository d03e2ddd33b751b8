package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"mcsim/sim/plain"
)

// ErrHidden says that a text has characters that do not show.
var ErrHidden = errors.New("holds text that does not show as it is")

// CheckText wants every text of a value, names of parameters among them, to be visible
// characters ([plain.Hidden]), and says where one is not. Documents are checked as they
// are read and as they are sealed, so that nothing that is made of them, pages, figures,
// tables, or lines on a terminal, has to ask again.
func CheckText(of any) error {
	where, r, found := firstHidden(reflect.ValueOf(of))
	switch {
	case !found:
		return nil
	case r == utf8.RuneError:
		return fmt.Errorf("%w: %s is not UTF-8", ErrHidden, plain.Printable(where))
	}
	return fmt.Errorf("%w: %s has the character U+%04X", ErrHidden, plain.Printable(where), r)
}

// firstHidden finds the first hidden character of a value's texts, and where it is.
func firstHidden(v reflect.Value) (where string, r rune, found bool) {
	switch v.Kind() {
	case reflect.String:
		r, found = plain.FirstHidden(v.String())
		return "", r, found
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			return firstHidden(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanInterface() {
				if where, r, found = firstHidden(f); found {
					name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
					return joined(name, where), r, true
				}
			}
		}
	case reflect.Slice, reflect.Array:
		return hiddenElement(v)
	case reflect.Map:
		if p, ok := v.Interface().(Params); ok && plainParams(p) {
			return "", 0, false
		}
		return hiddenEntry(v)
	}
	return "", 0, false
}

// hiddenElement looks through a list, or through the raw JSON that a list of bytes is.
func hiddenElement(v reflect.Value) (where string, r rune, found bool) {
	if raw, ok := v.Interface().(json.RawMessage); ok {
		var content any
		if json.Unmarshal(raw, &content) != nil {
			return "", 0, false // which is for who decodes it to say
		}
		return firstHidden(reflect.ValueOf(content))
	}
	switch v.Type().Elem().Kind() {
	case reflect.String, reflect.Struct, reflect.Interface, reflect.Slice, reflect.Map, reflect.Pointer:
	default:
		return "", 0, false
	}
	for i := range v.Len() {
		if where, r, found = firstHidden(v.Index(i)); found {
			return joined(fmt.Sprintf("[%d]", i), where), r, true
		}
	}
	return "", 0, false
}

// plainParams reports whether parameters have no hidden text, in the time that documents
// with millions of rows leave for it.
func plainParams(p Params) bool {
	for name, value := range p {
		if _, hidden := plain.FirstHidden(name); hidden {
			return false
		}
		switch value := value.(type) {
		case float64:
		case string:
			if _, hidden := plain.FirstHidden(value); hidden {
				return false
			}
		default:
			return false // for which reflection looks further
		}
	}
	return true
}

// hiddenEntry looks through a mapping; of several entries it tells of the first by name.
func hiddenEntry(v reflect.Value) (where string, r rune, found bool) {
	first := ""
	for entries := v.MapRange(); entries.Next(); {
		key := entries.Key().String()
		if found && key > first {
			continue
		}
		if c, hidden := plain.FirstHidden(key); hidden {
			first, where, r, found = key, "a name", c, true
		} else if at, c, hidden := firstHidden(entries.Value()); hidden {
			first, where, r, found = key, joined(key, at), c, true
		}
	}
	return where, r, found
}

// joined is a place within another: a.b, and a[1].
func joined(outer, inner string) string {
	if inner == "" || inner[0] == '[' {
		return outer + inner
	}
	return outer + "." + inner
}
