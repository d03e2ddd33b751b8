package script

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"mcsim/sim/names"
)

// Patterns of the values that the engines accept, from their documentation.
const (
	slurmTimePattern      = `^(\d+|\d+:\d\d(:\d\d)?|\d+-\d+(:\d\d(:\d\d)?)?)$`
	slurmMemoryPattern    = `^\d+[KMGT]?$`
	slurmPartitionPattern = `^[\w.+-]+(,[\w.+-]+)*$`

	imagePattern     = `^[a-zA-Z0-9][\w./:@-]*$`
	subdomainPattern = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	labelPattern     = `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$` // of one label of a DNS name
	quantityPattern  = `^\d+(\.\d+)?([kMGTPE]|[KMGTPE]i)?$`
)

// checkFolderName returns an error if a name is empty or has invisible characters, such as line
// breaks.
func checkFolderName(name string) error {
	if name == "" {
		return fmt.Errorf("the name of a folder is empty")
	}
	if r, found := names.FirstHidden(name); found {
		return fmt.Errorf("the folder %s: its name has the invisible character %q", printable(name), r)
	}
	return nil
}

// printable returns a text on one line, with visible characters only.
func printable(text string) string { return names.Printable(text) }

// quoteShell quotes a text as one word of a POSIX shell.
func quoteShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// quoteYAML quotes a text as a double-quoted YAML scalar. This is its JSON form, with escapes in
// place of the characters that YAML calls non-printable.
func quoteYAML(text string) (string, error) {
	quoted, err := json.Marshal(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range string(quoted) {
		if r >= 0x7f && r <= 0xffff && !unicode.IsGraphic(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String(), nil
}
