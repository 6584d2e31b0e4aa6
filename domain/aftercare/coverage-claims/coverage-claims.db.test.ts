/** Coverage claims from form to payout, including concurrent decisions. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import type { TermName } from '#domain/kernel/settings/settings.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { payOutRefund } from '#domain/payments/payments/payments.server.ts'
import { makeDeliveredOrder, openReturnsStore, photo } from '#domain/ordering/returns/returns.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { requestsPerHour } from '#domain/messaging/support/support.server.ts'
import { violatedConstraint } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  approveClaim,
  claimForm,
  claimMessageValues,
  exportClaims,
  fileClaim,
  findClaim,
  findClaimFile,
  listClaims,
  listOpenClaims,
  refuseClaim,
} from './coverage-claims.server.ts'

const [port = 0] = await freePorts(3)

async function openClaims() {
  const store = await openReturnsStore(port)
  return { ...store, rateLimits: createRateLimits(store) }
}
type Claims = Awaited<ReturnType<typeof openClaims>>

/** A delivered order with coverage, a week later, and what its shopper would enter about one nail. */
async function coveredOrder(store: Claims, hasCoverage = true) {
  const placed = await makeDeliveredOrder(store, 'home', { hasCoverage })
  const delivered = store.clock.now().toZonedDateTimeISO('America/Chicago').toPlainDate()
  store.clock.set(store.clock.now().add({ hours: 24 * 7 }))
  const typed = {
    orderNumber: `S-${placed.orderId}`,
    tires: '1',
    kind: 'replacement',
    cause: 'puncture',
    happenedOn: usDay(delivered.add({ days: 3 })),
  }
  return { ...placed, delivered, typed }
}

const usDay = ({ month, day, year }: Temporal.PlainDate) => `${month}/${day}/${year}`

async function file(store: Claims, typed: Record<string, string>, change: Record<string, unknown> = {}) {
  const sender = { isOwn: true, networkKey: 'network-1', file: await photo('damage.png'), ...change }
  return fileClaim(store, claimForm.parse(typed), sender)
}

const errors = async ({ db, clock }: Claims) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

async function payOut(store: Claims): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'refund-charge'`.execute(store.db)
  for (const { key } of rows) await payOutRefund(store, key.replace('refund-charge:', ''))
}

const mailsOf = async ({ db }: Claims) =>
  (await db.selectFrom('message').select('kind').where('kind', 'like', 'claim-%').orderBy('kind').execute()).map(
    ({ kind }) => kind,
  )

async function changeProtection(store: Claims, values: Partial<Record<TermName, number>>): Promise<void> {
  const seen = (await selectState(store.db)).termsVersion
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  must(await changeTerms(store, desk, { group: 'protection', input: { values, startsAt: null, seen } }))
  await store.businessTerms.read()
}

/** Files a claim `days` after delivery. Returns the maximum payment in cents, or the refused field. */
async function mostAfter(
  store: Claims,
  { typed, delivered }: Awaited<ReturnType<typeof coveredOrder>>,
  days: number,
  change: Record<string, string> = {},
) {
  const happenedOn = delivered.add({ days })
  const noon = happenedOn.add({ days: 1 }).toZonedDateTime({ timeZone: 'America/Chicago', plainTime: '12:00' })
  if (Temporal.Instant.compare(store.clock.now(), noon.toInstant()) < 0) store.clock.set(noon.toInstant())
  const filed = await file(store, { ...typed, ...change, happenedOn: usDay(happenedOn) })
  if (!filed.ok) return filed.reason === 'not-covered' ? filed.detail[0]?.field : filed.reason
  return (await findClaim(store, filed.value.id))?.mostCents
}

test('claims pay by the terms at the time of the order, not by the current ones', async () => {
  await using store = await openClaims()
  const before = await coveredOrder(store)
  await changeProtection(store, {
    'coverage-year-1-cents': 25_000,
    'coverage-year-2-cents': 15_000,
    'coverage-months': 20,
    'coverage-repair-cents': 1_500,
  })
  const after = await coveredOrder(store)
  const repair = { kind: 'repair', paid: '39.00' }
  expect(await mostAfter(store, before, 3)).toBe(40_000)
  expect(await mostAfter(store, after, 3)).toBe(25_000)
  expect(await mostAfter(store, before, 4, repair)).toBe(2_500)
  expect(await mostAfter(store, after, 4, repair)).toBe(1_500)
  expect(await mostAfter(store, before, 400)).toBe(20_000)
  expect(await mostAfter(store, after, 400)).toBe(15_000)
  expect(await mostAfter(store, before, 800)).toBe(10_000)
  expect(await mostAfter(store, after, 800)).toBe('happenedOn')
})

test('a claim is filed once, answered at the order’s own address, decided once and paid to the card', async () => {
  await using store = await openClaims()
  const { orderId, cartId, typed } = await coveredOrder(store)
  const { id } = must(await file(store, { ...typed, email: 'someone@else.example', words: 'On I-90' }))
  expect(must(await file(store, { ...typed, email: 'someone@else.example', words: 'On I-90' })).id).toBe(id)
  const [open, ...more] = await listOpenClaims(store)
  expect(more).toEqual([])
  expect(open).toMatchObject({ id, orderId, email: `${cartId}@example.com`, tires: 1, mostCents: 40_000 })
  expect((await findClaimFile(store, id))?.name).toMatch(/^damage/)
  expect(await approveClaim(store, { id, givenCents: 40_001, by: desk })).toMatchObject({
    reason: 'more-than-plan',
    detail: { mostCents: 40_000 },
  })
  const decided = await Promise.all([
    approveClaim(store, { id, givenCents: 14_800, by: desk }),
    approveClaim(store, { id, givenCents: 15_000, by: desk }),
    refuseClaim(store, { id, reason: 'Worn.', by: desk }),
  ])
  expect(decided.filter(({ ok }) => ok)).toHaveLength(1)
  for (const outcome of decided) if (!outcome.ok) expect(outcome.reason).toBe('already-decided')
  expect(await errors(store)).toEqual([])
  await payOut(store)
  const claim = await findClaim(store, id)
  if (claim?.state === 'approved')
    expect((await readOrder(store.db, orderId))?.payment?.refundedCents).toBe(claim.givenCents)
  expect(await errors(store)).toEqual([])
  expect(await mailsOf(store)).toEqual([`claim-${claim?.state}`, 'claim-filed', 'claim-received'].toSorted())
  expect((await listClaims(store, { state: claim?.state ?? 'open', before: null })).claims).toHaveLength(1)
  expect(await exportClaims(store.db, `${cartId}@example.com`)).toMatchObject([{ order_id: orderId, words: 'On I-90' }])
})

test('rejects a claim that the plan excludes, with the reason at its field', async () => {
  await using store = await openClaims()
  const { orderId, typed, delivered } = await coveredOrder(store)
  const fields = async (change: Record<string, string>, sender: Record<string, unknown> = {}) => {
    const filed = await file(store, { ...typed, ...change }, sender)
    return !filed.ok && filed.reason === 'not-covered' ? filed.detail.map(({ field }) => field) : filed
  }
  expect(await fields({ cause: 'wear' })).toEqual(['cause'])
  expect(await fields({ happenedOn: usDay(delivered.subtract({ days: 1 })), tires: '5' })).toEqual([
    'happenedOn',
    'tires',
  ])
  expect(await fields({ item: '1' })).toEqual(['item'])
  expect(await fields({}, { file: null })).toEqual(['attachment'])
  expect(await fields({}, { isOwn: false })).toMatchObject({ reason: 'order-unknown', detail: { by: 'nothing' } })
  expect(await fields({ zip: '10001' }, { isOwn: false })).toMatchObject({ reason: 'order-unknown' })
  expect(await fields({}, { file: { name: 'a.pdf', bytes: Buffer.from('none we know') } })).toMatchObject({
    reason: 'other-kind',
  })
  const plain = await coveredOrder(store, false)
  expect(await fields(plain.typed)).toEqual(['orderNumber'])
  expect(await listOpenClaims(store)).toEqual([])
  expect(orderId).not.toBe(plain.orderId)
  expect(await mailsOf(store)).toEqual([])
})

test('a tire is replaced once, even with two concurrent approvals', async () => {
  await using store = await openClaims()
  const { orderId, typed } = await coveredOrder(store)
  const three = must(await file(store, { ...typed, tires: '3' })).id
  const two = must(await file(store, { ...typed, tires: '2' })).id
  const approved = await Promise.all([three, two].map((id) => approveClaim(store, { id, givenCents: 1_000, by: desk })))
  expect(approved.filter(({ ok }) => ok)).toHaveLength(1)
  expect(approved.find(({ ok }) => !ok)).toMatchObject({ reason: 'replaced-before' })
  const refusedTires = await file(store, { ...typed, tires: '3', words: 'Again' })
  expect(refusedTires).toMatchObject({ reason: 'not-covered', detail: [{ field: 'tires' }] })
  // Done with SQL, because use cases never do this; the database enforces the same limit.
  const forced = await sql`
    update coverage_claim set state = 'approved', given_cents = 1, decided_at = now(), decided_by = 'x', network_key = null
    where state = 'open'`
    .execute(store.db)
    .catch(violatedConstraint)
  expect(forced).toBe('claims_within_covered')
  expect((await readOrder(store.db, orderId))?.state).toBe('confirmed')
})

test('a repair pays what it cost up to the limit, and the plan’s year decides of a new tire', async () => {
  await using store = await openClaims()
  const { typed, delivered } = await coveredOrder(store)
  const repair = must(await file(store, { ...typed, kind: 'repair', paid: '39.00' })).id
  expect(await findClaim(store, repair)).toMatchObject({ mostCents: 2_500, paidCents: 3_900 })
  store.clock.set(store.clock.now().add({ hours: 24 * 800 }))
  const late = must(await file(store, { ...typed, happenedOn: usDay(delivered.add({ days: 790 })) })).id
  expect(await findClaim(store, late)).toMatchObject({ mostCents: 10_000 })
  expect(await claimMessageValues(store, { key: `claim-filed:${late}` })).toMatchObject({ amount: '$100.00' })
  store.clock.set(store.clock.now().add({ hours: 24 * 400 }))
  const over = await file(store, { ...typed, happenedOn: usDay(delivered.add({ months: 36 })) })
  expect(over).toMatchObject({ reason: 'not-covered', detail: [{ field: 'happenedOn' }] })
})

test('limits claims per sender per hour, including concurrent ones', async () => {
  await using store = await openClaims()
  const { typed } = await coveredOrder(store)
  const filed = await Promise.all(
    Array.from({ length: requestsPerHour + 3 }, (_, count) => file(store, { ...typed, words: `Claim ${count}` })),
  )
  expect(filed.filter(({ ok }) => ok)).toHaveLength(requestsPerHour)
})
