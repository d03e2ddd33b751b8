// Command generate writes where the report shows each name, out of the sample document,
// which has every experiment, or the flags that the report explains, out of docs/data.md. Its
// argument is the file, of which the name says which of the two it is.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"mcsim/report/glossary"
	"mcsim/report/internal/sample"
	"mcsim/report/site"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("give the file to write")
	}
	if filepath.Base(os.Args[1]) == "flags.md" {
		data, err := os.ReadFile(filepath.Join("..", "..", "docs", "data.md"))
		if err != nil {
			return err
		}
		text, ok := glossary.FlagsText(string(data))
		if !ok {
			return fmt.Errorf("docs/data.md has no table of flags")
		}
		return os.WriteFile(os.Args[1], []byte(text), 0o644)
	}
	found, err := site.Places(sample.Document())
	if err != nil {
		return err
	}
	return os.WriteFile(os.Args[1], glossary.PlacesText(found), 0o644)
}
