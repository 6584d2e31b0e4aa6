/**
 * Tests the store's onboarding over HTTP: closing, the restrictions for shoppers and staff, each step as users do it,
 * and opening.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeClosedMessage, storeClosedTitle } from '#content/messages/store-closed.ts'
import { eventually } from '#tests/support/eventually.ts'
import { formFields } from '#tests/support/form-fields.ts'
import { payOnHostedPage } from '#tests/support/hosted-page.ts'
import { agree, authorizeCard, callApi, fillHomeCart, placeOnTerms, RefusedCall } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [owner, manager, packer] = [createVisitor(), createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore({ env: { SALES_TAX: 'stripe' } })
  await store.revive('second')
  await signInToOffice(store.origin, owner)
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  await signInToOffice(store.origin, packer, { email: 'warehouse@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const page = async (path: string, visitor: Visitor = owner) => (await visitor.ask(at(path))).text()
const press = (intent: string, visitor: Visitor = owner, path = '/office/setup') =>
  visitor.ask(at(path), { form: { intent } })
const home = async (origin: string) => (await createVisitor().ask(`${origin}/`)).text()
const contact = { firstName: 'Iris', lastName: 'Vale', email: 'iris@example.com' }

/** The class of a step on the page, such as `is-done`. */
async function stateOf(name: string, visitor: Visitor = owner): Promise<string | undefined> {
  return new RegExp(`<li id="${name}" class="is-(\\w+)"`).exec(await page('/office/setup', visitor))?.[1]
}

test('a store is closed, tested and opened by its owner', async () => {
  // Both processes have the page in their cache, and a shopper has paid already.
  for (const origin of [store.origin, store.secondOrigin]) expect(await home(origin)).not.toContain(storeClosedTitle)
  const early = createVisitor()
  const { agreedPrice } = await fillHomeCart(store, early, { contact })
  await authorizeCard(store, early)
  expect(await page('/office')).not.toContain('office-side-setup')
  expect((await press('close', owner, '/office/settings')).headers.get('location')).toBe('/office/settings?done=closed')
  const closedAt = performance.now()
  await eventually('notice in the other process', async () =>
    (await home(store.secondOrigin)).includes(storeClosedTitle),
  )
  expect(performance.now() - closedAt).toBeLessThan(10_000)
  expect(await home(store.origin)).toContain(storeClosedTitle)

  // Orders are refused everywhere.
  const refusedBy = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    )
  const placed = await refusedBy(agree(store, early, agreedPrice))
  expect(placed).toBeInstanceOf(RefusedCall)
  expect((placed as RefusedCall).reply.status).toBe(403)
  expect(String(placed)).toContain('StoreClosed')
  const late = createVisitor()
  const cart = await fillHomeCart(store, late, { contact })
  const opened = await callApi(store, late, 'POST', '/cart/payment', { flow: 'fields' })
  expect(opened).toMatchObject({ status: 403, body: { code: 'StoreClosed', message: storeClosedMessage } })
  const paying = await late.ask(at('/checkout/payments/card'), { form: { intent: 'hosted' } })
  expect(paying.status).toBe(403)
  expect(await paying.text()).toContain('can’t order or pay until it opens')
  const submitted = await late.ask(at('/checkout/order-summary'), { form: { agreed: cart.agreedPrice, terms: '1' } })
  expect(submitted.status).toBe(403)
  expect(await submitted.text()).toContain('can’t order or pay until it opens')
  const company = createVisitor()
  await signInAt(store.origin, company, { email: 'sol@example.com' })
  expect(String(await refusedBy(placeOnTerms(store, company)))).toContain('StoreClosed')

  // The setup, by role.
  expect((await packer.ask(at('/office/setup'))).status).toBe(403)
  expect(await page('/office', packer)).not.toContain('office-side-setup')
  expect(await page('/office', manager)).toContain('office-side-setup')
  expect(await page('/office')).toContain('Open your store')
  expect(await stateOf('details')).toBe('todo')
  expect(await stateOf('live')).toBe('blocked')
  for (const intent of ['test-charge', 'open']) expect((await press(intent, manager)).status).toBe(403)

  // Each step, as it is done.
  const seen = /name="seen" value="(\d+)"/.exec(await page('/office/settings'))?.[1] ?? ''
  const details = {
    name: 'Lakeview Tire',
    phone: '(773) 555-0110',
    email: 'help@lakeview.example',
    returnAddress: '1 Elm Street, Chicago, IL 60613',
    accentColor: '',
    darkColor: '',
    refundAlone: '$750.00',
    dailyAlone: '$5,000.00',
    discountAlone: '30',
    quoteMarginFloor: '10',
    noShowPay: '15',
    payHoldHours: '46',
    payDisputeDays: '7',
    payAlone: '100',
    seen,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(details)) form.set(name, value)
  await owner.ask(at('/office/settings'), { form })
  expect(await stateOf('details')).toBe('done')
  expect(await stateOf('shipping')).toBe('todo')
  const confirmed = await owner.ask(at('/office/shipping-rates'), {
    form: { intent: 'shipping', ...formFields(await page('/office/shipping-rates'), 'shipping') },
  })
  expect(confirmed.headers.get('location')).toBe('/office/shipping-rates?done=saved')
  expect(await stateOf('shipping')).toBe('done')
  for (const [intent, done, step] of [
    ['test-email', 'emailed', 'email'],
    ['check-carrier', 'carrier', 'carrier'],
  ] as const) {
    expect(await stateOf(step)).toBe('todo')
    expect((await press(intent, manager)).headers.get('location')).toBe(`/office/setup?done=${done}`)
    expect(await stateOf(step)).toBe('done')
  }
  expect((await press('finish-charge')).status).toBe(409)
  const provider = new URL((await press('test-charge')).headers.get('location') ?? '')
  expect(provider.origin).toBe(store.sandboxOrigin)
  expect(await stateOf('payments')).toBe('progress')
  await payOnHostedPage(owner, provider)
  expect((await press('finish-charge')).headers.get('location')).toBe('/office/setup?done=charged')
  expect(await stateOf('payments')).toBe('done')

  // A restored database without its secret.
  const { db } = store.database
  const sealed = await db
    .selectFrom('office_session')
    .select(['id', 'id_token'])
    .where('id_token', 'is not', null)
    .executeTakeFirstOrThrow()
  const replaceToken = (token: Buffer | null) =>
    db.updateTable('office_session').set({ id_token: token }).where('id', '=', sealed.id).execute()
  await replaceToken(Buffer.from('sealed with another secret'))
  expect(await (await press('open')).text()).toContain('1 rule of the database is broken: sealed-values-open')
  await replaceToken(sealed.id_token)

  // The demo has canceled orders; the owner orders before the store opens.
  const opening = await press('open')
  expect(/<div[^>]*role="alert".*?<\/div>/s.exec(await opening.clone().text())?.[0]).toBeUndefined()
  expect(opening.headers.get('location')).toBe('/office/setup?done=open')
  expect((await press('open')).status).toBe(409)
  await eventually(
    'the notice gone in the other process',
    async () => !(await home(store.secondOrigin)).includes(storeClosedTitle),
  )
  expect(await home(store.origin)).not.toContain(storeClosedTitle)
  expect(await page('/office')).not.toContain('office-side-setup')
  expect(await page('/office/audit')).toContain('Opened the store')
  await authorizeCard(store, late)
  expect(await agree(store, late, cart.agreedPrice)).toBeGreaterThan(0)
})

test('staff who are signed in order in a closed store', async () => {
  await press('close', owner, '/office/settings')
  const { agreedPrice } = await fillHomeCart(store, owner, { contact })
  await authorizeCard(store, owner)
  expect(await agree(store, owner, agreedPrice)).toBeGreaterThan(0)
})
