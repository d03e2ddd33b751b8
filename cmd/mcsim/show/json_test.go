package show

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestJSONEscapesHidden checks that JSON has no hidden characters, and still the same text.
func TestJSONEscapesHidden(t *testing.T) {
	text := "a\u202eb\u2066c\U000e0001√"
	var b bytes.Buffer
	err := JSON(&b, text)
	if want := `"a\u202eb\u2066c\udb40\udc01√"` + "\n"; err != nil || b.String() != want {
		t.Errorf("got %q with the error %v, want %q", b.String(), err, want)
	}
	var decoded string
	if err := json.Unmarshal(b.Bytes(), &decoded); err != nil || decoded != text {
		t.Errorf("the JSON decodes to %q with the error %v, want %q", decoded, err, text)
	}
}
