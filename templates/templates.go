// Package templates holds the texts and the look of a report: one Markdown
// template for each page, the HTML shell around the pages, and their style.
// The report package fills them; a folder of the user's can replace any file.
package templates

import "embed"

// Files are the templates by name.
//
//go:embed *.md *.html *.css
var Files embed.FS
