/**
 * Whole orders over HTTP by the documented calls, as a program places them for a guest who pays by card at the sandbox:
 * web, worker, sandbox and PostgreSQL all work. Beside them as many requests that each write one row.
 */
import { randomUUID } from 'node:crypto'
import { createDatabase } from '#platform/db.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import type { Bench } from './bench.ts'
import type { Store } from './environment.ts'
import { inTurns } from './in-turns.ts'
import { sample, type Trial } from './load.ts'
import type { Measured } from './processes.ts'
import { rateRow, type Row } from './report.ts'
import { compare } from './rounds.ts'

/** Requests to the store for an order, without the shopper's own to the payment provider. */
const requestsPerOrder = 8

export async function measureJourneys(bench: Bench): Promise<Row[]> {
  const { clock, limits, databaseUrl, pace, say } = bench
  await using parts = new AsyncDisposableStack()
  await stockUp(bench)
  const sandbox = parts.use(await bench.startSandbox())
  const store = await bench.startStore(databaseUrl)
  parts.use(store.measured)
  const worker = parts.use(await bench.startWorker(databaseUrl, store))
  const shopping = { store, sandboxOrigin: bench.sandboxOrigin, itemIds: bench.sample.itemIds }
  let number = 0

  const journeyTrial = (name: string, clients: number, processes: readonly Measured[]): Trial => ({
    name,
    run: (milliseconds) =>
      sample({ processes, clock }, () => inTurns(clients, milliseconds, () => placeOrder(shopping, number++))),
  })
  const rowsTrial = (clients: number): Trial => ({
    name: `${requestsPerOrder} rows written`,
    run: (milliseconds) =>
      sample({ processes: [limits.measured], clock }, () => inTurns(clients, milliseconds, () => writeRows(limits))),
  })
  const all = [store.measured, worker, sandbox]
  const compared = await compare(
    [1, 8].map((clients) => ({
      what: `whole order of a guest by card, ${clients} at a time`,
      trial: journeyTrial('whole order', clients, all),
      limit: rowsTrial(clients),
    })),
    pace,
    say,
  )
  return compared.map(rateRow)
}

/** Stock that no run buys out. */
async function stockUp({ databaseUrl, sample: { itemIds } }: Bench): Promise<void> {
  const db = createDatabase(databaseUrl, { size: 1 })
  await db.updateTable('stock').set({ on_hand: 1_000_000 }).where('item_id', 'in', itemIds).execute()
  await db.destroy()
}

type Shopping = { store: Store; sandboxOrigin: string; itemIds: readonly number[] }

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

async function placeOrder({ store, sandboxOrigin, itemIds }: Shopping, number: number): Promise<void> {
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

async function writeRows({ origin }: Store): Promise<void> {
  for (let request = 0; request < requestsPerOrder; request++) {
    const answer = await fetch(`${origin}/insert`, { method: 'POST', body: 'item=1&quantity=4' })
    if (!answer.ok) throw new Error(`A row was not written: ${answer.status}`)
    await answer.arrayBuffer()
  }
}
