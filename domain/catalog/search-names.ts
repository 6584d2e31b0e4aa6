/** Names by their trigrams, so that typing errors are forgiven: pieces of three letters that two words share, as PostgreSQL's pg_trgm counts them. */
export type NameIndex<Entry> = {
  /** The entries whose name is `term`, begins with it or is like it, each once. */
  meeting(term: string): Met<Entry>[]
}

/** `likeness`: the share of the pieces of both that they have in common. `score`: 1 for the same, 0.7 to 0.95 for a beginning, else the likeness. */
export type Met<Entry> = { readonly entry: Entry; readonly score: number; readonly likeness: number }

/** Below this a likeness is chance. */
export const leastLikeness = 0.3

/** `name` is in lower case, letters and digits only. */
export function indexNames<Entry>(entries: readonly { readonly entry: Entry; readonly name: string }[]): NameIndex<Entry> {
  const having = new Map<string, number[]>()
  for (const [position, { name }] of entries.entries()) {
    for (const trigram of trigramsOf(name)) {
      const known = having.get(trigram)
      if (known) known.push(position)
      else having.set(trigram, [position])
    }
  }
  const sizes = entries.map(({ name }) => trigramsOf(name).size)
  const shared = new Uint16Array(entries.length)

  return {
    meeting(term) {
      const trigrams = trigramsOf(term)
      const candidates: number[] = []
      for (const trigram of trigrams) {
        for (const position of having.get(trigram) ?? []) {
          if (shared[position] === 0) candidates.push(position)
          shared[position] = (shared[position] ?? 0) + 1
        }
      }
      return candidates.flatMap((position) => {
        const common = shared[position] ?? 0
        shared[position] = 0
        const found = entries[position]
        if (!found) return []
        const likeness = common / (trigrams.size + (sizes[position] ?? 0) - common)
        const score = scoreOf(found.name, term, likeness)
        return score === undefined ? [] : [{ entry: found.entry, score, likeness }]
      })
    },
  }
}

/** A single letter or digit must be the whole name. */
function scoreOf(name: string, term: string, likeness: number): number | undefined {
  if (name === term) return 1
  if (term.length > 1 && name.startsWith(term)) return 0.7 + (0.25 * term.length) / name.length
  return likeness >= leastLikeness ? likeness : undefined
}

/** A word begins with two blanks and ends with one, so that its beginning weighs most. */
function trigramsOf(word: string): Set<string> {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, from) => padded.slice(from, from + 3)))
}
