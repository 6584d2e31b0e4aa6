/** Opens the store once all steps are done, all checks pass, and a sample order can be placed. */
import { readSetupFacts, type SetupDeps } from './facts.server.ts'
import { insertCheck } from './facts.sql.server.ts'
import { placeSample, type SampleDeps } from './sample-order.server.ts'
import { stepStates } from './steps.ts'
import { openStore, readSetDetails } from '#domain/kernel/settings/settings.server.ts'
import { createCalendars } from '#domain/scheduling/booking/booking.server.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { newTimedId } from '#platform/ids.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** What `npm run verify` finds of one rule; `broken` is how many rows break it. */
export type Finding = { name: string; severity: 'error' | 'warning'; broken: number }

export type GoLiveDeps = SetupDeps & SampleDeps & { inspect: () => Promise<readonly Finding[]> }

export type GoLiveRefusal =
  | Refused<'not-allowed'>
  | Refused<'open-already'>
  | Refused<'not-ready', { missing: readonly string[] }>
  | Refused<'not-sound', { words: string }>
  | Refused<'no-sample', { words: string }>

/**
 * Opens the store. Refuses `not-ready` while a step is missing, `not-sound` when the database breaks a rule of
 * `npm run verify`, `no-sample` when a sample order cannot be placed, `open-already`, and `not-allowed`. The last two
 * reasons with words are shown at the step until the next try.
 */
export async function goLive(deps: GoLiveDeps, by: Actor): Promise<Outcome<null, GoLiveRefusal>> {
  const at = deps.clock.now()
  const permitted = await deps.db.transaction().execute((tx) => requirePermission(tx, by, 'store.open', at))
  if (!permitted.ok) return permitted
  const ready = await whatIsMissing(deps)
  if (!ready.ok) return ready
  const tried = await tryOut(deps)
  if (!tried.ok) {
    await insertCheck(deps.db, {
      id: newTimedId(),
      kind: 'opening',
      passed: false,
      words: tried.detail.words,
      at,
      by: by.name,
    })
    return tried
  }
  return deps.db
    .transaction()
    .execute(async (tx) => {
      const opened = await openStore(tx, by, at)
      if (!opened.ok) return opened
      // Rechecked where concurrent opening and closing is blocked; a step undone since prevents opening.
      const still = await whatIsMissing({ ...deps, db: tx, calendars: createCalendars(tx) })
      if (!still.ok) throw new NotReady(still)
      await insertCheck(tx, {
        id: newTimedId(),
        kind: 'opening',
        passed: true,
        words: tried.value.words,
        at,
        by: by.name,
      })
      return ok(null)
    })
    .catch((error: unknown) => {
      if (error instanceof NotReady) return error.refusal
      throw error
    })
}

type Missing = Refused<'not-ready', { missing: readonly string[] }>

/** Rolls the opening back. */
class NotReady extends Error {
  readonly refusal: Missing
  constructor(refusal: Missing) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

async function whatIsMissing(deps: SetupDeps): Promise<Outcome<null, Missing>> {
  const facts = await readSetupFacts(deps)
  const missing = stepStates(facts)
    .filter(({ name, state }) => name !== 'live' && state !== 'done')
    .map(({ label }) => label)
  if (facts.hasSamples) missing.push('Removal of the sample tires')
  return missing.length === 0 ? ok(null) : refused('not-ready', { missing })
}

async function tryOut(
  deps: GoLiveDeps,
): Promise<
  Outcome<{ words: string }, Refused<'not-sound', { words: string }> | Refused<'no-sample', { words: string }>>
> {
  const broken = (await deps.inspect()).filter(({ severity, broken: rows }) => severity === 'error' && rows > 0)
  if (broken.length > 0) {
    const names = broken.slice(0, 3).map(({ name }) => name)
    return refused('not-sound', {
      words: `${countOf(broken.length, 'rule')} of the database ${pluralForm(broken.length, 'is', 'are')} broken: ${names.join(', ')}. Send this to your host: “Check the store’s database for broken rules.”`,
    })
  }
  const { applied } = await readSetDetails({ db: deps.db, configured: deps.settings.configured })
  return placeSample(deps, applied)
}
