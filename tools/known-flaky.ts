/**
 * Tests that may fail beside other stages as long as they pass when their file runs alone. Any other test that passes
 * only alone fails the run. At most five, each with its cause: a sixth means that one has to be fixed first.
 */
export type KnownFlaky = {
  /** As the summary of a run names it: file › test. */
  test: string
  cause: string
  /** The day on which it was added. */
  since: string
}

const maxKnownFlaky = 5

/** A statement of a crowd waits for the processors that the type check, the linter and a browser take, and times out. */
const crowdWaits = 'An order of the crowd waits longer for a processor beside the checks than a statement may take.'

export const knownFlaky: readonly KnownFlaky[] = [
  ...[1, 2].map((seed) => ({
    test: `tests/faults/bays.test.ts › holds, orders, moves, cancellations and expiry, mixed at random, leave everything consistent (seed ${seed})`,
    cause: crowdWaits,
    since: '2026-11-26',
  })),
  {
    test: 'tests/http/feeds.test.ts › an article in the fitment feed has an original size of its vehicle',
    cause: 'The test reads a feed for seconds, and sends its next request as the store closes the idle connection.',
    since: '2026-11-26',
  },
]

/** Returns what is wrong with a list: too long, or an entry without its cause. */
export function faultsOfList(list: readonly KnownFlaky[] = knownFlaky): string[] {
  return [
    ...(list.length > maxKnownFlaky ? [`${list.length} tests are listed, and at most ${maxKnownFlaky} may be.`] : []),
    ...list.flatMap(({ test, cause }) => (cause.length < 20 ? [`${test} has no cause.`] : [])),
  ]
}

/** Splits tests that passed only alone into those on the list and those that fail the run. */
export function judgeFlaky(
  tests: readonly string[],
  list: readonly KnownFlaky[] = knownFlaky,
): { known: string[]; unknown: string[] } {
  // A failure's second line is what it said.
  const isKnown = (test: string) => list.some((entry) => entry.test === test.split('\n', 1)[0])
  return { known: tests.filter(isKnown), unknown: tests.filter((test) => !isKnown(test)) }
}
