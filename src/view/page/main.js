// SPDX-License-Identifier: Apache-2.0
// Puts picture, panels and player together.

const sky = new Sky(byId("sky"));
const looks = {
  shown: [1, 1, 1, 1, 1, 1], size: 1.5, brightness: 0, spheres: true, box: true, glow: true, range: [0, 1], wholeExtent: 1,
};
let followed = null, fitted = false, ranged = "", chosen = false, energies = { time: [], relative_error: [], kept: true };

const pace = new Pace((every) => {
  sky.draw(looks, every);
  if (!sky.frame) return;
  tellScale(sky.frame.about, sky.canvas);
  tellCounts(sky.frame.about, every);
}, () => sky.frame?.about.shown ?? 0);
const redraw = () => pace.ask();

function fit() {
  if (!sky.frame) return;
  camera.fit(sky.frame, sky.aspect());
  looks.wholeExtent = camera.extent;
  redraw();
}

function follow(id) {
  followed = id;
  if (sky.frame) track(sky.frame);
  redraw();
}

// The followed body is the target; it is reported, too.
function track(frame) {
  if (followed === null) { byId("followed").textContent = ""; return; }
  if (frame.about.bodies !== followed.bodies) Object.assign(followed, { place: placeOf(frame.id, followed.id), bodies: frame.about.bodies });
  const k = followed.place;
  if (k < 0) { byId("followed").textContent = `body ${followed.id} is not there`; return; }
  const at = [0, 1, 2].map((axis) => frame.about.origin[axis] + frame.position[3 * k + axis]);
  camera.target = at;
  const radius = frame.radius?.[k] > 0 ? `, radius ${lengthText(frame.radius[k], frame.about.units)}` : "";
  byId("followed").textContent = `follows ${frame.about.families[frame.family[k]].name.replace("_", " ")} ${followed.id} at ` +
    `(${at.map((x) => written(x, 5)).join(", ")})${radius}`;
}

function offerColours(about) {
  const select = byId("colour"), names = ["family", ...about.colours.map((c) => c.name)];
  if ([...select.options].map((o) => o.value).join() !== names.join()) {
    select.replaceChildren(...names.map((name) => new Option(name.replace("_", " "), name)));
  }
  select.value = about.colour ?? "family";
  const first = about.families[0].count > 0 && names.includes("density") && !about.colour;
  if (chosen || !first) return;
  chosen = true;  // gas is first seen by its density
  player.recolour("density");
}

function shows(frame) {
  sky.show(frame);
  if (frame.value && ranged !== frame.about.colour) {
    looks.range = rangeOf(frame.value);
    ranged = frame.about.colour;
  }
  if (!frame.value) ranged = "";
  if (!fitted && frame.about.shown > 0) {
    fitted = true;
    fit();
    looks.size = clamp(Math.round(2 * 1.5 * (1e5 / frame.about.shown) ** (1 / 3)) / 2, 1.5, 5);  // few are seen, too
    byId("size").value = looks.size;
  }
  byId("spheres-label").hidden = !sky.radii;
  byId("glow-label").hidden = sky.glow === null;
  byId("box-label").hidden = !frame.about.box;
  offerColours(frame.about);
  showFamilies(frame.about, looks.shown, redraw);
  byId("time").textContent = timeText(frame.about);
  tellCounts(frame.about, 1);
  tellColours(frame, looks.range);
  tellEnergy(energies, energyTime(frame.about));
  track(frame);
  pace.ask(moves());
}

// Frames come one after the other.
const moves = () => (player.state.live ? !player.state.paused : player.playing);

function tells() {
  const { state } = player, slider = byId("slider"), running = moves();
  byId("title").textContent = state.title ?? "";
  document.title = `${state.title ?? "view"} - Hornbeam`;
  byId("message").textContent = player.lost || player.message || state.message || (state.live || state.names.length ? "" : "no snapshots yet");
  byId("go").textContent = running ? "▮▮" : "▸";
  slider.hidden = byId("newest-label").hidden = byId("back").hidden = state.live;
  byId("play").hidden = !state.live && state.names.length < 2;
  if (state.live) byId("status").textContent = state.paused && state.status !== "paused" ? `${state.status}, will pause` : state.status;
  else if (player.index !== null) {
    slider.max = state.names.length - 1;
    slider.value = player.index;
    byId("status").textContent = `${state.names[player.index]} (${player.index + 1} of ${state.names.length})`;
  }
}

const player = new Player(shows, tells);

async function watchEnergy() {
  for (;;) {
    try {
      energies = await askJson("/energy");
      byId("run").hidden = energies.time.length === 0 && !energies.seconds;
      tellStages(energies.seconds);
      tellEnergy(energies, sky.frame ? energyTime(sky.frame.about) : 0);
    } catch (error) {
      if (error.status) player.fails(error);  // the player shows if the server cannot be reached
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

function connect() {
  const check = (id, set) => byId(id).addEventListener("change", (event) => { set(event.target.checked); redraw(); });
  const range = (id, name) => byId(id).addEventListener("input", (event) => { looks[name] = Number(event.target.value); redraw(); });
  check("spheres", (is) => { looks.spheres = is; });
  check("box", (is) => { looks.box = is; });
  check("glow", (is) => { looks.glow = is; });
  check("parallel", (is) => { camera.parallel = is; });
  range("brightness", "brightness");
  range("size", "size");
  byId("spheres").checked = true;
  byId("colour").addEventListener("change", (event) => {
    chosen = true;
    player.recolour(event.target.value === "family" ? "" : event.target.value);
  });
  byId("slider").addEventListener("input", (event) => {
    byId("newest").checked = false;
    player.playing = false;
    player.showSnapshot(Number(event.target.value));
  });
  const brighten = (by) => { byId("brightness").value = looks.brightness += by; redraw(); };
  const along = (axis) => () => { camera.along(axis); redraw(); };
  const nextColour = () => {
    const select = byId("colour");
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    select.dispatchEvent(new Event("change"));
  };
  const does = {
    go: () => player.go(), next: () => player.step(1), back: () => player.step(-1), fit,
    help: () => byId("keys").showModal(), "from-z": along("z"), "from-y": along("y"), "from-x": along("x"),
  };
  for (const [id, act] of Object.entries(does)) byId(id).addEventListener("click", act);
  listenToKeys({
    " ": does.go, ArrowRight: does.next, ArrowLeft: does.back, f: fit, h: does.help, "?": does.help, c: nextColour,
    x: along("x"), y: along("y"), z: along("z"), "+": () => brighten(0.5), "-": () => brighten(-0.5),
    p: () => byId("parallel").click(), Escape: () => follow(null),
  });
  listenToPointer(byId("sky"), {
    changed: ({ moved }) => { if (moved && followed) follow(null); pace.ask(true); },
    picked: (x, y) => {
      const k = nearestBody(sky, looks, x, y);
      if (k >= 0) follow({ id: idAt(sky.frame.id, k), bodies: "" });
    },
  });
  window.addEventListener("resize", redraw);
}

// Seconds that the card takes for a picture, turned a little each time: for tests and measurements.
function drawnSeconds(pictures) {
  const pixel = new Uint8Array(4), began = performance.now();
  for (let k = 0; k < pictures; ++k) {
    camera.orbit(0.01, 0);
    sky.draw(looks);
    sky.gl.readPixels(0, 0, 1, 1, sky.gl.RGBA, sky.gl.UNSIGNED_BYTE, pixel);  // waits for it
  }
  return (performance.now() - began) / 1000 / pictures;
}

window.hornbeam = { sky, camera, looks, pace, player, drawnSeconds, fit, follow, redraw };
connect();
redraw();
player.begin();
watchEnergy();
