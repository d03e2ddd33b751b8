module mcsim/templates/generate

go 1.26.0

replace mcsim => ../..

require (
	codeberg.org/go-fonts/latin-modern v0.4.0
	github.com/andybalholm/brotli v1.2.8
	golang.org/x/image v0.48.0
	mcsim v0.0.0-00010101000000-000000000000
)

require (
	codeberg.org/go-fonts/liberation v0.6.0 // indirect
	github.com/agext/levenshtein v1.2.3 // indirect
	github.com/gohugoio/hugo-goldmark-extensions/passthrough v0.5.0 // indirect
	github.com/yuin/goldmark v1.8.7 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	gonum.org/v1/plot v0.17.0 // indirect
)
