// SPDX-License-Identifier: Apache-2.0
// Asks the server, and takes frames apart (src/view/frame.h says how they are put together).

const token = new URLSearchParams(location.search).get("token");

async function ask(path, query = {}, options = {}) {
  const words = new URLSearchParams(query);
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const answer = await fetch(`${path}?${words}`, { cache: "no-store", headers, ...options });
  if (answer.ok) return answer;
  const text = await answer.text();
  let said = text;
  try { said = JSON.parse(text).error; } catch { /* not every refusal is JSON */ }
  const error = new Error(said || `the server answers ${answer.status}`);
  error.status = answer.status;
  throw error;
}

const askJson = async (path, query, options) => (await ask(path, query, options)).json();

const arrayTypes = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array };

// {about, position, value, id, family, radius}; value and the last three where they were sent.
function takenApart(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0) !== 0x48425631) throw new Error("what came is no frame");
  const length = view.getUint32(4, true);
  const frame = { about: JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) };
  let at = 8 + length;
  for (const { name, type, rows, columns } of frame.about.arrays) {
    const array = new arrayTypes[type](buffer, at, rows * columns);
    array.columns = columns;
    frame[name] = array;
    at += 4 * Math.ceil(array.byteLength / 4);
  }
  return frame;
}

// The bodies of the frame before: sent again only where they are others.
let bodies = { key: "" };

async function askFrame(query) {
  const answer = await ask("/frame", { ...query, bodies: bodies.key });
  if (answer.status === 204) return null;
  const frame = takenApart(await answer.arrayBuffer());
  if (frame.id) bodies = { key: frame.about.bodies, id: frame.id, family: frame.family, radius: frame.radius };
  if (frame.about.bodies !== bodies.key) {  // two answers crossed
    bodies = { key: "" };
    return askFrame(query);
  }
  return { ...frame, ...bodies };
}

// An id as text: it may have 64 bits.
function idAt(id, k) {
  return id.columns === 1 ? String(id[k]) : String((BigInt(id[2 * k + 1]) << 32n) | BigInt(id[2 * k]));
}

function placeOf(id, text) {
  const n = id.length / id.columns;
  const wanted = BigInt(text), low = Number(wanted & 0xffffffffn), high = Number(wanted >> 32n);
  for (let k = 0; k < n; ++k) {
    if (id[id.columns * k] === low && (id.columns === 1 ? high === 0 : id[2 * k + 1] === high)) return k;
  }
  return -1;
}
