/** A dispute raised on the provider's page reaches the office, is answered there, and shows in the day's reconciliation. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStripeRecords } from '#adapters/payments/stripe-records.ts'
import { reconcileDays } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { testSecrets } from '#sandbox/test-sandbox.ts'
import { eventually } from '#tests/support/eventually.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let owner: Visitor
beforeAll(async () => {
  store = await startStore({ env: { RELEASE_AFTER_SECONDS: '0' } })
  owner = createVisitor()
  await signInToOffice(store.origin, owner)
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const textOf = async (path: string) => (await owner.ask(at(path))).text()

test('a dispute comes in, is answered with the order’s packet once, and is won', async () => {
  const orderId = await placeHomeOrder(store, createVisitor(), { email: 'bank@example.com' })
  const ref = await eventually('capture', async () => {
    const charge = await store.database.db
      .selectFrom('payment')
      .select(['provider_ref', 'state'])
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    return charge?.state === 'captured' ? charge.provider_ref : undefined
  })
  const form = new URLSearchParams({ act: 'dispute', reason: 'product_not_received' })
  await fetch(`${store.sandboxOrigin}/payments/${ref}/dispute`, {
    method: 'POST',
    headers: { origin: store.sandboxOrigin },
    body: form,
    redirect: 'manual',
  })
  const number = await eventually('dispute', async () => {
    const found = await store.database.db
      .selectFrom('dispute')
      .select('id')
      .where('order_id', '=', orderId)
      .where('withdrawn_cents', '>', 0)
      .executeTakeFirst()
    return found && `D-${found.id}`
  })
  const path = `/office/disputes/${number}`
  expect(await textOf('/office/disputes')).toContain(path)
  expect(await textOf('/office')).toContain('Disputes to answer')
  const page = await textOf(path)
  for (const words of ['Product not received', 'bank@example.com', 'Agreed terms', 'Delivery', 'Dispute withdrawn'])
    expect(page).toContain(words)

  const long = await owner.ask(at(path), { form: { intent: 'note', notes: 'x'.repeat(10_001) } })
  expect(long.status).toBe(422)
  const noted = await owner.ask(at(path), { form: { intent: 'note', notes: 'Called <them>.' } })
  expect(noted.headers.get('location')).toBe(`${path}?done=note`)
  expect(await textOf(path)).toContain('Called &lt;them&gt;.')
  const sent = await owner.ask(at(path), { form: { intent: 'submit', notes: 'winning_evidence' } })
  expect(sent.headers.get('location')).toBe(`${path}?done=submit`)
  await eventually('won', async () => ((await textOf(path)).includes('Dispute reinstated') ? true : undefined))
  expect((await owner.ask(at(path), { form: { intent: 'accept' } })).status).toBe(409)
  expect((await owner.ask(at(path), { form: { intent: '__proto__' } })).status).toBe(400)
})

test('a reconciled day is shown, as a file too, and resolved once with a note', async () => {
  const { db } = store.database
  const day = Temporal.Now.plainDateISO('UTC')
  const stripe = createStripeRecords({ apiOrigin: store.sandboxOrigin, secretKey: testSecrets.stripeSecretKey })
  const stray = { ref: 'txn_stray', kind: 'charge', amountCents: 1_234, feeCents: 0, chargeRef: 'pi_stray' } as const
  const paymentRecords = {
    stripe: {
      ...stripe,
      listMovements: () =>
        Promise.resolve({
          ok: true as const,
          value: {
            movements: [{ ...stray, at: Temporal.Now.instant(), refundRef: null, disputeRef: null }],
            next: null,
          },
        }),
    },
  }
  const clock = { now: () => Temporal.Now.instant() }
  await reconcileDays({ db, clock, paymentRecords }, { provider: 'stripe', from: day, to: day })
  const path = `/office/reconciliation/stripe/${day.toString()}`
  expect(await textOf('/office/reconciliation')).toContain(path)
  expect(await textOf('/office')).toContain('Unreconciled days')
  const page = await textOf(path)
  for (const words of ['Charge without an order', 'txn_stray', '$12.34', ', Stripe']) expect(page).toContain(words)
  expect((await owner.ask(at(path), { form: { note: ' ' } })).status).toBe(422)
  const resolved = await owner.ask(at(path), { form: { note: 'A test charge.' } })
  expect(resolved.headers.get('location')).toBe(`${path}?done=resolved`)
  expect((await owner.ask(at(path), { form: { note: 'Again.' } })).status).toBe(409)
  expect(await textOf('/office/reconciliation.csv')).toContain('A test charge.')
  // The same day again finds the same, and stays resolved.
  await reconcileDays({ db, clock, paymentRecords }, { provider: 'stripe', from: day, to: day })
  expect(await textOf(path)).toContain('Resolved')
  expect((await owner.ask(at('/office/reconciliation/stripe/2020-02-30'))).status).toBe(404)
  expect((await owner.ask(at('/office/reconciliation/cash/2020-02-01'))).status).toBe(404)
  expect((await owner.ask(at('/office/reconciliation?before=never'))).status).toBe(200)
  // What each way to pay took on the days asked for.
  const totals = await textOf('/office/reconciliation')
  expect(totals).toMatch(/Card<\/th>.*?>1<\/td>.*?\$[\d,.]+<\/td>/s)
  expect(await textOf('/office/reconciliation?from=2020-01-01&to=2020-01-31')).toContain(
    'No charges or refunds on these days.',
  )
  expect((await owner.ask(at('/office/reconciliation?from=2020-02-30&to=1'))).status).toBe(200)
})
