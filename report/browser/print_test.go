package browser

// paperWidth is the width of A4 without its margins (style.css), in CSS pixels.
const paperWidth = int64((210 - 2*16) * 960 / 254)

// printFaultsScript lists the faults of a printed page: visible elements that are useful only on a
// screen, elements that a page break may divide or separate from their captions, elements that are
// wider than the paper, and links whose addresses cannot be read.
const printFaultsScript = `(() => {
	const bad = [], seen = e => e.getClientRects().length > 0;
	for (const d of document.querySelectorAll("details")) d.open = true;
	for (const e of document.querySelectorAll("header, .turn, .contents, .skip, .files, .note")) {
		if (seen(e)) bad.push("prints " + e.className + " " + e.localName);
	}
	for (const a of document.querySelectorAll('figcaption a[href^="figures/"]')) {
		if (seen(a) && a.innerText.trim()) bad.push("prints a link to " + a.href);
	}
	for (const f of document.querySelectorAll("figure.table")) {
		const style = getComputedStyle(f), caption = f.querySelector("figcaption");
		if (style.display !== "block") {
			bad.push(f.id + " is a " + style.display + ", which separates captions from tables");
		}
		if (caption && getComputedStyle(caption).breakAfter !== "avoid") {
			bad.push("the caption of " + f.id + " may be separated from its table");
		}
		const rows = f.querySelectorAll("tbody tr").length;
		if (rows <= 15 && style.breakInside !== "avoid") bad.push(f.id + " of " + rows + " rows may break");
		if (rows > 0 && getComputedStyle(f.querySelector("thead")).display !== "table-header-group") {
			bad.push(f.id + " does not repeat its head");
		}
	}
	for (const n of document.querySelectorAll(".notation")) {
		if (getComputedStyle(n).breakInside !== "avoid") bad.push("the notation may break after its title");
	}
	for (const f of document.querySelectorAll("figure.chart")) {
		if (getComputedStyle(f).breakInside !== "avoid") bad.push(f.id + " may break");
	}
	for (const t of document.querySelectorAll("table, pre, .equation")) {
		const right = t.getBoundingClientRect().left + Math.max(t.scrollWidth, t.getBoundingClientRect().width);
		const name = (t.closest("figure") || t).id || t.innerText.slice(0, 40);
		if (right > innerWidth + 1) bad.push(name + " is cut: it ends at " + right + " px of " + innerWidth + " px");
	}
	for (const a of document.querySelectorAll('main a[href^="https:"]')) {
		const read = a.innerText + getComputedStyle(a, "::after").content, address = decodeURI(a.href);
		const number = address.replace(/^https:\/\/(doi\.org|arxiv\.org\/abs)\//, "");
		if (seen(a) && !read.includes(address) && !read.includes(number)) {
			bad.push("the address of the link " + a.innerText + " is not printed");
		}
	}
	return bad;
})()`
