/**
 * Places whole orders over HTTP with the documented calls, for a guest who pays by card at the sandbox and a company on
 * net terms.
 */
import { randomUUID } from 'node:crypto'
import { createDatabase } from '#platform/db.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { succeed } from '#tests/support/order-by-api.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'
import type { Bench } from './bench.ts'
import type { Store } from './environment.ts'

/** Stock and credit that no run uses up. */
export async function stockUp({ databaseUrl, sample: { itemIds } }: Bench): Promise<void> {
  const db = createDatabase(databaseUrl, { size: 1 })
  await db.updateTable('stock').set({ on_hand: 1_000_000 }).where('item_id', 'in', itemIds).execute()
  await db
    .updateTable('company')
    .set({ credit_limit_cents: 2_000_000_000 })
    .where('credit_limit_cents', 'is not', null)
    .execute()
  await db.destroy()
}

/** Where is ordered, and the tires that take turns. */
export type Shopping = { store: Store; sandboxOrigin: string; itemIds: readonly number[] }

const contact = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  address1: '2100 N Clark St',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  phone: '312-555-0142',
  phoneType: 'mobile',
}

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

/** Places an order of four tires for a home, paid by card; `number` makes the shopper another one. */
export async function placeOrder({ store, sandboxOrigin, itemIds }: Shopping, number: number): Promise<void> {
  const ask = asGuest(store, number)
  await fillCart(ask, pick(itemIds, number), { contact: someone(number) })
  await payByCard(ask, { store, sandboxOrigin })
  await order(ask)
}

/** The same order in three requests. */
export async function placeInThreeCalls({ store, sandboxOrigin, itemIds }: Shopping, number: number): Promise<void> {
  const ask = asGuest(store, number)
  const { price, problems } = await ask('POST', '/checkouts', {
    zip: contact.zip,
    lines: [{ itemId: pick(itemIds, number), quantity: 4 }],
    delivery: { fulfillment: 'home' },
    contact: { ...contact, ...someone(number), vehicleNote: '2019 Honda CR-V' },
    billing: { sameAsShipping: '1' },
    services: { coverage: false, roadside: false },
  })
  if (JSON.stringify(problems) !== '[]') throw new Error(`A step was refused: ${JSON.stringify(problems)}`)
  await payByCard(ask, { store, sandboxOrigin })
  const { agreedPrice } = price as { agreedPrice: string }
  await ask('POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })
}

async function payByCard(ask: Ask, { store, sandboxOrigin }: Omit<Shopping, 'itemIds'>): Promise<void> {
  const { clientSecret } = await ask('POST', '/cart/payment', { flow: 'fields' })
  const paid = await payWithFields(
    { origin: sandboxOrigin, storeOrigin: store.origin },
    String(clientSecret),
    '4242424242424242',
  )
  if (paid.status !== 'authorized') throw new Error(`The card was not taken: ${JSON.stringify(paid)}`)
}

/** The same on the terms of a company; its `buyer` is signed in and has no other cart. */
export async function placeOnTerms({ store, itemIds }: Shopping, buyer: Visitor, number: number): Promise<void> {
  const ask: Ask = async (...call) => (await succeed(store, buyer, ...call)) as Record<string, unknown>
  await fillCart(ask, pick(itemIds, number), {
    contact: { email: onTerms, address1: streetOf(number), phoneType: 'work' },
    billing: { poNumber: `MER-${1_000 + (number % 9_000)}` },
  })
  await ask('POST', '/cart/payment', { flow: 'net-terms' })
  await order(ask)
}

/** Signs in the net terms buyer in several browsers, each with a separate cart. */
export async function openBuyers({ origin }: Store, count: number): Promise<Visitor[]> {
  const buyers = Array.from({ length: count }, () => createVisitor())
  for (const buyer of buyers) await signInAt(origin, buyer, { email: onTerms })
  return buyers
}

const onTerms = 'sol@example.com'
const streetOf = (number: number) => `${100 + (number % 9_000)} N Clark St`
const someone = (number: number) => ({ email: `dana-${randomUUID()}@example.com`, address1: streetOf(number) })

function asGuest({ origin }: Store, number: number): Ask {
  let key = ''
  return async (method, path, body) => {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
        'idempotency-key': randomUUID(),
        ...(key && { authorization: `Bearer ${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    const read = JSON.parse(text) as Record<string, unknown>
    if (path === '/cart' || path === '/checkouts') key = String(read['key'])
    return read
  }
}

/** Five requests. */
async function fillCart(
  ask: Ask,
  itemId: number,
  { contact: own, billing }: { contact: Record<string, string>; billing?: Record<string, string> },
): Promise<void> {
  await ask('POST', '/cart', { zip: contact.zip, lines: [{ itemId, quantity: 4 }] })
  await ask('PUT', '/cart/delivery', { fulfillment: 'home' })
  await ask('PUT', '/cart/contact', { ...contact, vehicleNote: '2019 Honda CR-V', ...own })
  await ask('PUT', '/cart/billing', { sameAsShipping: '1', ...billing })
  await ask('PUT', '/cart/services', { coverage: false, roadside: false })
}

/** Two requests. */
async function order(ask: Ask): Promise<void> {
  const { agreedPrice } = await ask('GET', '/cart/price')
  await ask('POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })
}

function pick(itemIds: readonly number[], number: number): number {
  const itemId = itemIds[number % itemIds.length]
  if (itemId === undefined) throw new Error('There are no tires to order.')
  return itemId
}
