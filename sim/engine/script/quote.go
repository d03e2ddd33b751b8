package script

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"mcsim/sim/names"
)

// What engines take, as their documentation has it: patterns.
const (
	slurmTime      = `^(\d+|\d+:\d\d(:\d\d)?|\d+-\d+(:\d\d(:\d\d)?)?)$`
	slurmMemory    = `^\d+[KMGT]?$`
	slurmPartition = `^[\w.+-]+(,[\w.+-]+)*$`

	image     = `^[a-zA-Z0-9][\w./:@-]*$`
	subdomain = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	dnsLabel  = `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`
	quantity  = `^\d+(\.\d+)?([kMGTPE]|[KMGTPE]i)?$`
)

// oneLine refuses a name that is empty, or that has characters which nobody sees; a break of
// lines is one.
func oneLine(name string) error {
	if name == "" {
		return fmt.Errorf("the name of a folder is empty")
	}
	if r, found := names.FirstHidden(name); found {
		return fmt.Errorf("the folder %s: its name has the character %q, which a script cannot show", visible(name), r)
	}
	return nil
}

// visible is a text on one line.
func visible(text string) string { return names.Printable(text) }

// shell is a text as one word of a shell.
func shell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// yaml is a text as YAML has it between double quotes: JSON, of which YAML takes all but
// characters that it calls unprintable, and these as numbers.
func yaml(text string) (string, error) {
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
