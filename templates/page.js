// Functions that the scripts of the pages share.
"use strict";

const find = id => document.getElementById(id);

// addParts sets the attributes of an element, adds its contents, and returns it.
function addParts(element, attributes, contents) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...contents);
  return element;
}

const createHTML = (tag, attributes, ...contents) => addParts(document.createElement(tag), attributes, contents);

// showMessage shows a message below the controls of the page.
function showMessage(text, isFault) {
  find("lab-say").textContent = text;
  find("lab-say").classList.toggle("fault", !!isFault);
}

// copyField selects the text of a field, copies it, and says so.
async function copyField(id) {
  find(id).select();
  try {
    await navigator.clipboard.writeText(find(id).value);
    showMessage("Copied.");
  } catch {
    showMessage("It is marked: copy it with your keyboard.");
  }
}

const formatPercent = weight => weight < 0.005 ? "0" : (100 * weight).toFixed(0);

// showRow shows a row in a strip: a cell for each weight, which is the darker the larger the weight is,
// the gauge of the largest weight, and a sentence about the row.
function showRow(strip, weights, label) {
  const largest = Math.max(...weights), hasNumbers = weights.length <= 16;
  const cells = strip.querySelector(".cells");
  cells.style.gridTemplateColumns = `repeat(${hasNumbers ? Math.min(8, weights.length) : 16}, 1fr)`;
  cells.replaceChildren(...weights.map(weight => {
    const ink = createHTML("i", {});
    ink.style.opacity = Math.sqrt(weight);
    const numbers = hasNumbers ? [createHTML("b", {}, formatPercent(weight))] : [];
    return createHTML("div", { class: "cell" }, createHTML("span", {}, ink), ...numbers);
  }));
  strip.querySelector(".gauge").value = largest;
  const isFlat = label === "spread" && largest < 1.3 / weights.length;
  const isMost = label === "concentrated" && largest < 0.9;
  const sentence = isFlat ? "All keys get nearly the same: the scores hardly count." : isMost ?
    `The row is concentrated: ${largest < 0.5 ? "few keys have" : "one key has"} most of the weight.` : {
      spread: Math.min(...weights) < 0.01 ? "The weights are spread over some of the keys." :
        "The weights are spread: every key can still gain or lose.",
      concentrated: "The row is concentrated: one key has nearly all the weight.",
      dead: "The row is dead: one key has all the weight, and almost no gradient gets through.",
    }[label];
  strip.querySelector(".finding").textContent =
    `In this row key ${weights.indexOf(largest) + 1} gets ${formatPercent(largest)} % of the weight. ${sentence}`;
}
