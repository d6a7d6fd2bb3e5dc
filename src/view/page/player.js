// SPDX-License-Identifier: Apache-2.0
// Which frame is shown: snapshots one after the other, or whatever a simulation hands over. Calls shows(frame).

class Player {
  constructor(shows, tells) {
    Object.assign(this, { shows, tells, state: { live: false, names: [], message: "" }, index: null, asked: 0 });
    this.version = 0;
    this.message = this.lost = "";  // of a snapshot; of the server
    this.playing = false;
    this.colour = "";
    this.frames = 0;
  }

  async look() {
    const state = await askJson("/state");
    this.lost = "";
    labelUnits = state.units_of_labels;
    if (state.live && state.version < this.version) this.version = 0;  // another simulation serves now
    const grown = !state.live && state.names.length !== this.state.names.length;
    this.state = state;
    return grown;
  }

  query() { return this.colour ? { colour: this.colour } : {}; }

  // -- snapshots

  async showSnapshot(index) {
    if (this.state.names.length === 0) return;
    this.index = clamp(index, 0, this.state.names.length - 1);
    const asked = ++this.asked;
    this.tells();
    try {
      const frame = await askFrame({ ...this.query(), index: this.index });
      if (asked !== this.asked) return;  // the slider has moved on
      if (!frame) return this.showSnapshot(this.index);  // the server is busy
      this.shown(frame);
    } catch (error) {
      if (asked === this.asked) this.fails(error);
    }
    return undefined;
  }
  shown(frame) {
    ++this.frames;
    this.message = "";
    this.shows(frame);
    this.tells();
  }
  fails(error) {
    this.message = error.message;
    this.tells();
  }
  loses(error) {
    if (error.status) return this.fails(error);
    this.lost = `the server cannot be reached: ${error.message}`;
    return this.tells();
  }

  async play() {
    this.playing = true;
    while (this.playing && this.index < this.state.names.length - 1) {
      const rest = new Promise((done) => setTimeout(done, 1000 / 30));
      await this.showSnapshot(this.index + 1);
      await rest;
    }
    this.playing = false;
    this.tells();
  }

  async watchFolder() {
    for (;;) {
      try {
        const grown = await this.look(), last = this.state.names.length - 1;
        if (this.index === null && last >= 0) await this.showSnapshot(byId("newest").checked ? last : 0);
        else if (grown && byId("newest").checked && !this.playing) await this.showSnapshot(last);
        this.tells();
      } catch (error) { this.loses(error); }
      await new Promise((done) => setTimeout(done, 1000));
    }
  }

  // -- a simulation

  async watchSimulation() {
    for (;;) {
      try {
        const frame = await askFrame({ ...this.query(), after: this.version });
        if (frame) {
          this.version = frame.about.version;
          this.shown(frame);
        } else await this.look();  // nothing new for some seconds
      } catch (error) {
        if (error.status) this.fails(error);  // watchStatus() shows if the server cannot be reached
        await new Promise((done) => setTimeout(done, 500));
      }
    }
  }
  async watchStatus() {
    for (;;) {
      await new Promise((done) => setTimeout(done, 500));
      await this.look().catch((error) => this.loses(error));
      this.tells();
    }
  }
  async order(what) {
    try {
      await askJson("/control", { do: what }, { method: "POST" });
      await this.look();
    } catch (error) { this.message = error.message; }
    this.tells();
  }

  // -- buttons

  go() {
    if (this.state.live) return this.order(this.state.paused ? "go-on" : "pause");
    if (this.playing) this.playing = false;
    else {
      if (this.index >= this.state.names.length - 1) this.index = -1;
      this.play();
    }
    return this.tells();
  }
  step(by) {
    if (this.state.live) return by > 0 ? this.order("step") : undefined;
    this.playing = false;
    return this.showSnapshot((this.index ?? 0) + by);
  }
  recolour(colour) {
    this.colour = colour;
    this.version = 0;
    if (!this.state.live && this.index !== null) return this.showSnapshot(this.index);
    return undefined;
  }

  async begin() {
    for (;;) {
      try { await this.look(); break; } catch (error) {
        this.loses(error);
        await new Promise((done) => setTimeout(done, 1000));
      }
    }
    this.tells();
    if (!this.state.live) return this.watchFolder();
    this.watchStatus();
    return this.watchSimulation();
  }
}
