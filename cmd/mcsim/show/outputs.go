package show

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/record"
	"mcsim/sim/compare"
	"mcsim/sim/cost"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/inspect"
	"mcsim/sim/names/sense"
	"mcsim/sim/result"
	"mcsim/sim/schedule"
)

// Output is a file or a command's object in JSON, whose fields are those of a type.
type Output struct {
	Name string
	of   reflect.Type
}

// Outputs are all that mcsim writes in JSON. A type that is none of these is not printed by
// JSON, and a test wants a definition of every field of these, so that no object has a field
// that nobody explains.
var Outputs = []Output{
	{"results.json", reflect.TypeFor[result.Document]()},
	{"run.json", reflect.TypeFor[record.Run]()},
	{"plan --json", reflect.TypeFor[schedule.Outline]()},
	{"probe --row --json", reflect.TypeFor[replay.Answer]()},
	{"inspect --json", reflect.TypeFor[inspect.Answer]()},
	{"advise --json", reflect.TypeFor[Advice]()},
	{"cost --json", reflect.TypeFor[cost.Count]()},
	{"verify --json", reflect.TypeFor[Verified]()},
	{"compare --json", reflect.TypeFor[compare.Comparison]()},
	{"claims --json", reflect.TypeFor[GivenClaims]()},
	{"version --json", reflect.TypeFor[GivenVersion]()},
	{"explain --json", reflect.TypeFor[[]Explanation]()},
}

// declared refuses a value of a type that is none of the outputs.
func declared(v any) error {
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if slices.ContainsFunc(Outputs, func(o Output) bool { return o.of == t }) {
		return nil
	}
	return fmt.Errorf("the type %s is none of show.Outputs, so that nothing explains its fields", t)
}

// Field is a field of an output.
type Field struct {
	Name string
	Path string // from the whole object on: gates[].value
}

// Fields lists the fields of an output in their order, those of objects in it behind them.
func (o Output) Fields() (found []Field) {
	walk(o.of, "", func(f Field) { found = append(found, f) })
	return found
}

// NameAt is the name of the field at a place of any output, which may be written with the
// output or without: results.json: budget.gates, or budget.gates.
func NameAt(place string) (string, bool) {
	for _, o := range Outputs {
		for _, f := range o.Fields() {
			if f.Path == place || sense.Place(o.Name, f.Path) == place {
				return f.Name, true
			}
		}
	}
	return "", false
}

// plainText is what a type has that writes itself, as a number that may be absent does.
var plainText = reflect.TypeFor[json.Marshaler]()

// walk visits the fields of a type, and of the types of these.
func walk(t reflect.Type, path string, visit func(Field)) {
	switch t.Kind() {
	case reflect.Pointer:
		walk(t.Elem(), path, visit)
	case reflect.Slice, reflect.Array:
		walk(t.Elem(), path+"[]", visit)
	case reflect.Struct:
		if t.Implements(plainText) {
			return
		}
		for f := range t.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case name == "-":
			case name == "" && f.Anonymous:
				walk(f.Type, path, visit)
			case name != "":
				at := strings.TrimPrefix(path+"."+name, ".")
				visit(Field{name, at})
				walk(f.Type, at, visit)
			}
		}
	}
}
