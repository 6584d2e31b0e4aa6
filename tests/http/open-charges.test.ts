/** Charges that need people, in the office and by the customer's link, over sockets and without script. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { eventually } from '#tests/support/eventually.ts'
import { payOnHostedPage } from '#tests/support/hosted-page.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { callApi, fillHomeCart, placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let owner: Visitor
beforeAll(async () => {
  store = await startStore()
  owner = createVisitor()
  await signInToOffice(store.origin, owner)
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const textOf = async (path: string) => (await (await owner.ask(at(path))).text()).replaceAll('<!-- -->', '')

test('after an authorization expires, staff request payment and the customer pays by link', async () => {
  const orderId = await placeHomeOrder(store, createVisitor(), { email: 'again@example.com' })
  const charge = await store.database.db
    .selectFrom('payment')
    .select(['id', 'provider_ref'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
  if (!read.ok) throw new Error('The configuration of the demo is wrong.')
  const { payments } = read.value
  const bank = createStripePayments({ ...payments, apiOrigin: store.sandboxOrigin, clock: systemClock })
  expect(await bank.voidCharge({ ref: charge.provider_ref ?? '', key: 'the bank' })).toMatchObject({ ok: true })
  const path = `/office/charges/${charge.id}`
  await eventually('queue', async () => (await textOf('/office/charges')).includes(path) || undefined)
  const today = await textOf('/office')
  for (const words of ['Expiring authorizations', path, 'unassigned']) expect(today).toContain(words)
  const page = await textOf(path)
  for (const words of ['Authorization ended', 'again@example.com', String(charge.provider_ref), 'Overdue'])
    expect(page).toContain(words)
  expect(page).not.toContain('Capture now')

  const press = async (intent: string) => owner.ask(at(path), { form: { intent } })
  expect((await press('take')).headers.get('location')).toBe(`${path}?done=take`)
  expect((await press('capture')).status).toBe(409)
  expect((await press('void')).status).toBe(409)
  expect((await press('__proto__')).status).toBe(400)
  expect((await press('pay-again')).headers.get('location')).toBe(`${path}?done=pay-again`)
  expect(await textOf(path)).toContain('Payment link expires')

  const link = linkIn(await newestMail(store, 'again@example.com', 'Pay again'), '/pay-again/')
  const shopper = createVisitor()
  expect(await (await shopper.ask(link)).text()).toContain('Your bank’s authorization ended before we charged you')
  expect((await shopper.ask(`${link}x`)).status).toBe(404)
  const hosted = await shopper.ask(link, { form: { intent: 'hosted' } })
  const landed = await payOnHostedPage(shopper, new URL(hosted.headers.get('location') ?? ''))
  expect(landed.status).toBe(303)
  expect(landed.headers.get('location')).toBe(new URL(link).pathname)
  const paid = (await (await shopper.ask(link)).text()).replaceAll('<!-- -->', '')
  expect(paid).toContain('Thank you, your order is paid')
  expect(paid).toMatch(/We authorized \$[\d,.]+ on your Visa ending in 4242 and/)
  expect((await shopper.ask(link, { form: { intent: 'hosted' } })).headers.get('location')).toBe(new URL(link).pathname)
  expect((await owner.ask(at(path))).status).toBe(404)
  expect(await textOf('/office/charges')).not.toContain(path)
})

test('a payment without a response waits with a timer until staff void it', async () => {
  const visitor = createVisitor()
  await fillHomeCart(store, visitor, { contact: { email: 'waiting@example.com' } })
  const { body } = await callApi(store, visitor, 'POST', '/cart/payment', { flow: 'fields' })
  const { clientSecret } = body as { clientSecret: string }
  // It answers after the test, or the store is gone by then.
  void payWithFields(
    { origin: store.sandboxOrigin, storeOrigin: store.origin },
    clientSecret,
    '4000000000020000',
  ).catch(() => undefined)
  const path = await eventually('queue', async () => {
    await visitor.ask(at('/checkout/payments'))
    return /\/office\/charges\/[0-9a-f-]{36}/.exec(await textOf('/office/charges'))?.[0]
  })
  const page = await textOf(path)
  for (const words of [
    'No answer from the bank (539)',
    'min left',
    'not ordered yet',
    'waiting@example.com',
    'Void authorization',
  ])
    expect(page).toContain(words)
  expect((await owner.ask(at(path), { form: { intent: 'write' } })).headers.get('location')).toBe(`${path}?done=write`)
  await newestMail(store, 'waiting@example.com', 'still being processed')
  expect((await owner.ask(at(path), { form: { intent: 'void' } })).headers.get('location')).toBe(
    '/office/charges?done=let-go',
  )
  expect(await textOf('/office/charges')).not.toContain(path)
})
