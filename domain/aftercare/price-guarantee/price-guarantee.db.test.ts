/**
 * Price match requests from form to refund, including interruptions and concurrent decisions. Over 400 lines: a single
 * lifecycle with steps that share fixtures.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import {
  agreeTo,
  asOwner,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { payOnTerms, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import type { MessageKind } from '#domain/messaging/messages/messages.ts'
import { cancelOrder, readOrder, releaseOrder, selectPaidLines } from '#domain/ordering/orders/orders.server.ts'
import { payOutRefund, promiseRefund } from '#domain/payments/payments/payments.server.ts'
import { requestsPerHour } from '#domain/messaging/support/support.server.ts'
import { makeDeliveredOrder } from '#domain/ordering/returns/returns.testing.ts'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { storeDay } from '#platform/store-zone.ts'
import { readConfig } from '#platform/config.ts'
import { violatedConstraint } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  approveGuarantee,
  fileGuaranteeRequest,
  findGuarantee,
  findGuaranteeFile,
  guaranteeForm,
  guaranteeMessageValues,
  listOpenGuarantees,
  refuseGuarantee,
  retryGuaranteeRefund,
} from './price-guarantee.server.ts'
import { paidForTires } from './price-guarantee.ts'

const [port = 0] = await freePorts(3)

async function openGuarantees() {
  const store = await openTestStore(port)
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  return {
    ...store,
    config: config.value,
    rateLimits: createRateLimits(store),
    files: filesInRows,
  }
}
type Guarantees = Awaited<ReturnType<typeof openGuarantees>>

const offer = {
  competitor: 'Other Tires',
  link: 'https://othertires.com/alltide',
  price: '20.00',
  shipping: '1',
  seenOn: '11/20/2026',
}
const sender = { isOwn: true, networkKey: 'network-1', file: null }

/** Submits a request for an order in the browser that placed it. */
async function ask(store: Guarantees, orderId: number, change: Record<string, string> = {}): Promise<number> {
  const form = guaranteeForm.parse({ ...offer, orderNumber: `S-${orderId}`, ...change })
  return must(await fileGuaranteeRequest(store, form, sender)).id
}

async function release(store: TestStore, orderId: number): Promise<void> {
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
}

/** Runs the waiting refund jobs as the worker does, once each. */
async function runRefunds(store: TestStore): Promise<void> {
  for (const id of await waitingRefunds(store)) {
    await payOutRefund(store, id)
    await sql`select graphile_worker.remove_job(${`refund-charge:${id}`})`.execute(store.db)
  }
}

async function waitingRefunds({ db }: TestStore): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'refund-charge' and attempts < max_attempts order by key`.execute(
    db,
  )
  return rows.map(({ key }) => key.replace('refund-charge:', ''))
}

const errors = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

const moneyOf = async (store: TestStore, orderId: number) => (await readOrder(store.db, orderId))?.payment

const mailsOf = async ({ db }: TestStore) =>
  (
    await db
      .selectFrom('message')
      .select(['kind', 'key', 'to_address as to'])
      .where('kind', 'like', 'guarantee-%')
      .orderBy('created_at')
      .orderBy('key')
      .execute()
  ).map(({ kind, key, to }) => ({ kind: kind as MessageKind, key, to }))

test('a request about an order is filed once, answered at the order’s own address, and listed with what it comes to', async () => {
  await using store = await openGuarantees()
  const { orderId, cartId } = await makePlacedOrder(store)
  const id = await ask(store, orderId, { email: 'someone@else.example' })
  expect(await ask(store, orderId, { email: 'someone@else.example' })).toBe(id)
  const [open, ...more] = await listOpenGuarantees(store)
  expect(more).toEqual([])
  expect(open).toMatchObject({ id, orderId, email: `${cartId}@example.com`, quantity: 4, theirEachCents: 2_000 })
  const lines = await selectPaidLines(store.db, orderId)
  const paid = paidForTires(lines, open?.itemId ?? 0)
  expect(open?.suggestedCents).toBeGreaterThan((open?.ourEachCents ?? 0) * 4 - 8_000 - 1)
  expect(open?.suggestedCents).toBeLessThanOrEqual(paid)
  expect(await mailsOf(store)).toEqual([
    { kind: 'guarantee-filed', key: `guarantee-filed:${id}`, to: store.config.store.email },
    { kind: 'guarantee-received', key: `guarantee-received:${id}`, to: `${cartId}@example.com` },
  ])
})

test('an order is verified by its email or ZIP, and other numbers don’t work', async () => {
  await using store = await openGuarantees()
  const { orderId, cartId } = await makePlacedOrder(store)
  const stranger = (change: Record<string, string>) =>
    fileGuaranteeRequest(store, guaranteeForm.parse({ ...offer, orderNumber: `S-${orderId}`, ...change }), {
      ...sender,
      isOwn: false,
    })
  expect(await stranger({})).toMatchObject({ reason: 'order-unknown', detail: { by: 'nothing' } })
  expect(await stranger({ zip: '10001' })).toMatchObject({ reason: 'order-unknown', detail: { by: 'zip' } })
  expect(await stranger({ email: 'me@example.com' })).toMatchObject({ reason: 'order-unknown' })
  expect(await stranger({ email: `${cartId.toUpperCase()}@EXAMPLE.com` })).toMatchObject({ ok: true })
  expect(await stranger({ zip: '60614' })).toMatchObject({ ok: true })
  for (let count = 0; count < 5; count++) await stranger({ zip: '10002' })
  expect(await stranger({ zip: '60614' })).toMatchObject({ reason: 'too-many-attempts' })
  expect(await stranger({ orderNumber: '999999', zip: '60614' })).toMatchObject({ reason: 'order-unknown' })
})

test('rejects an ineligible request with the reason', async () => {
  await using store = await openGuarantees()
  const { orderId } = await makePlacedOrder(store)
  const asked = async (change: Record<string, string>) => {
    const form = guaranteeForm.parse({ ...offer, orderNumber: `S-${orderId}`, ...change })
    const filed = await fileGuaranteeRequest(store, form, sender)
    return filed.ok || filed.reason !== 'not-matched' ? filed : filed.detail.map(({ field }) => field)
  }
  expect(await asked({ price: '9999' })).toEqual(['price'])
  expect(await asked({ link: 'https://www.ebay.com/itm/1', shipping: '1', seenOn: '11/21/2026' })).toEqual([
    'seenOn',
    'link',
  ])
  expect(await asked({ item: '1' })).toEqual(['item'])
  expect(await asked({ quantity: '5' })).toEqual(['quantity'])
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  expect(await asked({})).toEqual(['orderNumber'])
  expect(await listOpenGuarantees(store)).toEqual([])
  expect(await mailsOf(store)).toEqual([])
})

test('before buying, today’s price is compared, and approving it moves no money', async () => {
  await using store = await openGuarantees()
  const item = String(await pickTire(store))
  const form = guaranteeForm.parse({ ...offer, email: 'dana@example.com', item, quantity: '2' })
  const { id } = must(await fileGuaranteeRequest(store, form, { ...sender, isOwn: false }))
  expect(await fileGuaranteeRequest(store, { ...form, item: 999_999_999 }, sender)).toMatchObject({
    reason: 'not-matched',
    detail: [{ field: 'item' }],
  })
  must(await approveGuarantee(store, { id, differenceCents: 1_000, by: desk }))
  expect(await waitingRefunds(store)).toEqual([])
  expect(await guaranteeMessageValues(store, { key: `guarantee-approved:${id}` })).toMatchObject({
    difference: '$10.00',
    how: expect.stringContaining('Place your order') as string,
  })
  expect(await errors(store)).toEqual([])
})

test('re-encodes a picture for staff, and rejects other files and requests over the limit', async () => {
  await using store = await openGuarantees()
  const { orderId } = await makePlacedOrder(store)
  const form = guaranteeForm.parse({ ...offer, orderNumber: String(orderId) })
  const withFile = (text: string, change: Partial<typeof form> = {}) =>
    fileGuaranteeRequest(
      store,
      { ...form, ...change },
      { ...sender, file: { name: 'a.pdf', bytes: Buffer.from(text) } },
    )
  expect(await withFile('nothing we know')).toMatchObject({ reason: 'other-kind' })
  expect(await withFile('%PDF-1.7 cut off')).toMatchObject({ reason: 'unreadable' })
  const { id } = must(await withFile('%PDF-1.7\n%%EOF\n'))
  expect((await findGuaranteeFile(store, id))?.name).toBe('a.pdf')
  const sent = await Promise.all(
    Array.from({ length: requestsPerHour + 3 }, (_, more) =>
      fileGuaranteeRequest(store, { ...form, price: 1_000 + more }, sender),
    ),
  )
  expect(sent.filter(({ ok }) => ok)).toHaveLength(requestsPerHour - 1)
  expect(sent.filter((filed) => !filed.ok && filed.reason === 'too-many-requests')).toHaveLength(4)
})

test('of two concurrent decisions one succeeds, and decisions are final', async () => {
  await using store = await openGuarantees()
  const { orderId } = await makePlacedOrder(store)
  const id = await ask(store, orderId)
  await release(store, orderId)
  const decided = await Promise.all([
    approveGuarantee(store, { id, differenceCents: 1_000, by: desk }),
    approveGuarantee(store, { id, differenceCents: 2_000, by: desk }),
    refuseGuarantee(store, { id, reason: 'Not the same tire.', by: desk }),
  ])
  expect(decided.filter(({ ok }) => ok)).toHaveLength(1)
  for (const outcome of decided) if (!outcome.ok) expect(outcome.reason).toBe('already-decided')
  const kept = await findGuarantee(store, id)
  expect(await approveGuarantee(store, { id, differenceCents: 1_000, by: desk })).toMatchObject({
    reason: 'already-decided',
  })
  expect(await findGuarantee(store, id)).toEqual(kept)
  expect((await mailsOf(store)).filter(({ kind }) => /approved|refused/.test(kind))).toHaveLength(1)
  expect(await approveGuarantee(store, { id: 999, differenceCents: 1, by: desk })).toMatchObject({
    reason: 'request-not-found',
  })
})

test('refunds part of the difference once, and the ledger balances', async () => {
  await using store = await openGuarantees()
  const { orderId, totalCents } = await makePlacedOrder(store)
  await release(store, orderId)
  const id = await ask(store, orderId)
  must(await approveGuarantee(store, { id, differenceCents: 4_321, by: desk }))
  expect(await errors(store)).toEqual([])
  const [refund = ''] = await waitingRefunds(store)
  await Promise.all([payOutRefund(store, refund), payOutRefund(store, refund)])
  await runRefunds(store)
  await payOutRefund(store, refund)
  expect(await moneyOf(store, orderId)).toMatchObject({ capturedCents: totalCents, refundedCents: 4_321 })
  const charge = await store.db.selectFrom('payment').select('provider_ref').where('order_id', '=', orderId).execute()
  expect(await store.payments.readCharge(charge[0]?.provider_ref ?? '')).toMatchObject({
    value: { refundedCents: 4_321 },
  })
  expect(await findGuarantee(store, id)).toMatchObject({ refund: { state: 'done' } })
  expect(await errors(store)).toEqual([])
  // One match per tire in an order, however low the price.
  const again = await ask(store, orderId, { price: '10.00' })
  expect(await approveGuarantee(store, { id: again, differenceCents: 100, by: desk })).toMatchObject({
    reason: 'approved-before',
  })
  must(await refuseGuarantee(store, { id: again, reason: 'We matched this tire before.', by: desk }))
})

test('captures an uncaptured charge first, and pays no refund for a voided one', async () => {
  await using store = await openGuarantees()
  const [kept, dropped] = [await makePlacedOrder(store), await makePlacedOrder(store, { openingAt: 1 })]
  for (const { orderId } of [kept, dropped]) {
    const id = await ask(store, orderId)
    must(await approveGuarantee(store, { id, differenceCents: 1_500, by: desk }))
    expect(await guaranteeMessageValues(store, { key: `guarantee-approved:${id}` })).toMatchObject({
      how: 'We refund your Visa ending in 4242 as soon as the order is charged.',
    })
  }
  expect(await waitingRefunds(store)).toEqual([])
  must(await cancelOrder(store, { orderId: dropped.orderId, actor: 'shopper' }))
  await release(store, kept.orderId)
  expect(await errors(store)).toEqual([])
  await runRefunds(store)
  expect(await moneyOf(store, kept.orderId)).toMatchObject({ state: 'captured', refundedCents: 1_500 })
  expect(await moneyOf(store, dropped.orderId)).toMatchObject({ refundedCents: 0 })
  expect(await errors(store)).toEqual([])
})

test('never more than was paid for these tires, nor than is left of the charge', async () => {
  await using store = await openGuarantees()
  const { orderId, totalCents } = await makePlacedOrder(store)
  await release(store, orderId)
  const id = await ask(store, orderId)
  const { itemId = 0 } = (await findGuarantee(store, id)) ?? {}
  const mostCents = paidForTires(await selectPaidLines(store.db, orderId), itemId)
  expect(mostCents).toBeLessThan(totalCents)
  expect(await approveGuarantee(store, { id, differenceCents: mostCents + 1, by: desk })).toMatchObject({
    reason: 'more-than-paid',
    detail: { mostCents },
  })
  const at = store.clock.now()
  const promise = (amountCents: number, key: string) =>
    store.db.transaction().execute((tx) => promiseRefund(tx, { orderId, amountCents, key, at }))
  must(await promise(totalCents - 100, 'goodwill:1'))
  expect(await approveGuarantee(store, { id, differenceCents: 101, by: desk })).toMatchObject({
    reason: 'more-than-charged',
    detail: { leftCents: 100 },
  })
  expect(await findGuarantee(store, id)).toMatchObject({ state: 'open', differenceCents: null })
  const both = await Promise.all([promise(60, 'goodwill:2'), promise(60, 'goodwill:3')])
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  // Behind the use case, the schema holds it too.
  const beyond = sql`insert into charge_refund (id, payment_id, amount_cents, key, promised_at)
    select gen_random_uuid(), id, 41, 'behind', now() from payment where order_id = ${orderId}`
  expect(violatedConstraint(await beyond.execute(store.db).catch((error: unknown) => error))).toBe(
    'refunds_within_charge',
  )
})

test('cut off after any step, the refund is made once by the next run', async () => {
  await using store = await openGuarantees()
  const { orderId } = await makePlacedOrder(store)
  await release(store, orderId)
  const id = await ask(store, orderId)
  must(await approveGuarantee(store, { id, differenceCents: 700, by: desk }))
  const [refund = ''] = await waitingRefunds(store)
  const away = { ok: false, reason: 'unavailable', message: 'away' } as const
  // Interrupted before the provider receives the request.
  const unheard = { ...store, payments: { ...store.payments, refundCharge: async () => away } }
  await expect(payOutRefund(unheard, refund)).rejects.toThrow('away')
  // The provider has done it, and its answer is lost.
  const lost: typeof store.payments.refundCharge = async (input) => {
    expect(await store.payments.refundCharge(input)).toMatchObject({ ok: true })
    return away
  }
  await expect(payOutRefund({ ...store, payments: { ...store.payments, refundCharge: lost } }, refund)).rejects.toThrow(
    'away',
  )
  // The answer is there, and the process dies before it is written down.
  const dying = {
    now: () => {
      throw new Error('killed')
    },
  }
  await expect(payOutRefund({ ...store, clock: dying }, refund)).rejects.toThrow('killed')
  expect(await moneyOf(store, orderId)).toMatchObject({ refundedCents: 0 })
  expect(await errors(store)).toEqual([])
  await runRefunds(store)
  expect(await moneyOf(store, orderId)).toMatchObject({ refundedCents: 700 })
  const [charge] = await store.db.selectFrom('payment').select('provider_ref').where('order_id', '=', orderId).execute()
  expect(await store.payments.readCharge(charge?.provider_ref ?? '')).toMatchObject({ value: { refundedCents: 700 } })
  expect(await errors(store)).toEqual([])
})

test('a refund without its job is found, and asked for once more', async () => {
  await using store = await openGuarantees()
  const { orderId } = await makePlacedOrder(store)
  await release(store, orderId)
  const id = await ask(store, orderId)
  must(await approveGuarantee(store, { id, differenceCents: 700, by: desk }))
  const [refund = ''] = await waitingRefunds(store)
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${`refund-charge:${refund}`}`.execute(
    store.db,
  )
  expect((await errors(store)).map(({ name }) => name)).toEqual(['approved-guarantee-is-paid'])
  must(await retryGuaranteeRefund(store, { id: id, by: desk }))
  expect(await errors(store)).toEqual([])
  await runRefunds(store)
  expect(await findGuarantee(store, id)).toMatchObject({ refund: { state: 'done' } })
})

test('a refund that the provider refuses is noted for staff, who ask once more', async () => {
  await using store = await openGuarantees()
  const { orderId } = await makePlacedOrder(store)
  await release(store, orderId)
  const id = await ask(store, orderId)
  must(await approveGuarantee(store, { id, differenceCents: 700, by: desk }))
  const declined = async () => ({ ok: false, reason: 'declined', message: 'The bank says no.' }) as const
  const [refund = ''] = await waitingRefunds(store)
  await payOutRefund({ ...store, payments: { ...store.payments, refundCharge: declined } }, refund)
  expect(await findGuarantee(store, id)).toMatchObject({ refund: { state: 'refused', note: 'The bank says no.' } })
  expect((await verify(store.db, store.clock.now())).map(({ name }) => name)).toContain('refund-not-refused')
  expect(await errors(store)).toEqual([])
  must(await retryGuaranteeRefund(store, { id: id, by: desk }))
  await runRefunds(store)
  expect(await moneyOf(store, orderId)).toMatchObject({ refundedCents: 700 })
  expect(await retryGuaranteeRefund(store, { id: id, by: desk })).toMatchObject({ reason: 'nothing-to-retry' })
  expect(await errors(store)).toEqual([])
})

test('of an order on net terms the open invoice is lowered, after the canceling window', async () => {
  await using store = await openGuarantees()
  const owner = await asOwner(store)
  must(await setTerms(owner, { by: desk, id: owner.companyId, terms: { netDays: 30, creditLimitCents: 1_000_000 } }))
  const placeOnTerms = async () => {
    const cart = await makeReadyCart(owner, { fulfillment: 'home' })
    const { totalCents, ...input } = await agreeTo(owner, cart)
    must(await payOnTerms(owner, cart, totalCents))
    return { totalCents, ...must(await placeOrder(owner, input)) }
  }
  const order = await placeOnTerms()
  const id = await ask(store, order.orderId)
  expect(await approveGuarantee(store, { id, differenceCents: 900, by: desk })).toMatchObject({
    reason: 'not-released',
  })
  await release(store, order.orderId)
  must(await approveGuarantee(store, { id, differenceCents: 900, by: desk }))
  expect((await readOrder(store.db, order.orderId))?.invoice).toMatchObject({ amountCents: order.totalCents - 900 })
  expect(await guaranteeMessageValues(store, { key: `guarantee-approved:${id}` })).toMatchObject({
    how: 'It is taken off your company’s invoice.',
  })
  expect(await errors(store)).toEqual([])
  must(await recordInvoicePaid(store, { orderId: order.orderId, by: desk, reference: 'ACH-1' }))
  expect(await errors(store)).toEqual([])

  const paid = await placeOnTerms()
  await release(store, paid.orderId)
  must(await recordInvoicePaid(store, { orderId: paid.orderId, by: desk, reference: 'ACH-2' }))
  const late = await ask(store, paid.orderId)
  expect(await approveGuarantee(store, { id: late, differenceCents: 900, by: desk })).toMatchObject({
    reason: 'invoice-settled',
  })
})

test('a changed price match window applies to orders placed after the change', async () => {
  await using store = await openGuarantees()
  const before = await makeDeliveredOrder(store)
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const seen = (await selectState(store.db)).termsVersion
  const input = { values: { 'guarantee-days': 5 }, startsAt: null, seen }
  must(await changeTerms(store, desk, { group: 'orders', input }))
  await store.businessTerms.read()
  const after = await makeDeliveredOrder(store)
  store.clock.set(store.clock.now().add({ hours: 24 * 10 }))
  const { year, month, day } = storeDay(store.clock.now())
  const seenOn = `${month}/${day}/${year}`
  expect(await ask(store, before.orderId, { seenOn })).toBeGreaterThan(0)
  const late = guaranteeForm.parse({ ...offer, orderNumber: `S-${after.orderId}`, seenOn })
  const refused = await fileGuaranteeRequest(store, late, sender)
  const reason = expect.stringContaining('We match prices until 5 days after delivery.') as unknown
  expect(refused).toMatchObject({ reason: 'not-matched', detail: [{ field: 'orderNumber', reason }] })
})

test('a refusal needs words, and its email carries them; every email has its values', async () => {
  await using store = await openGuarantees()
  const { orderId } = await makePlacedOrder(store)
  const [id, other] = [await ask(store, orderId), await ask(store, orderId, { price: '21.00' })]
  expect(await refuseGuarantee(store, { id, reason: '  ', by: desk })).toMatchObject({ reason: 'no-reason' })
  must(await refuseGuarantee(store, { id, reason: 'It is a closeout.', by: desk }))
  must(await approveGuarantee(store, { id: other, differenceCents: 100, by: desk }))
  const texts = new Map<string, string>()
  for (const { kind, key } of await mailsOf(store)) {
    const values = await guaranteeMessageValues(store, { key })
    const { text } = await renderMessage(kind, values ?? {})
    texts.set(kind, text)
    if (kind !== 'guarantee-filed') expect(text).not.toContain('Other Tires')
  }
  expect([...texts.keys()].toSorted()).toEqual([
    'guarantee-approved',
    'guarantee-filed',
    'guarantee-received',
    'guarantee-refused',
  ])
  expect(texts.get('guarantee-refused')).toContain('It is a closeout.')
  expect(texts.get('guarantee-approved')).toContain('$1.00')
})
