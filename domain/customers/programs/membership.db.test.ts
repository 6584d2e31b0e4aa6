/** The membership, paid through the sandbox, is bought, charged and refunded once. */
import { stopMails } from '#domain/messaging/messages/messages.server.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { keepCart } from '#domain/payments/cart/cart.server.ts'
import {
  asAccount,
  makePlacedOrder,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { leaveCompany } from '#domain/customers/companies/companies.server.ts'
import { openCharge, releaseAbandonedCharges } from '#domain/payments/payments/payments.server.ts'
import { grantType, readPriceTier } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { giveCompany } from '#tests/support/company.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { selectDraft } from './membership.sql.server.ts'
import {
  beginMembership,
  captureMembership,
  joinMembership,
  membershipMessageValues,
  payBackMembership,
  readMembership,
  refundMembership,
  remindOfMemberships,
  setReminders,
} from './programs.server.ts'

const [port = 0] = await freePorts(3)

async function addAccount({ db, clock }: TestStore): Promise<string> {
  const id = newId()
  await db
    .insertInto('account')
    .values({ id, name: 'Mae', email: `${id}@example.com`, email_verified_at: clock.now(), created_at: clock.now() })
    .execute()
  return id
}

async function pay(store: TestStore, accountId: string, card = '4242424242424242'): Promise<string> {
  const { termId, priceCents } = must(await beginMembership(store, accountId))
  const { clientSecret } = must(await openCharge(store, { termId, amountCents: priceCents, email: null }))
  await payWithFields(store.sandbox, clientSecret, card)
  return termId
}

async function addMember(store: TestStore): Promise<{ accountId: string; termId: string }> {
  const accountId = await addAccount(store)
  const termId = await pay(store, accountId)
  must(await joinMembership(store, accountId))
  await captureMembership(store, termId)
  return { accountId, termId }
}

const typeOf = async ({ db, clock }: TestStore, accountId: string) =>
  (await readPriceTier(db, accountId, clock.now())).accountType

async function books({ db }: TestStore, termId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; cents: number }>`
    select account, sum(amount_cents)::int as cents from ledger_entry where membership_term_id = ${termId}::uuid group by account having sum(amount_cents) <> 0`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
}

const chargeOf = ({ db }: TestStore, termId: string) =>
  db
    .selectFrom('payment')
    .select(['state', 'captured_cents', 'refunded_cents'])
    .where('membership_term_id', '=', termId)
    .where('claimed_at', 'is not', null)
    .execute()

test('a year is bought with one charge, however often it is submitted and the job runs', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  const termId = await pay(store, accountId)
  expect(await typeOf(store, accountId)).toBe('Retail')
  const presses = await Promise.all([1, 2, 3].map(() => joinMembership(store, accountId)))
  expect(presses.filter((press) => press.ok && press.value.isNew)).toHaveLength(1)
  expect(await joinMembership(store, accountId)).toMatchObject({ ok: true, value: { isNew: false } })
  expect(await typeOf(store, accountId)).toBe('Retail Member')
  await Promise.all([captureMembership(store, termId), captureMembership(store, termId)])
  await captureMembership(store, termId)
  expect(await chargeOf(store, termId)).toEqual([{ state: 'captured', captured_cents: 3900, refunded_cents: 0 }])
  expect(await books(store, termId)).toEqual({ cash: 3900, memberships: -3900 })
  expect(await beginMembership(store, accountId)).toMatchObject({ ok: false, reason: 'too-early' })
  expect(await store.db.selectFrom('message').select('kind').execute()).toEqual([{ kind: 'membership-begun' }])
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a membership requires payment, and an abandoned charge is voided', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  expect(await joinMembership(store, accountId)).toMatchObject({ ok: false, reason: 'nothing-begun' })
  await pay(store, accountId, '4000000000000002')
  expect(await joinMembership(store, accountId)).toMatchObject({
    ok: false,
    reason: 'not-paid',
    detail: { failure: expect.stringContaining('declined') },
  })
  expect(await typeOf(store, accountId)).toBe('Retail')

  const other = await addAccount(store)
  const termId = await pay(store, other)
  expect((await selectDraft(store.db, other))?.id).toBe(termId)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  expect(await releaseAbandonedCharges(store)).toBe(1)
  expect(await joinMembership(store, other)).toMatchObject({ ok: false, reason: 'not-paid' })
})

test("a member's charge is not voided, however long its capture takes", async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  const termId = await pay(store, accountId)
  must(await joinMembership(store, accountId))
  store.clock.set(store.clock.now().add({ hours: 2 }))
  expect(await releaseAbandonedCharges(store)).toBe(0)
  await captureMembership(store, termId)
  expect(await chargeOf(store, termId)).toMatchObject([{ state: 'captured' }])
})

test('accounts with another price tier can’t buy it, even if granted during checkout', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  const termId = await pay(store, accountId)
  await grantType(store, { accountId, type: 'EPP', how: 'staff', until: null, by: 'a test' })
  expect(await joinMembership(store, accountId)).toMatchObject({
    ok: false,
    reason: 'has-other-prices',
    detail: { type: 'EPP' },
  })
  expect(await beginMembership(store, accountId)).toMatchObject({ ok: false, reason: 'has-other-prices' })
  expect(await chargeOf(store, termId)).toEqual([])
})

test('an unused year is refunded once, which ends its prices', async () => {
  await using store = await openTestStore(port)
  const { accountId, termId } = await addMember(store)
  const asked = await Promise.all([refundMembership(store, accountId), refundMembership(store, accountId)])
  expect(asked.map((answer) => (answer.ok ? 'given back' : answer.reason)).toSorted()).toEqual([
    'given back',
    'no-membership',
  ])
  await Promise.all([payBackMembership(store, termId), payBackMembership(store, termId)])
  await payBackMembership(store, termId)
  expect(await chargeOf(store, termId)).toEqual([{ state: 'captured', captured_cents: 3900, refunded_cents: 3900 }])
  expect(await books(store, termId)).toEqual({})
  expect(await typeOf(store, accountId)).toBe('Retail')
  // It can be bought again.
  must(await beginMembership(store, accountId))
})

test('no refund after an order at member prices, after thirty days, or during capture', async () => {
  await using store = await openTestStore(port)
  const { accountId } = await addMember(store)
  // A claimed guest order is not at member prices.
  const { cartId } = await makePlacedOrder(store, { fulfillment: 'home' })
  await keepCart(store.db, cartId, accountId)
  expect((await readMembership(store, accountId))?.refund).toEqual({ can: true })
  // The cart is unowned until the order is placed, and then its buyer's.
  await makePlacedOrder(asAccount(store, accountId), { fulfillment: 'home' })
  expect(await refundMembership(store, accountId)).toMatchObject({ ok: false, reason: 'used' })

  const { accountId: late } = await addMember(store)
  const other = await addAccount(store)
  await pay(store, other)
  must(await joinMembership(store, other))
  expect(await refundMembership(store, other)).toMatchObject({ ok: false, reason: 'charge-pending' })
  store.clock.set(store.clock.now().add({ hours: 24 * 30 }))
  expect(await refundMembership(store, late)).toMatchObject({ ok: false, reason: 'too-late' })
})

test('a changed refund period applies to memberships bought after the change', async () => {
  await using store = await openTestStore(port)
  const before = await addMember(store)
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const seen = (await selectState(store.db)).termsVersion
  const input = { values: { 'membership-refund-days': 5 }, startsAt: null, seen }
  must(await changeTerms(store, { via: 'command line', name: 'owner' }, { group: 'services', input }))
  await store.businessTerms.read()
  const after = await addMember(store)
  store.clock.set(store.clock.now().add({ hours: 24 * 5 }))
  expect(await readMembership(store, before.accountId)).toMatchObject({ refund: { can: true }, refundDays: 30 })
  expect(await readMembership(store, after.accountId)).toMatchObject({ refundDays: 5 })
  expect(await refundMembership(store, after.accountId)).toMatchObject({ ok: false, reason: 'too-late' })
  must(await refundMembership(store, before.accountId))
})

test('a changed grace period applies to memberships bought after the change', async () => {
  await using store = await openTestStore(port)
  const before = await addMember(store)
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const seen = (await selectState(store.db)).termsVersion
  const input = { values: { 'membership-grace-days': 30 }, startsAt: null, seen }
  must(await changeTerms(store, { via: 'command line', name: 'owner' }, { group: 'services', input }))
  await store.businessTerms.read()
  const after = await addMember(store)
  const endsAt = (await readMembership(store, after.accountId))?.term.endsAt ?? store.clock.now()
  const dayAfterEnd = (days: number) => endsAt.add({ hours: 24 * days })
  store.clock.set(dayAfterEnd(29))
  expect(await readMembership(store, before.accountId)).toMatchObject({ isOver: true, graceDays: 14 })
  expect(await readMembership(store, after.accountId)).toMatchObject({ isInGrace: true, graceDays: 30 })
  expect(await typeOf(store, before.accountId)).toBe('Retail')
  expect(await typeOf(store, after.accountId)).toBe('Retail Member')
  const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
  if (!config.ok) throw new Error('The configuration of a test is wrong.')
  const email = { key: `membership-ending:${after.termId}:0` }
  expect(await membershipMessageValues({ ...store, config: config.value }, email)).toMatchObject({
    graceUntil: storeDateText(dayAfterEnd(30)),
  })
  // Only the year in its grace period is followed without a gap.
  for (const [{ accountId }, startsAt] of [
    [before, store.clock.now()],
    [after, endsAt],
  ] as const) {
    await pay(store, accountId)
    must(await joinMembership(store, accountId))
    expect((await readMembership(store, accountId))?.term.startsAt).toEqual(startsAt)
  }
})

test('a charge that can no longer be captured ends the membership', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  const termId = await pay(store, accountId)
  must(await joinMembership(store, accountId))
  const { provider_ref: ref } = await store.db
    .selectFrom('payment')
    .select('provider_ref')
    .where('membership_term_id', '=', termId)
    .executeTakeFirstOrThrow()
  expect(await store.payments.voidCharge({ ref: ref ?? '', key: 'gone' })).toMatchObject({ ok: true })
  await captureMembership(store, termId)
  expect(await typeOf(store, accountId)).toBe('Retail')
  expect(await books(store, termId)).toEqual({})
  expect(
    await store.db
      .selectFrom('membership_event')
      .select(['from_state', 'to_state'])
      .where('term_id', '=', termId)
      .orderBy('id')
      .execute(),
  ).toEqual([
    { from_state: 'draft', to_state: 'active' },
    { from_state: 'active', to_state: 'failed' },
  ])
})

test('an early renewal continues without a gap, and refunding it leaves the first year intact', async () => {
  await using store = await openTestStore(port)
  const { accountId, termId } = await addMember(store)
  const first = await readMembership(store, accountId)
  store.clock.set((first?.term.endsAt ?? store.clock.now()).subtract({ hours: 24 * 10 }))
  const second = await pay(store, accountId)
  must(await joinMembership(store, accountId))
  await captureMembership(store, second)
  expect((await readMembership(store, accountId))?.term.startsAt).toEqual(first?.term.endsAt)
  must(await refundMembership(store, accountId))
  expect(await typeOf(store, accountId)).toBe('Retail Member')
  expect((await readMembership(store, accountId))?.term.id).toBe(termId)
})

test('each reminder is sent once, unless unwanted, and prices end after the grace period', async () => {
  await using store = await openTestStore(port)
  const { accountId } = await addMember(store)
  const { accountId: quiet } = await addMember(store)
  await setReminders(store, quiet, false)
  const endsAt = (await readMembership(store, accountId))?.term.endsAt ?? store.clock.now()
  for (const days of [31, 30, 29, 8, 7, 1, 0, -1, -13]) {
    store.clock.set(endsAt.subtract({ hours: 24 * days }))
    await remindOfMemberships(store)
    await remindOfMemberships(store)
  }
  const sent = await store.db
    .selectFrom('message')
    .select('key')
    .where('kind', '=', 'membership-ending')
    .orderBy('created_at')
    .execute()
  expect(sent.map(({ key }) => key.split(':')[2])).toEqual(['30', '7', '0'])
  expect(await typeOf(store, accountId)).toBe('Retail Member')
  store.clock.set(endsAt.add({ hours: 24 * 14 }))
  expect(await typeOf(store, accountId)).toBe('Retail')
  expect(await readMembership(store, accountId)).toMatchObject({ isOver: true, canRenew: true })
})

test('reminders stopped from an email stay stopped, show as stopped, and can be resumed', async () => {
  await using store = await openTestStore(port)
  const { accountId } = await addMember(store)
  const { email } = await store.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  await stopMails(store, { kind: 'membership-ending', email: email ?? '' })
  expect((await readMembership(store, accountId))?.term.wantsReminders).toBe(false)
  const endsAt = (await readMembership(store, accountId))?.term.endsAt ?? store.clock.now()
  const sentAt = async (days: number) => {
    store.clock.set(endsAt.subtract({ hours: 24 * days }))
    await remindOfMemberships(store)
    return (await store.db.selectFrom('message').select('key').where('kind', '=', 'membership-ending').execute()).length
  }
  expect(await sentAt(29)).toBe(0)
  await setReminders(store, accountId, true)
  expect((await readMembership(store, accountId))?.term.wantsReminders).toBe(true)
  expect(await sentAt(7)).toBe(1)
})

test('a member who buys for a company for a while is a member again afterward, until the paid end', async () => {
  await using store = await openTestStore(port)
  const { accountId } = await addMember(store)
  const { endsAt } = must(await joinMembership(store, accountId))
  const { email } = await store.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  store.clock.set(store.clock.now().add({ hours: 1 }))
  await giveCompany(store.db, email ?? '', { clock: store.clock })
  expect(await typeOf(store, accountId)).toBe('Fleet')
  must(await leaveCompany(store, accountId))
  expect(await typeOf(store, accountId)).toBe('Retail Member')
  store.clock.set(endsAt.add({ hours: 24 * 14 }))
  expect(await typeOf(store, accountId)).toBe('Retail')
})
