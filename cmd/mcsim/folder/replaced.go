package folder

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"mcsim/sim/plain"

	"mcsim/sim/plan"
	"mcsim/sim/result"
)

// Replaced says in one line which finished results of another plan a run of p takes the place
// of, and which site shows them until it is made again; nothing where there are none. A new
// attempt and a larger part are asked for, and worth a line only where a site shows the old.
func Replaced(dir string, p *plan.Plan) string {
	path := filepath.Join(dir, Results)
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	doc, err := result.Outline(file)
	if err != nil {
		return ""
	}
	differ, err := differing(doc.Plan, p)
	if err != nil || len(differ) == 0 {
		return ""
	}
	site := siteIn(dir)
	goesOn := !slices.ContainsFunc(differ, func(key string) bool { return key != "attempt" && key != "only" })
	if goesOn && site == "" {
		return ""
	}
	said := fmt.Sprintf("%s holds results of another plan, which this run replaces; they differ in: %s", path, strings.Join(differ, ", "))
	if site != "" {
		said += fmt.Sprintf("; %s shows the old ones until `mcsim report %s`", site, dir)
	}
	return plain.Printable(said)
}

// differing are the keys of the plan of a document that p has otherwise, in their order.
func differing(text json.RawMessage, p *plan.Plan) (keys []string, err error) {
	own, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	var was, is map[string]any
	if err := cmp.Or(json.Unmarshal(text, &was), json.Unmarshal(own, &is)); err != nil {
		return nil, err
	}
	both := maps.Clone(was)
	maps.Copy(both, is)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		if !reflect.DeepEqual(was[key], is[key]) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// siteIn is the first file of a site that stands in the folder, or of a report.
func siteIn(dir string) string {
	for _, files := range [][]string{{"index.html", "SHA256SUMS"}, {"report.md"}} {
		if !slices.ContainsFunc(files, func(name string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err != nil
		}) {
			return filepath.Join(dir, files[0])
		}
	}
	return ""
}
