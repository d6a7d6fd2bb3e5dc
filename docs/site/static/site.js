// SPDX-License-Identifier: Apache-2.0
// What the pages do: a button that copies each block of code, and search without what browsers refuse to pages that are
// opened as files.
"use strict";

// Search shows a part of each page that it finds, which it fetches. From a file it may not.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// Browsers without the clipboard's interface copy what is selected.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) throw new Error("the browser does not copy");
  }
}

function addCopyButton(block) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "copy", title: "copy", textContent: "copy" });
  button.addEventListener("click", async () => {
    const text = block.querySelector("pre").textContent.replace(/\n+$/, "\n");
    try {
      await copyText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = "select it and press Ctrl-C";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  block.append(button);
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("div.highlight").forEach((block) => { if (block.querySelector("pre")) addCopyButton(block); });
});
