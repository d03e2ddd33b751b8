package site

import (
	"strings"
	"unicode/utf8"

	"mcsim/report/page"
)

// A description has at most so many letters, since who lists pages shows no more, and
// a lead of fewer than the least says too little by itself.
const (
	longest = 300
	least   = 60
)

// about describes a page by the first sentences of its lead, and where these say little by
// what a reader finds there.
func about(lead, found string) string {
	if utf8.RuneCountInString(lead) < least {
		lead += " " + strings.ToUpper(found[:1]) + found[1:] + "."
	}
	words := strings.Fields(lead)
	var b strings.Builder
	whole := 0 // bytes up to the last end of a sentence
	for _, w := range words {
		if utf8.RuneCountInString(b.String())+utf8.RuneCountInString(w)+1 > longest {
			if whole == 0 {
				return b.String() + "…"
			}
			return b.String()[:whole]
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		if strings.ContainsAny(w[len(w)-1:], ".?!") {
			whole = b.Len()
		}
	}
	return b.String()
}

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
