/** A whole order over HTTP by the documented calls, as a program places it for a guest who pays by card at the sandbox. */
import { randomUUID } from 'node:crypto'
import { createDatabase } from '#platform/db.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import type { Bench } from './bench.ts'
import type { Store } from './environment.ts'

/** Stock that no run buys out. */
export async function stockUp({ databaseUrl, sample: { itemIds } }: Bench): Promise<void> {
  const db = createDatabase(databaseUrl, { size: 1 })
  await db.updateTable('stock').set({ on_hand: 1_000_000 }).where('item_id', 'in', itemIds).execute()
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

/** Places an order of four tires for a home, paid by card; `number` makes the shopper another one. */
export async function placeOrder({ store, sandboxOrigin, itemIds }: Shopping, number: number): Promise<void> {
  let key = ''
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${store.origin}/api${path}`, {
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
    return JSON.parse(text) as Record<string, unknown>
  }
  const lines = [{ itemId: itemIds[number % itemIds.length], quantity: 4 }]
  key = String((await ask('POST', '/cart', { zip: '60614', lines }))['key'])
  await ask('PUT', '/cart/delivery', { fulfillment: 'home' })
  await ask('PUT', '/cart/contact', {
    ...contact,
    address1: `${100 + (number % 9_000)} N Clark St`,
    email: `dana-${randomUUID()}@example.com`,
    vehicleNote: '2019 Honda CR-V',
  })
  await ask('PUT', '/cart/billing', { sameAsShipping: '1' })
  await ask('PUT', '/cart/services', { coverage: false, roadside: false })
  const { clientSecret } = await ask('POST', '/cart/payment', { flow: 'fields' })
  const paid = await payWithFields(
    { origin: sandboxOrigin, storeOrigin: store.origin },
    String(clientSecret),
    '4242424242424242',
  )
  if (paid.status !== 'authorized') throw new Error(`The card was not taken: ${JSON.stringify(paid)}`)
  const { agreedPrice } = await ask('GET', '/cart/price')
  await ask('POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })
}
