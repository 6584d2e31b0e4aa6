/**
 * Tests that can fail next to other stages if they pass when their file runs separately. Any other test that passes
 * only separately fails the run. At most five, each with its cause. A sixth requires fixing one first.
 */
export type KnownFlaky = {
  /** As the summary of a run names it: file › test. */
  test: string
  cause: string
  /** The day on which it was added. */
  since: string
}

const maxKnownFlaky = 5

export const knownFlaky: readonly KnownFlaky[] = []

/** Returns the list's problems, such as too many entries, or an entry without a cause. */
export function faultsOfList(list: readonly KnownFlaky[] = knownFlaky): string[] {
  return [
    ...(list.length > maxKnownFlaky ? [`${list.length} tests are listed, and at most ${maxKnownFlaky} may be.`] : []),
    ...list.flatMap(({ test, cause }) => (cause.length < 20 ? [`${test} has no cause.`] : [])),
  ]
}

/** Splits tests that passed only separately into known ones and those that fail the run. */
export function judgeFlaky(
  tests: readonly string[],
  list: readonly KnownFlaky[] = knownFlaky,
): { known: string[]; unknown: string[] } {
  // A failure's second line is what it said.
  const isKnown = (test: string) => list.some((entry) => entry.test === test.split('\n', 1)[0])
  return { known: tests.filter(isKnown), unknown: tests.filter((test) => !isKnown(test)) }
}
