/**
 * Names by their trigrams, so that typing errors are forgiven: pieces of three letters that two words share, as
 * PostgreSQL's pg_trgm counts them.
 */
export type NameIndex<Entry> = {
  /** The entries whose name is `term`, begins with it or is like it, each once. */
  meeting(term: string): Met<Entry>[]
}

/**
 * `likeness`: the share of the pieces of both that they have in common. `score`: 1 for the same, 0.7 to 0.95 for a
 * beginning, else the likeness.
 */
export type Met<Entry> = { readonly entry: Entry; readonly score: number; readonly likeness: number }

/** Below this a likeness is chance. */
export const leastLikeness = 0.3

/** `name` is in lower case, letters and digits only. */
export function indexNames<Entry>(
  entries: readonly { readonly entry: Entry; readonly name: string }[],
): NameIndex<Entry> {
  const { starts, positions, sizes } = layOut(entries.map(({ name }) => name))
  const shared = new Uint16Array(entries.length)
  const candidates = new Uint32Array(entries.length)

  /** Meets the names that have a piece, and counts it for each. Returns how many names were met by now. */
  function meet(trigram: number, met: number): number {
    const end = starts[trigram + 1] ?? 0
    for (let at = starts[trigram] ?? 0; at < end; at++) {
      const position = positions[at] ?? 0
      const common = shared[position] ?? 0
      if (common === 0) candidates[met++] = position
      shared[position] = common + 1
    }
    return met
  }

  /** Counts a piece for the `met` names alone: each is looked up where they are few, else all that have it are read. */
  function countAgain(trigram: number, met: number): void {
    const end = starts[trigram + 1] ?? 0
    const start = starts[trigram] ?? 0
    if (met * 12 < end - start) {
      for (let each = 0; each < met; each++) {
        const position = candidates[each] ?? 0
        if (holds(positions, start, end, position)) shared[position] = (shared[position] ?? 0) + 1
      }
      return
    }
    for (let at = start; at < end; at++) {
      const position = positions[at] ?? 0
      const common = shared[position] ?? 0
      if (common > 0) shared[position] = common + 1
    }
  }

  return {
    meeting(term) {
      const trigrams = trigramsOf(term)
      // The commonest pieces come last: a name that is alike has so many of the pieces that it was met before, and is
      // only looked up in them.
      const rare = trigrams.length - Math.max(1, Math.ceil(leastLikeness * trigrams.length)) + 1
      if (rare < trigrams.length)
        trigrams.sort((a, b) => (starts[a + 1] ?? 0) - (starts[a] ?? 0) - (starts[b + 1] ?? 0) + (starts[b] ?? 0))
      let met = 0
      for (let index = 0; index < trigrams.length; index++) {
        const trigram = trigrams[index] ?? 0
        if (index < rare) met = meet(trigram, met)
        else countAgain(trigram, met)
      }
      const found: Met<Entry>[] = []
      for (const position of candidates.subarray(0, met)) {
        const common = shared[position] ?? 0
        shared[position] = 0
        const candidate = entries[position]
        const likeness = common / (trigrams.length + (sizes[position] ?? 0) - common)
        // A name that begins with the term has all its pieces but the last, which ends it.
        if (!candidate || (likeness < leastLikeness && common < trigrams.length - 1)) continue
        const score = scoreOf(candidate.name, term, likeness)
        if (score !== undefined) found.push({ entry: candidate.entry, score, likeness })
      }
      return found
    },
  }
}

/** The name in an address, as `indexNames` takes it: "cr-v" is "crv". */
export function nameOfSlug(slug: string): string {
  return slug.replaceAll('-', '')
}

/** Whether the rising numbers from `start` to `end` have the one given. */
function holds(numbers: Uint32Array, start: number, end: number, wanted: number): boolean {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low < end && numbers[low] === wanted
}

/**
 * For each trigram where its names stand in `positions`: from `starts[trigram]` to `starts[trigram + 1]`. `sizes` are
 * how many a name has.
 */
function layOut(names: readonly string[]): { starts: Uint32Array; positions: Uint32Array; sizes: Uint16Array } {
  const trigrams = names.map(trigramsOf)
  const starts = new Uint32Array(letters ** 3 + 1)
  for (const ofName of trigrams) for (const trigram of ofName) starts[trigram + 1] = (starts[trigram + 1] ?? 0) + 1
  for (let trigram = 1; trigram < starts.length; trigram++)
    starts[trigram] = (starts[trigram] ?? 0) + (starts[trigram - 1] ?? 0)
  const positions = new Uint32Array(starts.at(-1) ?? 0)
  const next = starts.slice()
  for (const [position, ofName] of trigrams.entries()) {
    for (const trigram of ofName) {
      const at = next[trigram] ?? 0
      positions[at] = position
      next[trigram] = at + 1
    }
  }
  return { starts, positions, sizes: Uint16Array.from(trigrams, ({ length }) => length) }
}

/** A single letter or digit must be the whole name. */
function scoreOf(name: string, term: string, likeness: number): number | undefined {
  if (name === term) return 1
  if (term.length > 1 && name.startsWith(term)) return 0.7 + (0.25 * term.length) / name.length
  return likeness >= leastLikeness ? likeness : undefined
}

/** The blank, ten digits and the letters. */
const letters = 37
/** The reading in which a trigram was last seen, so that nothing is made and thrown away to find each once. */
const lastSeen = new Uint32Array(letters ** 3)
let readings = 0

/**
 * The different trigrams of a word, as numbers. It begins with two blanks and ends with one, so that its beginning
 * weighs most.
 */
function trigramsOf(word: string): number[] {
  readings = (readings + 1) >>> 0
  const trigrams: number[] = []
  let trigram = 0
  for (let at = 0; at <= word.length; at++) {
    trigram = (trigram * letters + letterOf(word.charCodeAt(at))) % letters ** 3
    if (lastSeen[trigram] === readings) continue
    lastSeen[trigram] = readings
    trigrams.push(trigram)
  }
  return trigrams
}

/** Behind the end there is no code: a blank. */
function letterOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 86
  return code >= 48 && code <= 57 ? code - 47 : 0
}
