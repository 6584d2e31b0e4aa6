/** Reconciling a day at a payment provider with charges, refunds, disputes and the ledger. */
import type { PaymentProviderName } from '#domain/payments/payments/payments.ts'
import type { Movement, PaymentRecords, ProviderRecords } from '#domain/payments/payments/provider-records.port.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { storeZone } from '#platform/store-zone.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'
import { selectMethodTotals, type MethodTotals } from './method-totals.sql.server.ts'
import { differencesOf, longestNote, type Difference, type MatchedMovement } from './reconciliation.ts'
import {
  insertMovements,
  lockProvider,
  replaceDay,
  selectChargeRefs,
  selectDay,
  selectDays,
  selectDifferences,
  selectMatched,
  selectOffCash,
  selectOpenDays,
  selectOwn,
  selectRefundedRefs,
  updateToResolved,
  type DaySums,
  type OfDay,
  type ReconciledDay,
} from './reconciliation.sql.server.ts'

export type { MethodTotals } from './method-totals.sql.server.ts'
export type { ReconciledDay } from './reconciliation.sql.server.ts'

type Deps = { db: Database; clock: Clock; paymentRecords: PaymentRecords }

/** The number of past days each nightly run checks, to cover late provider data and missed runs. */
const daysBack = 3
/** What is recorded here just after the day ended there, and the other way around. */
const slackHours = 6
/** A page has up to a hundred movements; more pages than these in a day mean that paging goes wrong. */
const mostPages = 5_000

/** Reconciles recent days with every provider that lists its balance transactions. Idempotent. */
export async function reconcileLatest(deps: Deps): Promise<void> {
  const today = deps.clock.now().toZonedDateTimeISO('UTC').toPlainDate()
  const failures: unknown[] = []
  for (const provider of Object.keys(deps.paymentRecords) as PaymentProviderName[]) {
    try {
      await reconcileDays(deps, {
        provider,
        from: today.subtract({ days: daysBack }),
        to: today.subtract({ days: 1 }),
      })
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some days could not be reconciled.')
}

/**
 * Reconciles UTC days (inclusive). Stores all the provider's balance transactions, then compares each day with the
 * store's records in both directions. If the differences are unchanged, the day isn't rewritten. New differences reopen
 * a resolved day. A day the provider hasn't completely listed is left for the next run. Throws while the provider is
 * unavailable.
 */
export async function reconcileDays(
  deps: Deps,
  { provider, from, to }: { provider: PaymentProviderName; from: Temporal.PlainDate; to: Temporal.PlainDate },
): Promise<void> {
  const list = deps.paymentRecords[provider]?.listMovements
  if (!list) return
  const listedUntil = await fetchMovements(deps, list, { provider, from, to })
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) {
    const end = startOf(day.add({ days: 1 }))
    if (!listedUntil || Temporal.Instant.compare(listedUntil, end) >= 0) await judgeDay(deps, { provider, day })
  }
}

async function judgeDay(deps: Deps, of: OfDay): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockProvider(tx, of.provider)
    const movements = await selectMatched(tx, of)
    const differences = differencesOf(movements, await selectOwn(tx, of), await selectOffCash(tx, of))
    await keep(tx, of, { ...sumsOf(movements), differences: inOrder(differences), at: deps.clock.now() })
  })
}

function startOf(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime('UTC').toInstant()
}

/**
 * Stores the balance transactions for these days. Returns the time until which the provider's list is complete;
 * undefined means it always is.
 */
async function fetchMovements(
  { db, clock }: Deps,
  list: NonNullable<ProviderRecords['listMovements']>,
  { provider, ...days }: { provider: PaymentProviderName; from: Temporal.PlainDate; to: Temporal.PlainDate },
): Promise<Temporal.Instant | undefined> {
  const from = startOf(days.from)
  const end = startOf(days.to.add({ days: 1 })).add({ hours: slackHours })
  const now = clock.now().add({ seconds: 1 })
  const until = Temporal.Instant.compare(now, end) < 0 ? now : end
  let after: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const listed = await list({ from, until, after })
    if (!listed.ok) throw new Error(`${provider} does not list its movements.`, { cause: listed.cause })
    const { movements, next, listedUntil } = listed.value
    await insertMovements(db, provider, await named(db, provider, movements))
    if (next === null) return listedUntil
    after = next
  }
  throw new Error(
    `${provider} lists more than ${countOf(mostPages, 'page')} of movements from ${days.from.toString()} on.`,
  )
}

/** Movements that name our own id of a charge, or only a refund, with the provider's reference of the charge. */
async function named(db: Database, provider: PaymentProviderName, movements: readonly Movement[]): Promise<Movement[]> {
  const ids = movements.flatMap(({ reference }) => reference ?? [])
  const refs = await selectChargeRefs(db, provider, ids)
  const refunds = movements.flatMap(({ chargeRef, refundRef }) => (chargeRef === null && refundRef ? [refundRef] : []))
  const refunded = await selectRefundedRefs(db, provider, refunds)
  return movements.map((one) => ({
    ...one,
    chargeRef: refs.get(one.reference ?? '') ?? one.chargeRef ?? refunded.get(one.refundRef ?? '') ?? null,
  }))
}

async function keep(
  tx: Tx,
  of: OfDay,
  found: DaySums & { differences: Difference[]; at: Temporal.Instant },
): Promise<void> {
  const before = await selectDay(tx, of)
  const known = before ? await selectDifferences(tx, of) : []
  const isSame =
    before &&
    JSON.stringify(sums(before)) === JSON.stringify(sums(found)) &&
    JSON.stringify(known) === JSON.stringify(found.differences)
  if (isSame) return
  await replaceDay(tx, of, { ...found, state: found.differences.length === 0 ? 'balanced' : 'open' })
}

function sums({ movements, chargedCents, refundedCents, disputedCents, feeCents }: DaySums): DaySums {
  return { movements, chargedCents, refundedCents, disputedCents, feeCents }
}

function sumsOf(movements: readonly MatchedMovement[]): DaySums {
  const sum = (...kinds: MatchedMovement['kind'][]) =>
    movements.reduce((total, { kind, amountCents }) => total + (kinds.includes(kind) ? amountCents : 0), 0)
  return {
    movements: movements.length,
    chargedCents: sum('charge'),
    refundedCents: -sum('refund', 'refund-failure') || 0,
    disputedCents: -sum('dispute', 'dispute-reversal') || 0,
    feeCents: movements.reduce((total, { feeCents }) => total + feeCents, 0) - sum('fee'),
  }
}

function inOrder(differences: readonly Difference[]): Difference[] {
  const keyOf = ({ kind, ref }: Difference) => `${kind} ${ref}`
  return differences
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(({ kind, ref, orderId, providerCents, storeCents }) => ({ kind, ref, orderId, providerCents, storeCents }))
}

export type ResolveRefusal = Refused<'not-allowed'> | Refused<'not-open'> | Refused<'no-note'>

/** Resolves a day with differences, once, with an explanation. */
export async function resolveDay(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { of, note, by }: { of: OfDay; note: string; by: Actor },
): Promise<Outcome<void, ResolveRefusal>> {
  const words = note.trim()
  if (words === '' || words.length > longestNote) return refused('no-note')
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'reconciliation.resolve', at)
    if (!permitted.ok) return permitted
    if (!(await updateToResolved(tx, of, { by: by.name, note: words, at }))) return refused('not-open')
    const subject = `${of.provider} ${of.day.toString()}`
    await recordAct(tx, { by, act: 'reconciliation.resolved', subject, reason: words.slice(0, 500), at })
    return ok(undefined)
  })
}

/** Finds a day with its differences. */
export async function findDay(
  { db }: Pick<Deps, 'db'>,
  of: OfDay,
): Promise<{ day: ReconciledDay; differences: Difference[] } | undefined> {
  const day = await selectDay(db, of)
  return day && { day, differences: await selectDifferences(db, of) }
}

/** Days that do not balance, the oldest first. */
export function listOpenDays({ db }: Pick<Deps, 'db'>, limit: number): Promise<ReconciledDay[]> {
  return selectOpenDays(db, limit)
}

/** The totals of each way to pay for days of the store, both included. */
export function readMethodTotals(
  { db }: Pick<Deps, 'db'>,
  { from, to }: { from: Temporal.PlainDate; to: Temporal.PlainDate },
): Promise<MethodTotals[]> {
  const start = (day: Temporal.PlainDate) => day.toZonedDateTime(storeZone).toInstant().toString()
  return selectMethodTotals(db, {
    from: start(from),
    until: start(to.add({ days: 1 })),
    invoicedFrom: from.toString(),
    invoicedTo: to.toString(),
  })
}

const daysPerPage = 31

/** Lists a page of days, newest first; `next` is the cursor of the following page. */
export async function listDays(
  { db }: Pick<Deps, 'db'>,
  before: Temporal.PlainDate | null,
): Promise<{ days: ReconciledDay[]; next: Temporal.PlainDate | null }> {
  const found = await selectDays(db, { before, limit: daysPerPage + 1 })
  const names = [...new Set(found.map(({ day }) => day.toString()))].slice(0, daysPerPage)
  const days = found.filter(({ day }) => names.includes(day.toString()))
  return { days, next: days.length < found.length ? (days.at(-1)?.day ?? null) : null }
}
