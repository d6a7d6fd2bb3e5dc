// SPDX-License-Identifier: Apache-2.0
// What is reported next to the picture: time and numbers, scale, colours, energy, and where the time goes.

let labelUnits = { lengths: [], times: [] };

function timeText({ time, units }) {
  if (!units.time_s) return `t = ${written(time)}`;
  const seconds = time * units.time_s;
  const [name, one] = unitFor(labelUnits.times, seconds === 0 ? units.time_s : Math.abs(seconds));
  return `t = ${written(seconds / one, 4)} ${name}`;
}

function lengthText(length, units) {
  if (!units.length_cm) return written(length);
  const [name, one] = unitFor(labelUnits.lengths, length * units.length_cm);
  return `${written((length * units.length_cm) / one)} ${name}`;
}

// `every`: of those that are shown, every how manieth is drawn while the picture moves.
function tellCounts(about, every) {
  const drawn = Math.ceil(about.shown / every), moves = every > 1 ? " while it moves" : "";
  const part = drawn < about.n ? `, ${written((100 * drawn) / about.n, 3)} % shown${moves}: ${counted(drawn)}` : ", all shown";
  byId("counts").textContent = `${counted(about.n)} particle${about.n === 1 ? "" : "s"}${part}` +
    (about.step === undefined ? "" : `; step ${counted(about.step)}`);
}

// A length that fills a part of the picture's width, at the target's distance.
function tellScale(about, canvas) {
  const units = about.units, pixel = camera.extent / canvas.clientHeight, longest = 0.16 * canvas.clientWidth * pixel;
  const one = units.length_cm ? unitFor(labelUnits.lengths, longest * units.length_cm)[1] / units.length_cm : 1;
  const length = roundLength(longest / one) * one;
  byId("length").textContent = lengthText(length, units);
  byId("stroke").style.width = `${length / pixel}px`;
}

function tellColours(frame, range) {
  byId("bar").hidden = !frame.value;
  if (!frame.value) return;
  const canvas = byId("bar").querySelector("canvas"), context = canvas.getContext("2d");
  const across = context.createLinearGradient(0, 0, canvas.width, 0);
  maps.inferno.forEach((hex, k, all) => across.addColorStop(k / (all.length - 1), `#${hex}`));
  context.fillStyle = across;
  context.fillRect(0, 0, canvas.width, canvas.height);
  byId("low").textContent = written(2 ** range[0], 3);
  byId("high").textContent = written(2 ** range[1], 3);
  byId("unit").textContent = frame.about.colours.find((c) => c.name === frame.about.colour)?.unit ?? "";
}

// Colours reach from the 2nd to the 99.8th percentile of a sample.
function rangeOf(value) {
  const some = [], one = new Uint32Array(1), float = new Float32Array(one.buffer);
  for (let k = 0; k < value.length; k += Math.max(1, Math.floor(value.length / 20000))) {
    if (value[k] === 0) continue;
    one[0] = value[k] << 16;
    some.push(Math.log2(float[0]));
  }
  if (some.length === 0) return [0, 1];
  const [low, high] = [quantile(some, 0.02), quantile(some, 0.998)];
  return high - low > 0.1 ? [low, high] : [low - 0.5, high + 0.5];
}

const stageNames = {
  tree: ["bound", "key", "sort", "reorder", "build", "moments"], "walk, forces": ["walk"], gas: ["gas"],
  collisions: ["collisions"], "kick, drift": ["kick_drift"], energy: ["energy"], transfer: ["transfer"],
};

function tellStages(seconds) {
  byId("where").hidden = !seconds;
  const rows = seconds ? Object.entries(stageNames).map(([name, stages]) =>
    [name, stages.reduce((sum, stage) => sum + (seconds[stage] ?? 0), 0)]).filter(([, s]) => s > 0) : [];
  const all = rows.reduce((sum, [, s]) => sum + s, 0);
  byId("stages").replaceChildren(...rows.sort((a, b) => b[1] - a[1]).map(([name, s]) => {
    const row = document.createElement("div"), bar = document.createElement("i");
    const label = document.createElement("span"), number = document.createElement("b");
    bar.style.width = `${(100 * s) / all}%`;
    label.textContent = name;
    number.textContent = `${written((100 * s) / all, 2)} %, ${written(s, 3)} s`;
    row.append(bar, label, number);
    return row;
  }));
}

// The time of a picture in the unit in which energies have theirs.
function energyTime({ time, units }) {
  return energies.time_s && units.time_s ? (time * units.time_s) / energies.time_s : time;
}

// The relative error over time, its largest at the edges; of a system that keeps no energy the energy itself.
function tellEnergy({ time, relative_error: error, total, kept }, now) {
  byId("run").querySelector("h2").hidden = byId("energy").hidden = time.length === 0;
  if (time.length === 0) return;
  const isError = kept !== false, values = isError ? error : total;
  const canvas = byId("energy"), context = canvas.getContext("2d"), { width, height } = canvas;
  const low = isError ? 0 : Math.min(...values), high = isError ? 0 : Math.max(...values), middle = (low + high) / 2;
  const most = Math.max(...values.map((e) => Math.abs(e - middle)), 1e-300);
  const last = time[time.length - 1], span = last - time[0] || 1;
  const at = (t, e) => [4 + ((t - time[0]) / span) * (width - 8), height / 2 - ((e - middle) / most) * (height / 2 - 6)];
  context.clearRect(0, 0, width, height);
  context.fillStyle = "#9aa3b8";
  context.strokeStyle = "#33405c";
  context.strokeRect(0.5, 0.5, width - 1, height - 1);
  context.beginPath();
  context.moveTo(0, height / 2);
  context.lineTo(width, height / 2);
  context.stroke();
  context.strokeStyle = "#ffd27f";
  context.beginPath();
  time.forEach((t, k) => context[k ? "lineTo" : "moveTo"](...at(t, values[k])));
  context.stroke();
  let k = time.findIndex((t) => t >= now - 1e-9 * span);
  if (k < 0) k = time.length - 1;
  context.beginPath();
  context.arc(...at(time[k], values[k]), 3, 0, 7);
  context.fill();
  byId("error").textContent = isError ? `ΔE/E = ${written(error[k], 2)}` : `E = ${written(total[k], 4)}`;
  canvas.title = isError ? `relative error of the energy; the largest ${written(most, 2)}`
    : `the energy, which this system does not keep: ${written(low, 4)} to ${written(high, 4)}`;
}

function showFamilies(about, shown, changed) {
  const colour = ({ light }) => {
    const most = Math.max(...light);
    return `rgb(${light.map((x) => Math.round(255 * (x / most) ** (1 / 2.2))).join(",")})`;
  };
  byId("families").replaceChildren(...about.families.flatMap((family, k) => {
    if (family.count === 0) return [];
    const label = document.createElement("label"), box = document.createElement("input");
    const words = document.createElement("span"), dot = document.createElement("i");
    Object.assign(box, { type: "checkbox", checked: shown[k] === 1 });
    box.addEventListener("change", () => { shown[k] = box.checked ? 1 : 0; changed(); });
    dot.style.background = colour(family);
    words.append(dot, `${family.name.replace("_", " ")} ${counted(family.count)}`);
    label.append(words, box);
    return [label];
  }));
}
