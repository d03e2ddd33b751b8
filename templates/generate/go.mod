module mcsim/templates/generate

go 1.26

replace mcsim => ../..

require (
	codeberg.org/go-fonts/latin-modern v0.4.0
	github.com/andybalholm/brotli v1.2.8
	golang.org/x/image v0.40.0
	mcsim v0.0.0-00010101000000-000000000000
)

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.12.0 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/goccy/go-yaml v1.19.2 // indirect
	github.com/gohugoio/hugo-goldmark-extensions/passthrough v0.5.0 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/google/renameio/v2 v2.0.2 // indirect
	github.com/yuin/goldmark v1.8.7 // indirect
	golang.org/x/text v0.37.0 // indirect
	gonum.org/v1/plot v0.17.0 // indirect
)
