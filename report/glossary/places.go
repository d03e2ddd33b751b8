package glossary

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/names"
)

//go:generate go run ../generate places.txt

// placesText has a line for each name of a group that the site shows, with the addresses of the pages,
// figures and tables that show it in the report of a plan which has every experiment.
//
//go:embed places.txt
var placesText string

// Key is a name of a group in that file.
func Key(group, name string) string { return group + "/" + name }

// shownAt are the addresses by names.
var shownAt = sync.OnceValue(func() map[string][]string {
	found := map[string][]string{}
	for line := range strings.Lines(placesText) {
		if name, addresses, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			found[name] = strings.Fields(addresses)
		}
	}
	return found
})

// PlacesText writes the addresses of names as the file of places has them.
func PlacesText(of map[string][]string) []byte {
	b := strings.Builder{}
	b.WriteString("Made by make generate, of the sample document.\n")
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(&b, "%s\t%s\n", name, strings.Join(of[name], " "))
	}
	return []byte(b.String())
}

// Place is a page that shows a name, with those of its figures and tables that do.
type Place struct {
	Page            string // its file
	Figures, Tables []string
}

// kinds begin the anchors of figures and tables.
const figureKind, tableKind = "figure-", "table-"

// Addresses says where the report shows a name: pages, and figures and tables of these by
// their anchors.
func Addresses(e names.Entry) []string { return shownAt()[Key(e.Group, e.Name)] }

// Places are the same page by page.
func Places(e names.Entry) (found []Place) {
	for _, address := range Addresses(e) {
		page, anchor, _ := strings.Cut(address, "#")
		i := slices.IndexFunc(found, func(p Place) bool { return p.Page == page })
		if i < 0 {
			found, i = append(found, Place{Page: page}), len(found)
		}
		if figure, ok := strings.CutPrefix(anchor, figureKind); ok {
			found[i].Figures = append(found[i].Figures, figure)
		} else if table, ok := strings.CutPrefix(anchor, tableKind); ok {
			found[i].Tables = append(found[i].Tables, table)
		}
	}
	return found
}
