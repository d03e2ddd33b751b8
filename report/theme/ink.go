package theme

import "image/color"

// InkOn returns the ink of words on a colour of a map, black or white, which is
// the same on paper and on a dark page. The luminance is that of a display
// whose light grows with the square of a colour.
func InkOn(k color.NRGBA) color.NRGBA {
	r, g, b := int(k.R), int(k.G), int(k.B)
	if 2126*r*r+7152*g*g+722*b*b > 2100*255*255 {
		return color.NRGBA{A: 255}
	}
	return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
}
