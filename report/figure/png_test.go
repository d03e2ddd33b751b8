package figure

import (
	"bytes"
	be "encoding/binary"
	"hash/crc32"
	"image/png"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/theme"
)

func TestPNG(t *testing.T) {
	doc := sample.Document()
	for i, c := range few(charts, 6) {
		first, err := c.Of(doc).PNG(theme.Print)
		if err != nil {
			t.Fatal(err)
		}
		leave(t, c.Name+".png", first)
		if second, _ := c.Of(doc).PNG(theme.Print); i == 0 && !bytes.Equal(first, second) {
			t.Errorf("%s: two drawings differ", c.Name)
		}
		img, err := png.DecodeConfig(bytes.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if img.Width < 2160 || img.Width > 2163 { // 183 mm at 300 to the inch
			t.Errorf("%s: %d dots wide", c.Name, img.Width)
		}
		said := chunks(t, first)
		if want := "\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"; said["pHYs"] != want { // 11811 to the metre
			t.Errorf("%s: pHYs is %x", c.Name, said["pHYs"])
		}
		for _, want := range []string{"Title\x00\x00\x00en\x00\x00" + label.Plain(c.Title), "Description\x00\x00\x00en\x00\x00" + label.Plain(c.Of(doc).fullCaption()), "The mcsim authors"} {
			if !strings.Contains(said["iTXt"], want) {
				t.Errorf("%s: iTXt lacks %q", c.Name, want)
			}
		}
	}
}

// chunks reads what a PNG file holds, with its sums checked.
func chunks(t *testing.T, file []byte) map[string]string {
	t.Helper()
	out := map[string]string{}
	for rest := file[8:]; len(rest) > 0; {
		n := be.BigEndian.Uint32(rest)
		body := rest[4 : 8+n]
		if be.BigEndian.Uint32(rest[8+n:]) != crc32.ChecksumIEEE(body) {
			t.Fatalf("the sum of %s is wrong", body[:4])
		}
		out[string(body[:4])] += string(body[4:])
		rest = rest[12+n:]
	}
	return out
}
