/**
 * Tests coupons in the cart, on their page, and on the payment page, the military discount, and lenders' promotions.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idMePeople } from '#sandbox/id-me/people.ts'
import { callApi, oneTireItem } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let sales: Visitor
beforeAll(async () => {
  store = await startStore()
  sales = createVisitor()
  await signInToOffice(store.origin, sales, { email: 'sales@example.com' })
  await store.database.db.deleteFrom('promotion').execute()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) => wordsOf(await visitor.ask(at(path)))
const wordsOf = async (response: Response) =>
  (await response.text()).replaceAll('<!-- -->', '').replaceAll('&#x27;', "'")
const post = (visitor: Visitor, path: string, form: Record<string, string>) => visitor.ask(at(path), { form })

/** Four tires to a home in Chicago. */
async function fillCart(visitor: Visitor): Promise<void> {
  await post(visitor, '/zip', { zip: '60614', back: '/' })
  await post(visitor, '/cart', { item: await oneTireItem(store), quantity: '4', axle: 'all' })
  await callApi(store, visitor, 'PUT', '/cart/delivery', { fulfillment: 'home' })
}

const who = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  address1: '2450 N Halsted St',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  email: 'dana@example.com',
  phone: '(312) 555-0142',
  phoneType: 'mobile',
}

const timeIn = (hours: number) =>
  Temporal.Now.zonedDateTimeISO('America/New_York')
    .add({ hours })
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

async function makeCoupon(change: Record<string, string>): Promise<void> {
  const made = await post(sales, '/office/coupons/new', {
    formKey: randomUUID(),
    name: 'Of a test',
    kind: 'Percentage',
    amount: '10',
    subject: '',
    fundedBy: 'store',
    stacks: 'yes',
    usesMost: '10',
    personMost: '1',
    replaces: '',
    minimum: '',
    advertised: 'no',
    ...change,
  })
  const path = made.headers.get('location')?.split('?')[0] ?? ''
  const scheduled = await post(sales, path, {
    intent: 'schedule',
    version: '1',
    startsAt: timeIn(1),
    endsAt: timeIn(48),
  })
  expect(scheduled.status).toBe(303)
}

test('an unknown code shows an error at its field with the input retained', async () => {
  const visitor = createVisitor()
  await fillCart(visitor)
  for (const path of ['/cart', '/cart/coupons']) {
    const refused = await post(visitor, path, { intent: 'enter-coupon', coupon: 'NOSUCH1' })
    const words = await wordsOf(refused)
    expect(refused.status).toBe(422)
    expect(words).toContain("We can't find this code. Check its letters and numbers, or go on without it.")
    expect(words).toContain('value="NOSUCH1"')
    expect(words).toContain('WELCOME10 works on these tires: it takes 10% off tires.')
  }
})

test('a coupon entered on its page or the payment page shows its discount', async () => {
  const visitor = createVisitor()
  await fillCart(visitor)
  // Its page accepts a form with only the code.
  const entered = await post(visitor, '/cart/coupons', { coupon: 'welcome-10' })
  expect(entered.status).toBe(303)
  expect(entered.headers.get('location')).toBe('/cart')
  const cart = await read(visitor, '/cart')
  expect(cart).toMatch(/<b>WELCOME10: \$[\d.]+ off\.<\/b> It takes 10% off tires\./)
  expect((await post(visitor, '/checkout/shipping-confirmation', who)).status).toBe(303)
  const paying = await read(visitor, '/checkout/payments')
  expect(paying).toMatch(/WELCOME10: \$[\d.]+ off\./)
  const removed = await post(visitor, '/checkout/payments', { intent: 'remove-coupon' })
  expect(removed.status).toBe(303)
  expect(removed.headers.get('location')).toBe('/checkout/payments')
  expect(await read(visitor, '/checkout/payments')).toContain('name="coupon"')
  const refused = await post(visitor, '/checkout/payments', { intent: 'enter-coupon', coupon: 'NOSUCH2' })
  expect(refused.status).toBe(422)
  expect(await wordsOf(refused)).toContain("We can't find this code.")
  const again = await post(visitor, '/checkout/payments', { intent: 'enter-coupon', coupon: 'WELCOME10' })
  expect(again.headers.get('location')).toBe('/checkout/payments')
  // Programs read the same in the price.
  const { body } = await callApi(store, visitor, 'GET', '/cart/price')
  expect(body).toMatchObject({
    rows: expect.arrayContaining([expect.objectContaining({ key: 'program:coupon:WELCOME10' })]),
  })
})

test('the code of a friend’s link works in the same field, and not for its owner', async () => {
  const friend = createVisitor()
  await signInAt(store.origin, friend, { back: '/cart', email: 'olive@example.com' })
  const code = /\/invite\/([a-z0-9]+)/i.exec(await read(friend, '/invite'))?.[1] ?? ''
  expect(code).not.toBe('')
  await fillCart(friend)
  const own = await post(friend, '/cart', { intent: 'enter-coupon', coupon: code })
  expect(own.status).toBe(422)
  expect(await wordsOf(own)).toContain('You can’t use your own link.')
  const visitor = createVisitor()
  await fillCart(visitor)
  expect((await post(visitor, '/cart', { intent: 'enter-coupon', coupon: code })).status).toBe(303)
  const cart = await read(visitor, '/cart')
  expect(cart).toContain('Referral discount')
  expect(cart).toMatch(/<b>Referral: \$[\d.]+ off\.<\/b> It takes its share off tires/)

  // Same over the API. With a coupon, the better one applies and the other explains why not.
  const other = createVisitor()
  await fillCart(other)
  expect((await callApi(store, other, 'PUT', '/cart/coupon', { code: code.toUpperCase() })).status).toBe(200)
  const priceOf = async () => JSON.stringify((await callApi(store, other, 'GET', '/cart/price')).body)
  expect(await priceOf()).toContain('program:referral')
  expect((await callApi(store, other, 'PUT', '/cart/coupon', { code: 'WELCOME10' })).status).toBe(200)
  expect(await priceOf()).toContain("The two don't combine.")
  expect(await callApi(store, friend, 'PUT', '/cart/coupon', { code })).toMatchObject({
    status: 422,
    body: { code: 'CouponNotFound', message: expect.stringContaining('your own link') as string },
  })
})

test('staff create coupons with a minimum or for shoppers to see', async () => {
  const bad = await post(sales, '/office/coupons/new', { code: 'BADMIN', minimum: 'much', kind: 'Percentage' })
  expect(bad.status).toBe(422)
  expect(await wordsOf(bad)).toContain('Enter dollars from 0.01 to 10,000, or leave blank.')
  await makeCoupon({ code: 'BIGSET', kind: 'Flat Amount', amount: '40', minimum: '9000', advertised: 'yes' })
  expect(await read(sales, '/office/coupons?state=scheduled')).toContain('BIGSET')
})

/** Goes through the provider as a person there, or cancels. */
async function verify(visitor: Visitor, name: string | null, from = 'cart') {
  const begun = await visitor.follow(at('/military/verify'), { form: { from } })
  const form = name === null ? { cancel: '1' } : { person: idMePeople.find((each) => each.name === name)?.id ?? '' }
  return visitor.follow(begun.url, { form })
}

test('a shopper verifies service, pays 5% less for tires, sees it in the account and removes it', async () => {
  const visitor = createVisitor()
  await fillCart(visitor)
  const open = await read(visitor, '/cart')
  expect(open).toMatch(/<b>Served, or serving\?<\/b> 5% off the tires, \$[\d.]+ less on this order\./)
  expect(open).toContain('href="/military/verify?from=cart"')
  // A guest signs in first, and comes back to it.
  const asked = await visitor.ask(at('/military/verify?from=cart'))
  expect(decodeURIComponent(asked.headers.get('location') ?? '')).toContain('/military/verify?from=cart')
  await signInAt(store.origin, visitor, { back: '/cart', email: 'noa@example.com' })

  for (const [name, words] of [
    ['Pat Quinn', 'ID.me could not verify military service.'],
    [null, 'You left before verifying. You can try again.'],
  ] as const)
    expect(await wordsOf((await verify(visitor, name)).response)).toContain(words)

  const landed = await verify(visitor, 'Ray Coleman')
  expect(landed.url.pathname).toBe('/cart')
  expect(await wordsOf(landed.response)).toMatch(/<b>Military status verified\.<\/b> 5% off the tires: \$[\d.]+/)
  const account = await read(visitor, '/military/verify')
  expect(account).toMatch(/Veteran, verified \w+ \d+, \d{4}\. 5% comes off your tires until \w+ \d+, \d{4}/)
  expect(await read(visitor, '/account')).toContain('Military discount')

  const status = () => callApi(store, visitor, 'GET', '/users/me/military-verification')
  expect((await status()).body).toMatchObject({
    isOffered: true,
    verification: { group: 'Veteran', endsAt: expect.stringMatching(/^20\d\d-/) as string },
  })

  // The same person for another account.
  const other = createVisitor()
  await signInAt(store.origin, other, { back: '/cart', email: 'olive@example.com' })
  const refused = await verify(other, 'Ray Coleman')
  expect(refused.response.status).toBe(409)
  expect(await wordsOf(refused.response)).toContain('You’re already verified on another account.')

  // Started over the API, it ends at the requested path.
  expect((await callApi(store, visitor, 'DELETE', '/users/me/military-verification')).status).toBe(204)
  expect((await status()).body).toEqual({ isOffered: true, verification: null })
  const begun = await callApi(store, visitor, 'POST', '/users/me/military-verification', { returnPath: '/account' })
  expect(begun.status).toBe(201)
  const page = await visitor.follow(new URL((begun.body as { url: string }).url))
  const person = idMePeople.find(({ name }) => name === 'Ray Coleman')?.id ?? ''
  expect((await visitor.follow(page.url, { form: { person } })).url.pathname).toBe('/account')
  expect((await status()).body).toMatchObject({ verification: { group: 'Veteran' } })

  const removed = await post(visitor, '/military/verify', { intent: 'remove' })
  expect(removed.headers.get('location')).toBe('/military/verify?done=removed')
  expect(await read(visitor, '/cart')).toContain('Served, or serving?')
})

test('an unrequested response verifies no account', async () => {
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { back: '/cart', email: 'noa@example.com' })
  const made = await visitor.ask(at(`/military/callback?code=made-up&state=${'x'.repeat(43)}`))
  expect(made.status).toBe(400)
  expect(await read(visitor, '/military/verify')).toContain('Verify with ID.me')
})

test('the page of the military discount leads to the verification', async () => {
  const page = await read(createVisitor(), '/military-discount')
  expect(page).toContain('href="/military/verify"')
  expect(page).not.toMatch(/not open yet|will be/i)
})

test('staff schedule and end a lender’s offer', async () => {
  const offer = {
    formKey: randomUUID(),
    method: 'affirm',
    percent: '8',
    fundedBy: 'lender',
    startsAt: timeIn(1),
    endsAt: timeIn(48),
  }
  const refused = await post(sales, '/office/pay-later', { intent: 'add', ...offer, percent: '80' })
  expect(refused.status).toBe(422)
  expect(await wordsOf(refused)).toContain('Enter 1 to 50 percent.')
  expect((await post(sales, '/office/pay-later', { intent: 'add', ...offer })).headers.get('location')).toBe(
    '/office/pay-later?done=scheduled',
  )
  const taken = await post(sales, '/office/pay-later', { intent: 'add', ...offer, formKey: randomUUID() })
  expect(taken.status).toBe(409)
  expect(await wordsOf(taken)).toContain('has another offer in that time')
  const page = await read(sales, '/office/pay-later')
  const id = /<option value="(\d+)"/.exec(page.slice(page.indexOf('id="end"')))?.[1] ?? ''
  expect(page).toContain('Affirm')
  const ended = await post(sales, '/office/pay-later', { intent: 'end', id, reason: 'Over budget' })
  expect(ended.headers.get('location')).toBe('/office/pay-later?done=ended')
})
