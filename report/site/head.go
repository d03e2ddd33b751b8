package site

import (
	"strings"

	"mcsim/report/page"
)

// poster is the address of the image that stands for a page where it is linked to: its
// first chart as pixels. Such an address is to be absolute, which it is where
// CITATION.cff says where the pages are published.
func poster(chart string, files map[string]bool) string {
	name := strings.TrimSuffix(chart, ".svg") + ".png"
	if chart == "" || !files[name] {
		return ""
	}
	return published(name, page.Home())
}
