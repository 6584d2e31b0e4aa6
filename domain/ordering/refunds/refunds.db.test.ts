/**
 * Tests that staff refunds are exact to the cent, within the charged amount, once per form, and with two people above
 * the threshold. Over 400 lines: a single lifecycle with steps that share fixtures.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  agreeTo,
  asAccount,
  asOwner,
  booksOf,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { payOnTerms, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { keepCart, setUsesCredit } from '#domain/payments/cart/cart.server.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { creditOf, enterTransfer } from '#domain/payments/ledger/ledger.server.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  inviteStaff,
  listAudit,
  openOffice,
  revokeGrant,
  listGrants,
  type Actor,
} from '#domain/kernel/staff/staff.server.ts'
import { officeLimitDefaults } from '#domain/kernel/settings/settings.ts'
import type { BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { followOldRefunds, listOpenRefunds } from '#domain/payments/payments/payments.server.ts'
import { selectRefundsOfKey } from '#domain/payments/payments/refunds.sql.server.ts'
import { readConfig } from '#platform/config.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { refundForm, totalOf, type AskedRefund } from './refunds.ts'
import {
  decideRefund,
  emailIssuedRefund,
  listOrderRefunds,
  readRefundable,
  refundMessageValues,
  refundOrder,
  retryOrderRefund,
} from './refunds.server.ts'

const [port = 0] = await freePorts(3)
const command: Actor = { via: 'command line', name: 'tester' }
const why = { reason: 'late', bearer: 'carrier', note: null, lowerReason: null, hasHandlingFee: false } as const
const nothing: AskedRefund = { ...why, lines: [], amountCents: null }

async function staffAs(store: TestStore, role: BuiltInRole, name: string = role): Promise<Actor> {
  const email = `${name}@store.example`
  must(await inviteStaff(store, command, { email, role, lastDay: null }))
  const { cookie } = must(
    await openOffice(
      { ...store, config: { session: { secret: 'a secret for tests only' } } },
      {
        issuer: 'https://id.example',
        person: { subject: name, email, isEmailVerified: true, name },
        idToken: '',
        authenticatedAt: store.clock.now(),
        usedSecondFactor: null,
        networkKey: 'n',
        session: undefined,
      },
    ),
  )
  return { via: 'office', name: email, sessionId: cookie.split('.')[0] ?? '', networkKey: 'n' }
}

/** A charged order of four tires with installation. */
async function makeCharged(store: TestStore): Promise<{ orderId: number; totalCents: number }> {
  const placed = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, placed.orderId)
  return placed
}

function refund(store: TestStore, orderId: number, asked: Partial<AskedRefund>, actor = command, key = newId()) {
  return refundOrder(store, { ...nothing, agreedCents: null, isFresh: true, ...asked, orderId, actor, key })
}

/** Makes a refund, and has a second person approve it if it is over the limit. */
async function refundWhole(store: TestStore, orderId: number, asked: Partial<AskedRefund>): Promise<void> {
  const { refundId, state } = must(await refund(store, orderId, asked))
  if (state === 'draft')
    must(await decideRefund(store, { refundId, decision: 'approved', actor: { via: 'command line', name: 'second' } }))
}

async function everyUnit(store: TestStore, orderId: number): Promise<AskedRefund['lines']> {
  const { lines } = (await readRefundable(store.db, orderId)) ?? { lines: [] }
  return lines
    .map(({ lineNo, quantity, refundedUnits }) => ({ lineNo, units: quantity - refundedUnits }))
    .filter(({ units }) => units > 0)
}

const broken = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

const emailsOf = ({ db }: TestStore, kind: 'order-refunded' | 'order-lines-canceled') =>
  db.selectFrom('message').select(['key', 'order_id as orderId']).where('kind', '=', kind).execute()

const cardOf = async ({ db }: TestStore, orderId: number) => (await readOrder(db, orderId))?.payment?.refundedCents

test('two of four tires are refunded with tax and fees, the rest later, down to zero', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makeCharged(store)
  const half = (await everyUnit(store, orderId)).map(({ lineNo, units }) => ({ lineNo, units: Math.ceil(units / 2) }))
  const first = must(await refund(store, orderId, { lines: half }))
  expect(first.state).toBe('approved')
  const before = await booksOf(store.db, orderId)
  await payOutRefunds(store)
  const [made] = await listOrderRefunds(store.db, orderId)
  expect(made).toMatchObject({
    cardCents: made?.amountCents,
    reason: 'late',
    bearer: 'carrier',
    card: { state: 'done' },
  })
  expect(before).toMatchObject({ refunds: -(made?.amountCents ?? 0), cash: totalCents })
  expect(await cardOf(store, orderId)).toBe(made?.amountCents)
  await refundWhole(store, orderId, { lines: await everyUnit(store, orderId) })
  await payOutRefunds(store)
  expect(await cardOf(store, orderId)).toBe(totalCents)
  expect(await booksOf(store.db, orderId)).toEqual({})
  expect(await refund(store, orderId, { amountCents: 1 })).toMatchObject({ reason: 'more-than-left' })
  expect(await broken(store)).toEqual([])
})

test('only charged orders can be refunded, up to the charged amount', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  const lines = await everyUnit(store, orderId)
  expect(await refund(store, orderId, { lines })).toMatchObject({ reason: 'order-not-charged' })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  expect(await refund(store, orderId, { amountCents: totalCents + 1 })).toEqual({
    ok: false,
    reason: 'more-than-left',
    detail: { leftCents: totalCents },
  })
  expect(await refund(store, orderId, {})).toMatchObject({ reason: 'nothing-asked' })
  expect(await refund(store, orderId, { lines: [{ lineNo: 99, units: 1 }] })).toMatchObject({ reason: 'not-on-order' })
  expect(await refund(store, orderId, { lines: [{ lineNo: 1, units: 5 }] })).toMatchObject({
    reason: 'more-than-bought',
    detail: { lineNo: 1, leftUnits: 4 },
  })
  expect(await refund(store, 999_999, { lines })).toMatchObject({ reason: 'order-not-found' })
  expect(await listOrderRefunds(store.db, orderId)).toEqual([])
})

test('a form submitted twenty times refunds once, and concurrent forms never refund the same unit', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const key = newId()
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => refund(store, orderId, { lines: [{ lineNo: 1, units: 1 }] }, command, key)),
  )
  expect(new Set(presses.map((press) => must(press).refundId)).size).toBe(1)
  expect(presses.filter((press) => must(press).isNew)).toHaveLength(1)
  const both = await Promise.all([
    refund(store, orderId, { lines: [{ lineNo: 1, units: 3 }] }),
    refund(store, orderId, { lines: [{ lineNo: 1, units: 3 }] }),
  ])
  expect(both.map((one) => (one.ok ? 'made' : one.reason)).toSorted()).toEqual(['made', 'more-than-bought'])
  expect(await emailsOf(store, 'order-refunded')).toEqual([])
  await payOutRefunds(store)
  expect(await emailsOf(store, 'order-refunded')).toHaveLength(2)
  const other = await makeCharged(store)
  expect(await refund(store, other.orderId, { amountCents: 100 }, command, key)).toMatchObject({
    reason: 'order-not-found',
  })
  expect(await broken(store)).toEqual([])
})

test('refunds over the limit need a second approver, and support can’t request them', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makeCharged(store)
  const support = await staffAs(store, 'support')
  const finance = await staffAs(store, 'finance')
  const manager = await staffAs(store, 'manager')
  const warehouse = await staffAs(store, 'warehouse')
  const alone = officeLimitDefaults.refundAloneCents
  expect(totalCents).toBeGreaterThan(alone + 100)
  expect(await refund(store, orderId, { amountCents: 100 }, warehouse)).toMatchObject({ reason: 'not-allowed' })
  must(await refund(store, orderId, { amountCents: 100 }, support))
  // Small refunds for one order are added up.
  const rest = alone
  const asked = await refund(store, orderId, { amountCents: rest }, support)
  expect(asked).toMatchObject({ reason: 'over-your-limit', detail: { limitCents: alone } })
  const draft = must(await refund(store, orderId, { amountCents: rest }, finance))
  expect(draft.state).toBe('draft')
  expect(await booksOf(store.db, orderId)).not.toHaveProperty('refunds', -rest)
  // A draft reserves its amount.
  expect(await refund(store, orderId, { amountCents: totalCents - 100 }, finance)).toMatchObject({
    reason: 'more-than-left',
  })
  const decide = (actor: Actor, decision: 'approved' | 'declined' = 'approved') =>
    decideRefund(store, { refundId: draft.refundId, decision, actor })
  expect(await decide(support)).toMatchObject({ reason: 'not-allowed' })
  expect(await decide(finance)).toMatchObject({ reason: 'own-refund' })
  expect(await broken(store)).toEqual([])
  must(await decide(manager))
  must(await decide(manager))
  expect(await decide(finance, 'declined')).toMatchObject({ reason: 'already-decided' })
  await payOutRefunds(store)
  expect(await cardOf(store, orderId)).toBe(rest + 100)
  const { entries } = await listAudit(store, {
    actor: null,
    act: null,
    subject: `s-${orderId}`,
    from: null,
    until: null,
    before: null,
  })
  expect(entries.map(({ act, actor }) => [act, actor])).toEqual([
    ['refund.approved', 'manager@store.example'],
    ['refund.drafted', 'finance@store.example'],
    ['refund.made', 'support@store.example'],
  ])
  expect(await broken(store)).toEqual([])
})

test('a declined draft releases its units, and a revoked role can’t refund', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makeCharged(store)
  const lines = await everyUnit(store, orderId)
  const finance = await staffAs(store, 'finance')
  must(await refund(store, orderId, { amountCents: 1 }, finance))
  const left = totalCents - 1
  const asked = { lines, amountCents: left, lowerReason: 'refunded-before' as const }
  const made = must(await refund(store, orderId, asked, finance))
  expect(made.state).toBe('draft')
  expect(await everyUnit(store, orderId)).toEqual([])
  must(await decideRefund(store, { refundId: made.refundId, decision: 'declined', actor: finance }))
  expect(await everyUnit(store, orderId)).toEqual(lines)
  const grant = (await listGrants(store)).find(({ email }) => email === 'finance@store.example')
  must(await revokeGrant(store, command, { grantId: grant?.id ?? '', reason: 'left' }))
  expect(await refund(store, orderId, { amountCents: 1 }, finance)).toMatchObject({ reason: 'not-allowed' })
  expect(await broken(store)).toEqual([])
})

test('a lower amount needs a separate reason, and a handling fee is stored as one', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const lines = [{ lineNo: 1, units: 1 }]
  const one = (await readRefundable(store.db, orderId))?.lines[0]
  expect(await refund(store, orderId, { lines, amountCents: 5_000 })).toMatchObject({ reason: 'needs-lower-reason' })
  must(
    await refund(store, orderId, { lines, amountCents: 5_000, lowerReason: 'used-or-damaged', hasHandlingFee: true }),
  )
  await payOutRefunds(store)
  expect(await booksOf(store.db, orderId)).toMatchObject({ 'handling-fees': -2_000 })
  const [made] = await listOrderRefunds(store.db, orderId)
  expect(made).toMatchObject({ amountCents: 5_000, handlingFeeCents: 2_000, lowerReason: 'used-or-damaged' })
  expect(made?.linesCents).toBe(
    Math.floor(totalOf(one ?? { netCents: 0, taxCents: 0, fetCents: 0, tireFeeCents: 0 }) / 4),
  )
  expect(await broken(store)).toEqual([])
})

test('store credit that paid a part comes back as store credit, in its proportion and in the end whole', async () => {
  await using store = await openTestStore(port)
  const owner = newId()
  const at = store.clock.now()
  await store.db
    .insertInto('account')
    .values({ id: owner, name: 'Ray', email: 'ray@example.com', email_verified_at: at, created_at: at })
    .execute()
  const other = await makePlacedOrder(store, { fulfillment: 'home' })
  const entries = [
    { account: 'referral-rewards' as const, cents: 2_001 },
    { account: 'store-credit' as const, cents: -2_001, ownerId: owner },
  ]
  await store.db
    .transaction()
    .execute((tx) => enterTransfer(tx, { orderId: other.orderId, reason: 'a test', at, entries }))
  const mine = asAccount(store, owner)
  const cart = await makeReadyCart(mine, { fulfillment: 'home' })
  await keepCart(store.db, cart.id, owner)
  await setUsesCredit(store, { id: cart.id, accountId: owner, usesCredit: true })
  const { totalCents, ...input } = await agreeTo(mine, { ...cart, accountId: owner })
  await payByCard(store, cart.id, totalCents - 2_001)
  const { orderId } = must(await placeOrder(mine, input))
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  must(await refund(store, orderId, { lines: [{ lineNo: 1, units: 1 }] }))
  const first = await creditOf(store.db, owner)
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(2_001)
  await refundWhole(store, orderId, { lines: await everyUnit(store, orderId) })
  await payOutRefunds(store)
  expect(await creditOf(store.db, owner)).toBe(2_001)
  expect(await cardOf(store, orderId)).toBe(totalCents - 2_001)
  expect(await broken(store)).toEqual([])
})

test('on net terms the open invoice is reduced, down to zero, and a paid one isn’t changed', async () => {
  await using store = await openTestStore(port)
  const owner = { ...store, ...(await asOwner(store)) }
  must(await setTerms(store, { by: command, id: owner.companyId, terms: { netDays: 30, creditLimitCents: 1_000_000 } }))
  const order = async () => {
    const cart = await makeReadyCart(owner)
    const { totalCents, ...input } = await agreeTo(owner, cart)
    must(await payOnTerms(owner, { id: cart.id }, totalCents))
    return { orderId: must(await placeOrder(owner, input)).orderId, totalCents }
  }
  const { orderId, totalCents } = await order()
  expect(await refund(store, orderId, { amountCents: 100 })).toMatchObject({ reason: 'order-not-charged' })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  must(await refund(store, orderId, { lines: [{ lineNo: 1, units: 2 }] }))
  expect((await readOrder(store.db, orderId))?.invoice?.amountCents).toBeLessThan(totalCents)
  await refundWhole(store, orderId, { lines: await everyUnit(store, orderId) })
  expect((await readOrder(store.db, orderId))?.invoice).toMatchObject({ amountCents: 0, state: 'paid' })
  expect(await booksOf(store.db, orderId)).toEqual({})
  const paid = await order()
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, paid.orderId)
  must(await recordInvoicePaid(store, { orderId: paid.orderId, by: command, reference: 'wire 7' }))
  expect(await refund(store, paid.orderId, { amountCents: 100 })).toMatchObject({ reason: 'invoice-settled' })
  expect(await broken(store)).toEqual([])
})

test('a refund that the provider refused is shown, tried again, and paid once', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const { refundId } = must(await refund(store, orderId, { amountCents: 700 }))
  const refusing = {
    ...store,
    payments: {
      ...store.payments,
      refundCharge: async () => ({
        ok: false as const,
        reason: 'declined' as const,
        message: 'The account is closed.',
      }),
    },
  }
  await payOutRefunds(refusing)
  expect(await listOrderRefunds(store.db, orderId)).toMatchObject([
    { card: { state: 'refused', note: 'The account is closed.' } },
  ])
  expect(await broken(store)).toEqual([])
  expect(await retryOrderRefund(store, { refundId: newId(), actor: command })).toMatchObject({
    reason: 'refund-not-found',
  })
  must(await retryOrderRefund(store, { refundId, actor: command }))
  await payOutRefunds(store)
  expect(await retryOrderRefund(store, { refundId, actor: command })).toMatchObject({ reason: 'nothing-to-retry' })
  expect(await cardOf(store, orderId)).toBe(700)
  expect((await listOrderRefunds(store.db, orderId))[0]?.card?.state).toBe('done')
})

test('a refund that the provider does not accept is listed for the office, and emailed once the money was sent', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const { refundId } = must(await refund(store, orderId, { amountCents: 700 }))
  const away = {
    ...store,
    payments: {
      ...store.payments,
      refundCharge: async () => ({ ok: false as const, reason: 'unavailable' as const, message: 'A test.' }),
    },
  }
  const open = () => listOpenRefunds(store, { now: store.clock.now(), limit: 10 })
  store.clock.set(store.clock.now().add({ minutes: 9 }))
  await expect(payOutRefunds(away)).rejects.toThrow('The payment provider is away.')
  expect(await open()).toEqual([])
  expect(await emailsOf(store, 'order-refunded')).toEqual([])
  store.clock.set(store.clock.now().add({ minutes: 2 }))
  expect(await open()).toMatchObject([{ orderId, amountCents: 700, why: 'not-accepted' }])
  expect(await broken(store)).toEqual([])
  await payOutRefunds(store)
  await emailIssuedRefund(store, { key: `order-refund:${refundId}` })
  expect(await open()).toEqual([])
  expect(await emailsOf(store, 'order-refunded')).toEqual([{ key: `order-refunded:${refundId}`, orderId }])
  expect(await broken(store)).toEqual([])
})

test('a refund that its bank works on is followed after an hour, until it is done', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const { totalCents, ...input } = await agreeTo(store, cart)
  // The bank of this card takes a while.
  await payByCard(store, cart.id, totalCents, '4000000000007726')
  const { orderId } = must(await placeOrder(store, input))
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const { refundId } = must(await refund(store, orderId, { amountCents: 700 }))
  const other = await makeCharged(store)
  must(await refund(store, other.orderId, { amountCents: 900 }))
  await payOutRefunds(store)
  const [own] = await selectRefundsOfKey(store.db, `order-refund:${refundId}`)
  expect(await selectRefundsOfKey(store.db, `order-refund:${refundId}`)).toHaveLength(1)
  expect(own).toMatchObject({ orderId, amountCents: 700, state: 'promised', pendingRef: expect.any(String) })
  expect(await followOldRefunds(store)).toBe(0)
  store.clock.set(store.clock.now().add({ minutes: 61 }))
  expect(await followOldRefunds(store)).toBe(1)
  await store.sandbox.catchUp()
  await followOldRefunds(store)
  expect(await followOldRefunds(store)).toBe(0)
  expect(await cardOf(store, orderId)).toBe(700)
  // Done, it is no longer part of what is promised.
  expect((await readRefundable(store.db, orderId))?.leftCents).toBe(totalCents - 700)
  expect(await broken(store)).toEqual([])
})

test('the customer is emailed the refund amount and method', async () => {
  await using store = await openTestStore(port)
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const { orderId } = await makeCharged(store)
  const { refundId } = must(await refund(store, orderId, { lines: [{ lineNo: 1, units: 1 }], hasHandlingFee: true }))
  const values = await refundMessageValues({ ...store, config: config.value }, { key: `order-refunded:${refundId}` })
  const mail = await renderMessage('order-refunded', values ?? {})
  expect(mail.subject).toMatch(new RegExp(`^We refunded \\$[\\d.]+ of order S-${orderId}$`))
  expect(mail.text).toContain('Handling fee: −$20.00')
  expect(mail.text).toMatch(/We refunded \$[\d.]+ to your Visa ending in 4242/)
  expect(values?.['items']).toMatchObject({ tires: [{ quantity: 1, pictureUrl: expect.stringMatching(/\d\.png$/) }] })
})

test('the schema refuses what the use case would never do', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const { refundId } = must(
    await refund(store, orderId, { lines: [{ lineNo: 1, units: 4 }], amountCents: 100, lowerReason: 'agreed' }),
  )
  const violates = async (statement: ReturnType<typeof sql>) => {
    try {
      await statement.execute(store.db)
      return 'nothing'
    } catch (error) {
      return violatedConstraint(error)
    }
  }
  expect(await violates(sql`update order_refund set amount_cents = 1 where id = ${refundId}::uuid`)).toBe(
    'order_refund_decided_once',
  )
  expect(
    await violates(sql`
      with again as (
        insert into order_refund (id, order_id, submission_key, state, lines_cents, amount_cents, card_cents, credit_cents, invoice_cents, reason, bearer, is_over_limit, created_at, created_by, decided_at, decided_by)
        values (${newId()}::uuid, ${orderId}::bigint, ${newId()}::uuid, 'approved', 1, 1, 1, 0, 0, 'late', 'store', false, now(), 'x', now(), 'x') returning id)
      select id from again`),
  ).toBe('order_refund_is_its_lines')
  expect(
    await violates(sql`
      insert into order_refund_line (refund_id, order_id, line_no, units, net_cents, tax_cents, fet_cents, tire_fee_cents)
      values (${refundId}::uuid, ${orderId}::bigint, 2, 99, 0, 0, 0, 0)`),
  ).toBe('order_refunds_within_line')
  expect(
    await violates(sql`
      insert into order_refund (id, order_id, submission_key, state, lines_cents, goodwill_cents, amount_cents, card_cents, credit_cents, invoice_cents, reason, bearer, is_over_limit, created_at, created_by, decided_at, decided_by)
      values (${newId()}::uuid, ${orderId}::bigint, ${newId()}::uuid, 'approved', 0, 1, 1, 1, 0, 0, 'late', 'store', true, now(), 'x', now(), 'x')`),
  ).toBe('order_refund_second_person')
})

test('the form parses units, amount, reason, and cost allocation, and reports missing fields', () => {
  const read = (fields: Record<string, string>) => refundForm.safeParse({ reason: 'late', bearer: 'store', ...fields })
  expect(read({ 'units-1': '2', 'units-2': '', 'units-3': '0', amount: '$1,512.07' })).toMatchObject({
    data: { lines: [{ lineNo: 1, units: 2 }], amountCents: 151_207, lowerReason: null },
  })
  const faults = (fields: Record<string, string>) => read(fields).error?.issues.map(({ path }) => path[0])
  expect(faults({ amount: 'a lot' })).toEqual(['amount'])
  expect(faults({ 'units-1': '-1' })).toEqual(['units-1'])
  expect(faults({ bearer: 'maker' })).toEqual(['bearer'])
  expect(faults({ reason: 'other' })).toEqual(['note'])
  expect(faults({ reason: '' })).toEqual(['reason'])
})
