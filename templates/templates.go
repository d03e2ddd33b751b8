// Package templates contains the texts and the appearance of a report: a Markdown template for each
// page, the cited sources, the HTML around the pages, and their style and icon. It also contains
// the markup, style and script of the lab, the page on which a reader can sample rows. Package
// report/site executes the templates. A user's folder can replace any of these files.
package templates

import "embed"

//go:generate go run -C generate .

// Files contains the templates.
//
//go:embed *.md *.html *.css *.svg *.js
var Files embed.FS

// Math has the formulas of the templates as MathML, and the font for them. The command in the
// folder generate makes both.
//
//go:embed math.json math.woff2
var Math embed.FS
