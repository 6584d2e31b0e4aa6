/**
 * A trigram index of names that tolerates typos. Similarity counts shared groups of three letters, like PostgreSQL's
 * pg_trgm.
 */
export type NameIndex<Entry> = {
  /** Returns entries with a name that equals, starts with or is similar to `term`, without duplicates. */
  meeting(term: string): Met<Entry>[]
}

/**
 * `likeness`: the share of trigrams in common, or more for a name that differs by a letter or two. `score`: 1 for equal, 0.7 to 0.95 for a prefix, else the likeness. `isCut`:
 * the term is a prefix that ends inside a word of the name, as while someone is typing it.
 */
export type Met<Entry> = {
  readonly entry: Entry
  readonly score: number
  readonly likeness: number
  readonly isCut: boolean
}

/** A lower likeness is chance. */
export const leastLikeness = 0.3

/** Builds an index; `name` is lowercase letters and digits, with hyphens between its words, which terms do not have. */
export function indexNames<Entry>(
  hyphenated: readonly { readonly entry: Entry; readonly name: string }[],
): NameIndex<Entry> {
  const entries = hyphenated.map(({ entry, name }) => ({ entry, name: nameOfSlug(name), breaks: breaksOf(name) }))
  const { starts, positions, sizes } = layOut(entries.map(({ name }) => name))
  const shared = new Uint16Array(entries.length)
  const candidates = new Uint32Array(entries.length)

  /** Adds the names that contain a trigram, and counts it for each. Returns the number of names so far. */
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

  /** Counts a trigram only for the `met` names. Looks each up if they are few, otherwise reads all names with it. */
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
      // The most common trigrams come last. A similar name shares so many that it was already found, so they are only
      // checked for those names.
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
        const shares = common / (trigrams.length + (sizes[position] ?? 0) - common)
        const likeness = candidate ? Math.max(shares, spelledLike(candidate.name, term, shares)) : shares
        // A name that starts with the term has all its trigrams but the last, which marks the end.
        if (!candidate || (likeness < leastLikeness && common < trigrams.length - 1)) continue
        const score = scoreOf(candidate.name, term, likeness)
        if (score === undefined) continue
        const isCut = score > likeness && score < 1 && !candidate.breaks.includes(term.length)
        found.push({ entry: candidate.entry, score, likeness, isCut })
      }
      return found
    },
  }
}

/** A slug's name for `indexNames`: "cr-v" is "crv". */
export function nameOfSlug(slug: string): string {
  return slug.replaceAll('-', '')
}

/**
 * Returns the word ends of a hyphenated name, in characters without hyphens. A number after letters counts as a word,
 * as in "rav4".
 */
function breaksOf(name: string): number[] {
  const breaks: number[] = []
  let length = 0
  for (let at = 0; at < name.length; at++) {
    const [letter = '', next = ''] = [name[at], name[at + 1]]
    if (letter === '-') continue
    length += 1
    if (next === '-' || (/[a-z]/.test(letter) && /\d/.test(next))) breaks.push(length)
  }
  return breaks
}

/** Whether the sorted numbers from `start` to `end` contain the given one. */
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
 * The names of each trigram in `positions`: from `starts[trigram]` to `starts[trigram + 1]`. `sizes` are the number of
 * trigrams per name.
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

/** Below these shares of trigrams, and above, letters are not compared. */
const [unlike, alike] = [0.1, 0.75]

/**
 * The likeness of a name that differs by one letter, by two in eight letters or more, by two vowels in six or more, or
 * by two neighbors that changed places; else 0. Trigrams see little in common between "escpae" and "escape". Numbers
 * must match exactly, because an F-150 is not an F-250.
 */
function spelledLike(name: string, term: string, shares: number): number {
  if (term.length < 5 || shares < unlike || shares > alike) return 0
  const most = term.length < 8 && !(term.length > 5 && soundOf(name) === soundOf(term)) ? 1 : 2
  if (Math.abs(name.length - term.length) > most || /\d/.test(name + term)) return 0
  const edits = editsBetween(name, term, most)
  return edits > most ? 0 : 0.9 * (1 - edits / Math.max(name.length, term.length))
}

/** A word without vowels and doubled letters: "hyundai" and "hunday" sound alike. */
function soundOf(word: string): string {
  return word.replaceAll(/(?!^)[aeiouy]/g, '').replaceAll(/(.)\1/g, '$1')
}

/**
 * Counts the letters to insert, delete, replace or swap with their neighbor (optimal string alignment), or any number
 * above `most`.
 */
function editsBetween(a: string, b: string, most: number): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + Number(!isSame),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      )
    }
    if (Math.min(...row) > most) return most + 1
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}

/** A single letter or digit must be the whole name. */
function scoreOf(name: string, term: string, likeness: number): number | undefined {
  if (name === term) return 1
  if (term.length > 1 && name.startsWith(term)) return 0.7 + (0.25 * term.length) / name.length
  return likeness >= leastLikeness ? likeness : undefined
}

/** The blank, ten digits and 26 letters. */
const letters = 37
/** The call in which a trigram was last seen, to deduplicate without allocating. */
const lastSeen = new Uint32Array(letters ** 3)
let readings = 0

/**
 * The distinct trigrams of a word, as numbers. Padded with two blanks in front and one at the end, so that the first
 * letters count most.
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

/** Past the end there is no character code: a blank. */
function letterOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 86
  return code >= 48 && code <= 57 ? code - 47 : 0
}
