/**
 * Runs the same catalog search and checkout (a cart with four tires, shipped to an address, with its price) through the
 * agent protocol and the API.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Bench } from './bench.ts'
import type { Store } from './environment.ts'
import { inTurns } from './in-turns.ts'
import { sample, type Trial } from './load.ts'
import { rateRow, type Row } from './report.ts'
import { compare } from './rounds.ts'

const clients = 8

export async function measureAgents(bench: Bench): Promise<Row[]> {
  const { clock, store, pace, say, sample: known } = bench
  await using platform = await startPlatform(store)
  let number = 0
  const trial = (name: string, work: (at: number) => Promise<unknown>): Trial => ({
    name,
    run: (milliseconds) =>
      sample({ processes: [store.measured], clock }, () =>
        inTurns(clients, milliseconds, async () => void (await work(number++))),
      ),
  })
  const agent = (method: string, path: string, at: number, body: object) =>
    ask(store, method, `/ucp${path}`, at, body, { 'ucp-agent': `profile="${platform.profile}"` })
  const itemOf = (at: number) => String(known.itemIds[at % known.itemIds.length])
  const sizeOf = (at: number) => known.sizes[at % known.sizes.length] ?? ''
  const compared = await compare(
    [
      {
        what: `catalog search of an agent (UCP), ${clients} at a time`,
        trial: trial('UCP search', (at) =>
          agent('POST', '/catalog/search', at, { query: sizeOf(at).replace('-', '/'), pagination: { limit: 24 } }),
        ),
        limit: trial('the API’s search', (at) => ask(store, 'GET', `/api/tires?size=${sizeOf(at)}`, at)),
      },
      {
        what: `checkout of an agent (UCP), ${clients} at a time`,
        trial: trial('UCP checkout', (at) =>
          agent('POST', '/checkout-sessions', at, {
            line_items: [{ item: { id: itemOf(at) }, quantity: 4 }],
            context: { postal_code: '60614' },
            buyer,
            fulfillment: { methods: [{ type: 'shipping', destinations: [destinationOf(at)] }] },
          }),
        ),
        limit: trial('the API’s checkout', (at) => checkOutOverApi(store, at, itemOf(at))),
      },
    ],
    pace,
    say,
  )
  return compared.map(rateRow)
}

/** A local platform with a profile that supports the store's capabilities. */
async function startPlatform({ origin }: Store) {
  const { ucp } = (await (await fetch(`${origin}/.well-known/ucp`)).json()) as { ucp: object }
  const profile = JSON.stringify({ ucp: { ...ucp, services: {}, payment_handlers: {} } })
  const server = createServer((_, response) => response.setHeader('cache-control', 'max-age=3600').end(profile))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    profile: `http://127.0.0.1:${(server.address() as AddressInfo).port}/profile`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const buyer = { first_name: 'Dana', last_name: 'Ruiz', email: 'dana@example.com', phone_number: '+13125550142' }
const streetOf = (at: number) => `${100 + (at % 9_000)} N Clark St`
const destinationOf = (at: number) => ({
  street_address: streetOf(at),
  address_locality: 'Chicago',
  address_region: 'IL',
  postal_code: '60614',
  address_country: 'US',
})

/** The calls of a program that come to the same cart, shipped to the same address at the same price. */
async function checkOutOverApi(store: Store, at: number, item: string): Promise<void> {
  const lines = [{ itemId: Number(item), quantity: 4 }]
  const { key } = await ask(store, 'POST', '/api/cart', at, { zip: '60614', lines })
  const own = { authorization: `Bearer ${String(key)}` }
  await ask(store, 'PUT', '/api/cart/delivery', at, { fulfillment: 'home' }, own)
  const contact = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    address1: streetOf(at),
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    phone: '312-555-0142',
    phoneType: 'mobile',
    email: 'dana@example.com',
  }
  await ask(store, 'PUT', '/api/cart/contact', at, contact, own)
  await ask(store, 'GET', '/api/cart/price', at, undefined, own)
}

async function ask(
  { origin }: Store,
  method: string,
  path: string,
  at: number,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      'x-forwarded-for': `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`,
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const read = JSON.parse(text) as { ucp?: { status?: string } }
  if (!answer.ok || read.ucp?.status === 'error') throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return read
}
