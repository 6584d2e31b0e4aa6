/** Changes business terms, now or from a later time, and cancels changes that haven't started. */
import {
  cancelTermRow,
  hasTermRows,
  insertTermChanges,
  lockTerms,
  maxTermChanges,
  selectScheduledTerms,
  selectTermChange,
  selectTermChanges,
  selectTermHistory,
  selectTermRows,
  type TermRow,
} from './business-terms.sql.server.ts'
import {
  businessTerms,
  termGroups,
  termHistory,
  termNames,
  termsAt,
  termText,
  type BusinessTerms,
  type TermGroup,
  type TermName,
} from './business-terms.ts'
import type { TermsInput } from './business-terms-form.ts'
import { findRestoredPlan, insertRestoredPlan } from './shipping-plan.server.ts'
import type { PlanDifference } from './shipping-plan.ts'
import type { ShippingPlan } from '#domain/kernel/rates/rates.ts'
import { recordAct, requireFreshOrScope, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { TermRow } from './business-terms.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** The business terms as a process has them in memory. */
export type LiveTerms = {
  /** The current terms. The same object until they change. */
  readonly current: BusinessTerms
  /** The number of the latest change, to compare with the store's in the transaction of an order. */
  readonly version: number
  /** The terms that applied or will apply at `at`, such as when an order was placed. */
  at(at: Temporal.Instant): BusinessTerms
  /** Reads them again. */
  read(): Promise<void>
}

export type TermsRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-fresh'>
  | Refused<'changed-meanwhile'>
  | Refused<'starts-in-past', TermGroup>
  | Refused<'starts-taken', TermGroup>
  | Refused<'plan-is-immediate', TermGroup>
  | Refused<'too-many'>

/** The latest start of a scheduled change, in days from now. */
export const maxDaysAhead = 730

/**
 * Changes the terms of a group that are different, each with an entry in the audit log, from `startsAt` on; null for
 * now. `planFrom` also restores shipping zones and exceptions, immediately only. With `isConfirmed` the first save also
 * writes unchanged values, which records that they were reviewed. Refuses `changed-meanwhile` for a form made before
 * someone else's change.
 */
export async function changeTerms(
  { db, clock }: Deps,
  by: Actor,
  { group, input, isConfirmed = false }: { group: TermGroup; input: TermsInput; isConfirmed?: boolean },
): Promise<Outcome<{ changed: number; isScheduled: boolean }, TermsRefusal>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshOrScope(tx, by, 'settings.manage', clock.now())
    if (!permitted.ok) return permitted
    const version = await lockTerms(tx)
    // Once orders in progress are placed. They were placed before this change.
    const at = clock.now()
    const validFrom = input.startsAt ?? at
    if (!isInReach(validFrom, at)) return refused('starts-in-past', group)
    const changes = await selectTermChanges(tx)
    const before = termsAt(termHistory(changes), validFrom)
    const isFirst = isConfirmed && !(await areTermsConfirmed(tx, group))
    const isChanged = (name: TermName) => input.values[name] !== before[name]
    const wanted = namesIn(group).filter((name) => input.values[name] !== undefined && (isFirst || isChanged(name)))
    const isScheduled = input.startsAt !== null
    const restored = await findRestoredPlan(tx, input.planFrom ?? null, at)
    const changed = wanted.length + restored.differences.length
    if (changed === 0) return ok({ changed, isScheduled })
    if (input.seen !== version) return refused('changed-meanwhile')
    const notRestored = refuseRestoring(restored, { isScheduled, group })
    if (notRestored) return notRestored
    if (changes.length + wanted.length > maxTermChanges) return refused('too-many')
    if (changes.some(({ name, validFrom: other }) => wanted.includes(name) && other.equals(validFrom)))
      return refused('starts-taken', group)
    await insertRestoredPlan(tx, by, restored, { at, fresh: permitted.value })
    if (wanted.length === 0) return ok({ changed, isScheduled })
    await insertTermChanges(
      tx,
      wanted.map((name) => ({ name, value: input.values[name] ?? before[name], validFrom })),
      { by: by.name, at },
    )
    if (!wanted.some(isChanged))
      await recordAct(tx, {
        by,
        act: 'terms.confirmed',
        fresh: permitted.value,
        subject: termGroups[group],
        at,
      })
    for (const name of wanted.filter(isChanged))
      await recordAct(tx, {
        by,
        act: 'terms.changed',
        fresh: permitted.value,
        subject: businessTerms[name].label,
        before: { value: termText(name, before[name]) },
        after: { value: termText(name, input.values[name] ?? before[name]), from: validFrom.toString() },
        at,
      })
    return ok({ changed, isScheduled })
  })
}

/** Returns the reason that zones and exceptions can't be restored, or null. */
function refuseRestoring(
  { differences, isFull }: Awaited<ReturnType<typeof findRestoredPlan>>,
  { isScheduled, group }: { isScheduled: boolean; group: TermGroup },
): Refused<'plan-is-immediate', TermGroup> | Refused<'too-many'> | null {
  if (differences.length > 0 && isScheduled) return refused('plan-is-immediate', group)
  return isFull ? refused('too-many') : null
}

/** Whether a change may start at `from`. */
function isInReach(from: Temporal.Instant, now: Temporal.Instant): boolean {
  const last = now.add({ hours: 24 * maxDaysAhead })
  return Temporal.Instant.compare(from, now) >= 0 && Temporal.Instant.compare(from, last) <= 0
}

/** The terms that applied at `at`, as this transaction sees them. */
export async function readTermsAt(db: Database, at: Temporal.Instant): Promise<BusinessTerms> {
  return termsAt(await selectTermHistory(db), at)
}

/**
 * The shipping rates as they applied at `at`. `plan` has the zones and exceptions of then, without those that ended, and
 * `differences` how they differ from the current ones.
 */
export async function readRatesAt(
  { db, clock }: Deps,
  at: Temporal.Instant,
): Promise<{ terms: BusinessTerms; plan: ShippingPlan; differences: readonly PlanDifference[] }> {
  const [terms, { plan, differences }] = await Promise.all([readTermsAt(db, at), findRestoredPlan(db, at, clock.now())])
  return { terms, plan, differences }
}

/** Cancels a change that has not started. Refuses `gone` for one that was canceled, and `started`. */
export async function cancelTermChange(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-fresh'> | Refused<'gone'> | Refused<'started'>>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshOrScope(tx, by, 'settings.manage', clock.now())
    if (!permitted.ok) return permitted
    await lockTerms(tx)
    const at = clock.now()
    const change = await selectTermChange(tx, id)
    if (!change) return refused('gone')
    if (Temporal.Instant.compare(change.validFrom, at) <= 0) return refused('started')
    await cancelTermRow(tx, id, { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'terms.change-canceled',
      fresh: permitted.value,
      subject: businessTerms[change.name].label,
      before: { value: termText(change.name, change.value), from: change.validFrom.toString() },
      at,
    })
    return ok(null)
  })
}

const rowsPerPage = 25

const allGroups = Object.keys(termGroups) as TermGroup[]

/**
 * The page's data, with the current terms and the number of the latest change, the changes in `groups` that have not
 * started, and a page of their history, newest first. `next` is where the following page starts.
 */
export async function readTermsPage(
  { db, clock }: Deps,
  before: number | null,
  groups: readonly TermGroup[] = allGroups,
): Promise<{
  version: number
  terms: BusinessTerms
  scheduled: TermRow[]
  changes: TermRow[]
  /** The first change of the next page. */
  following: TermRow | undefined
  next: number | null
}> {
  const now = clock.now()
  const names = groups.flatMap(namesIn)
  const [{ version }, history, scheduled, found] = await Promise.all([
    db.selectFrom('store_state').select('terms_version as version').executeTakeFirstOrThrow(),
    selectTermHistory(db),
    selectScheduledTerms(db, now, names),
    selectTermRows(db, { before, names, count: rowsPerPage + 1 }),
  ])
  const changes = found.slice(0, rowsPerPage)
  return {
    version,
    terms: termsAt(history, now),
    scheduled,
    changes,
    following: found[rowsPerPage],
    next: found.length > rowsPerPage ? (changes.at(-1)?.id ?? null) : null,
  }
}

function namesIn(group: TermGroup): TermName[] {
  return termNames.filter((name) => businessTerms[name].group === group)
}

/** Whether staff confirmed or changed the terms of a group. */
function areTermsConfirmed(db: Database, group: TermGroup): Promise<boolean> {
  return hasTermRows(db, namesIn(group))
}
