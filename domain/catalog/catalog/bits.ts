/** Sets of list positions, stored 32 to a word for fast intersections and counts. */
export type Bits = Uint32Array

/** Returns the positions below `size` for which `has` is true. */
export function bitsWhere(size: number, has: (position: number) => boolean): Bits {
  const bits = new Uint32Array(Math.ceil(size / 32))
  for (let position = 0; position < size; position++) if (has(position)) addBit(bits, position)
  return bits
}

export function addBit(bits: Bits, position: number): void {
  bits[position >>> 5] = (bits[position >>> 5] ?? 0) | (1 << (position & 31))
}

export function hasBit(bits: Bits, position: number): boolean {
  return ((bits[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0
}

/** Returns the intersection of two sets over the same list. */
export function both(a: Bits, b: Bits): Bits {
  return a.map((word, index) => word & (b[index] ?? 0))
}

/** Returns the union. */
export function either(a: Bits, b: Bits): Bits {
  return a.map((word, index) => word | (b[index] ?? 0))
}

/** Counts the intersection. */
export function countBoth(a: Bits, b: Bits): number {
  let count = 0
  for (let index = 0; index < a.length; index++) count += countOnes((a[index] ?? 0) & (b[index] ?? 0))
  return count
}

/**
 * Sums neighboring bits in pairs, fours, then all bytes in one step.
 * https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel
 */
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
