/** Checks whether concurrent outcomes could have occurred sequentially (serializability). */

/**
 * An operation between two times. `apply` returns the state after it, or undefined if its outcome is impossible in that
 * state.
 */
export type Done<State> = { from: number; to: number; apply(state: State): State | undefined; what: string }

/**
 * Returns an order of `history` in which every result is possible after the earlier ones, and which respects the
 * operations' times. Returns undefined if not found. States are compared as text.
 */
export function findSerialOrder<State>(initial: State, history: readonly Done<State>[]): string[] | undefined {
  const deadEnds = new Set<string>()

  function search(state: State, left: readonly Done<State>[], before: readonly string[]): string[] | undefined {
    if (left.length === 0) return [...before]
    const key = `${String(state)} ${left.map((done) => history.indexOf(done)).join()}`
    if (deadEnds.has(key)) return undefined
    const firstEnd = Math.min(...left.map(({ to }) => to))
    for (const done of left) {
      if (done.from > firstEnd) continue
      const next = done.apply(state)
      const found =
        next === undefined
          ? undefined
          : search(
              next,
              left.filter((other) => other !== done),
              [...before, done.what],
            )
      if (found) return found
    }
    deadEnds.add(key)
    return undefined
  }

  return search(initial, history, [])
}
