package theme

import "image/color"

// viridis is the map of Stéfan van der Walt and Nathaniel Smith (2015), equal
// steps of which look equal, in colour, in grey and to colour-blind eyes:
// every fifteenth of the 256 colours that they published (matplotlib,
// _cm_listed.py; CC0), straight lines between.
var viridis = [18]uint32{
	0x440154, 0x481769, 0x472a7a, 0x433d84, 0x3d4e8a, 0x355e8d, 0x2e6d8e, 0x297b8e, 0x23898e,
	0x1f978b, 0x21a585, 0x2eb37c, 0x46c06f, 0x65cb5e, 0x89d548, 0xb0dd2f, 0xd8e219, 0xfde725,
}

// ColourAt returns the colour of u in [0, 1].
func ColourAt(u float64) color.NRGBA {
	at := min(1, max(0, u)) * float64(len(viridis)-1)
	i := min(int(at), len(viridis)-2)
	return mix(rgb(viridis[i]), rgb(viridis[i+1]), at-float64(i))
}
