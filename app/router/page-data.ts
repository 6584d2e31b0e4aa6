/**
 * Reads page data in React Router's format, a JSON list in which lists and objects refer to their values by position
 * (https://github.com/jacob-ebey/turbo-stream, version 2). Promises and class instances aren't supported.
 */
const constants = new Map<number, unknown>([
  [-2, Number.NaN],
  [-3, -Infinity],
  [-4, -0],
  [-5, null],
  [-6, Infinity],
  [-7, undefined],
])

/** Returns the value of a response to a `.data` request. Throws for text in another format. */
export function readPageData(text: string): unknown {
  const json = JSON.parse(text) as unknown
  if (!Array.isArray(json)) return constants.get(json as number)
  const places: readonly unknown[] = json
  const read = new Map<number, unknown>()

  function valueAt(place: number): unknown {
    if (place < 0) return constants.get(place)
    if (!read.has(place)) read.set(place, valueOf(places[place]))
    return read.get(place)
  }
  function valueOf(stored: unknown): unknown {
    if (typeof stored !== 'object' || stored === null) return stored
    if (!Array.isArray(stored)) return objectOf(stored)
    const [kind, first] = stored as unknown[]
    if (typeof kind !== 'string') return stored.map(valueAt)
    // The same value at another position, and an object without a prototype.
    if (kind === 'Z') return valueAt(first as number)
    if (kind === 'N') return objectOf(first as object)
    throw new SyntaxError(`A page's data can't contain the kind ${kind}.`)
  }
  function objectOf(stored: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(stored).map(([key, place]) => [String(places[Number(key.slice(1))]), valueAt(place as number)]),
    )
  }
  return valueAt(0)
}
