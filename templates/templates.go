// Package templates holds the texts and the look of a report: one Markdown
// template for each page, their sources, the HTML shell around the pages, and
// their style and icon, and the markup, style and
// script of the lab. The report package fills them; a folder of the user's can
// replace any of these files.
package templates

import "embed"

//go:generate go run -C generate .

// Files are the templates by name.
//
//go:embed *.md *.html *.css *.svg *.js
var Files embed.FS

// Math are the formulas of the templates as MathML, and the font that shows
// them. They are made by the command in generate.
//
//go:embed math.json math.woff2
var Math embed.FS
