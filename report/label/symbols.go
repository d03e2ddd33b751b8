package label

// characters are the characters of mathematics that are not ordinary symbols, or that are shown as
// another character.
var characters = map[rune]node{
	'-': {text: "−", class: binary}, '−': {text: "−", class: binary}, '+': {text: "+", class: binary},
	'±': {text: "±", class: binary}, '*': {text: "∗", class: binary}, '×': {text: "×", class: binary},
	'=': {text: "=", class: relation}, '<': {text: "<", class: relation}, '>': {text: ">", class: relation},
	'≤': {text: "≤", class: relation}, '≥': {text: "≥", class: relation}, '≈': {text: "≈", class: relation},
	'≠': {text: "≠", class: relation},
	',': {text: ",", class: comma}, ';': {text: ";", class: comma},
	'(': {text: "(", class: opening}, '[': {text: "[", class: opening},
	')': {text: ")", class: closing}, ']': {text: "]", class: closing},
}

// commands maps the names of LaTeX's commands to signs. Small Greek letters are italic and capital
// Greek letters are upright, as in TeX.
var commands = map[string]node{
	"alpha": {text: "α", italic: true}, "beta": {text: "β", italic: true}, "gamma": {text: "γ", italic: true},
	"delta": {text: "δ", italic: true}, "kappa": {text: "κ", italic: true}, "mu": {text: "μ", italic: true},
	"nu": {text: "ν", italic: true}, "pi": {text: "π", italic: true}, "rho": {text: "ρ", italic: true},
	"sigma": {text: "σ", italic: true}, "Gamma": {text: "Γ"}, "Phi": {text: "Φ"},

	"cdot": {text: "·"}, "ldots": {text: "…"}, "infty": {text: "∞"}, "partial": {text: "∂"},
	"sum": {text: "∑", class: function}, "times": {text: "×", class: binary}, "pm": {text: "±", class: binary},
	"le": {text: "≤", class: relation}, "ge": {text: "≥", class: relation}, "ne": {text: "≠", class: relation},
	"approx": {text: "≈", class: relation}, "to": {text: "→", class: relation},
	"ln": {text: "ln", class: function}, "max": {text: "max", class: function},
	"{": {text: "{", class: opening}, "}": {text: "}", class: closing},
	"_": {text: "_"}, "%": {text: "%"}, "vert": {text: "|"}, "Vert": {text: "‖"},
	",": {class: space}, " ": {class: space},
}
