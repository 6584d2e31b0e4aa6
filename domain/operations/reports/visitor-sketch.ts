/**
 * Counts distinct visitors in 2 KB, regardless of their number, using HyperLogLog (Flajolet and others, 2007) with an
 * error of about 2 %. A sketch stores the longest run of zeros for each of 2,048 hash groups, so visitors can't be
 * identified.
 */
const groups = 2_048
const groupBits = 11

/** Returns an empty sketch. */
export function emptySketch(): Uint8Array {
  return new Uint8Array(groups)
}

/** Adds a visitor by a uniform hash of at least six bytes. */
export function addToSketch(sketch: Uint8Array, hash: Uint8Array): void {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength)
  const group = view.getUint16(0) >>> (16 - groupBits)
  const run = Math.clz32(view.getUint32(2)) + 1
  if (run > (sketch[group] ?? 0)) sketch[group] = run
}

/** The visitors of both. */
export function mergeSketches(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((run, group) => Math.max(run, other[group] ?? 0))
}

/** About how many visitors were added. */
export function countSketch(sketch: Uint8Array): number {
  const alpha = 0.7213 / (1 + 1.079 / groups)
  const estimate = (alpha * groups ** 2) / sketch.reduce((sum, run) => sum + 2 ** -run, 0)
  const empty = sketch.filter((run) => run === 0).length
  // With few visitors, empty groups give a better estimate.
  return Math.round(estimate <= 2.5 * groups && empty > 0 ? groups * Math.log(groups / empty) : estimate)
}
