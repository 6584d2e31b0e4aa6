/** Whether what many saw at the same time could have happened one after the other: the meaning of "no race". */

/**
 * Something somebody did between two moments. `apply` gives the state after it, or undefined when its outcome cannot
 * follow on that state.
 */
export type Done<State> = { from: number; to: number; apply(state: State): State | undefined; what: string }

/**
 * An order of `history` in which every outcome follows on those before it, and nothing that ended before another began
 * comes after it. Undefined when there is none. States are told apart by their text.
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
