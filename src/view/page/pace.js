// SPDX-License-Identifier: Apache-2.0
// While the picture moves, only as many bodies are drawn as leave time for 30 pictures a second; once it rests, all are.

const resting = 250;                        // ms after the last movement
const slowPicture = 36, quickPicture = 20;  // ms: fewer bodies are drawn above, more below
const longestStep = 21;                     // WebGL's strides fit into a byte: twelve bytes a place
const fewBodies = 20000;                    // to draw fewer saves no time

// Every how manieth of n bodies is drawn after a picture that took so many milliseconds.
function paced(every, took, n) {
  const longest = Math.max(1, Math.min(longestStep, Math.floor(n / fewBodies)));
  if (took > slowPicture) return Math.min(longest, Math.ceil(every * Math.min((1.2 * took) / slowPicture, 8)));
  return took < quickPicture ? Math.max(1, Math.floor(every * 0.9)) : Math.min(every, longest);
}

class Pace {
  // draws(every): every 1 is the whole picture; counts(): the bodies of one
  constructor(draws, counts) {
    Object.assign(this, { draws, counts, every: 1, last: null, moving: 0, waits: false, pictures: 0 });
  }

  // A picture is due; `moves` says that others are likely to follow.
  ask(moves = false) {
    if (moves) this.moving = performance.now() + resting;
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame((now) => this.picture(now));
  }

  picture(now) {
    this.waits = false;
    const moves = performance.now() < this.moving;
    // the browser holds back the next picture until the card has drawn those before it
    if (moves && this.last !== null) this.every = paced(this.every, now - this.last, this.counts());
    this.last = moves ? now : null;
    ++this.pictures;
    this.draws(moves ? this.every : 1);
    if (moves) this.ask();  // so that the time between two is that of a picture
  }
}
