/** The same cart by agent, page and API over sockets, without script: one price, one verdict, one time, one person. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { agree, authorizeCard, callApi, enterContact, homeContact, succeed } from '#tests/support/order-by-api.ts'
import { createVisitor } from '#tests/support/visitor.ts'

let store: RunningStore
let platform: Server
let profile = ''

beforeAll(async () => {
  store = await startStore()
  // It speaks whatever the store does.
  const offered = (await (await fetch(`${store.origin}/.well-known/ucp`)).json()) as {
    ucp: { version: string; capabilities: Record<string, { version: string }[]> }
  }
  const { version, capabilities } = offered.ucp
  const document = JSON.stringify({ ucp: { version, capabilities, services: {}, payment_handlers: {} } })
  platform = createServer((_, response) => response.end(document))
  platform.listen(0, '127.0.0.1')
  await once(platform, 'listening')
  profile = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/profile`
})
afterAll(async () => {
  platform.close()
  platform.closeAllConnections()
  await store[Symbol.asyncDispose]()
})

type Checkout = {
  id: string
  status: string
  continue_url: string
  totals: { type: string; display_text: string; amount: number }[]
  fitment: { sets: { text: string }[] }
  appointment: { slot: { start: string } }
  fulfillment: { methods: { destinations: { id: string; name: string }[]; groups: { options: { id: string }[] }[] }[] }
}

async function ask(method: string, path: string, body?: unknown): Promise<Checkout> {
  const headers = { 'content-type': 'application/json', 'ucp-agent': `profile="${profile}"` }
  const answer = await fetch(`${store.origin}/ucp${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBeLessThan(300)
  return (await answer.json()) as Checkout
}

const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`

test('an agent’s cart opens in the browser once, with its price, time, and fitment result', async () => {
  const line_items = [{ item: { id: '100001' }, quantity: 4 }]
  const fitment = { vehicle: { year: 2021, make: 'Toyota', model: 'RAV4' } }
  const opened = await ask('POST', '/checkout-sessions', { line_items, fitment, context: { postal_code: '60614' } })
  const destination = opened.fulfillment.methods[0]?.destinations[0]
  const put = (groups?: object[]) =>
    ask('PUT', `/checkout-sessions/${opened.id}`, {
      line_items,
      fulfillment: {
        methods: [{ type: 'installation', selected_destination_id: destination?.id, ...(groups && { groups }) }],
      },
    })
  const chosen = await put()
  const held = await put([{ selected_option_id: chosen.fulfillment.methods[0]?.groups[0]?.options[0]?.id }])
  const total = held.totals.at(-1)

  const person = createVisitor()
  const seen = await person.ask(held.continue_url)
  expect(seen.status).toBe(200)
  expect(seen.headers.get('cache-control')).toBe('private, no-store')
  const shown = (await seen.text()).replaceAll('&amp;', '&')
  expect(shown).toContain(dollars(total?.amount ?? 0))
  for (const { display_text: words } of held.totals.slice(1, -1)) expect(shown).toContain(words.split(' (')[0])
  expect(person.cookie('sw_cart')).toBeUndefined()
  const taken = await person.ask(held.continue_url, { form: {} })
  expect(taken.status).toBe(303)
  expect(taken.headers.get('location')).toBe('/checkout/shipping')
  expect((await createVisitor().ask(held.continue_url)).status).toBe(410)

  const cart = await (await person.ask(`${store.origin}/cart`)).text()
  expect(cart).toContain(dollars(total?.amount ?? 0))
  expect(cart).toContain('RAV4')
  const api = async (path: string) => {
    const headers = { accept: 'application/json', origin: store.origin }
    return (await (await person.ask(`${store.origin}/api${path}`, { headers })).json()) as never
  }
  expect(((await api('/cart/price')) as { totals: { totalCents: number } }).totals.totalCents).toBe(total?.amount)
  expect(((await api('/cart/hold')) as { start: string }).start).toBe(held.appointment.slot.start)
  expect(
    ((await api('/cart/verdict')) as { sets: { headline: string }[] }).sets.map(({ headline }) => headline),
  ).toEqual(held.fitment.sets.map(({ text }) => text))
  const shipping = await (await person.ask(`${store.origin}/checkout/shipping`)).text()
  expect(shipping.replaceAll('&amp;', '&')).toContain(destination?.name)
  expect((await ask('GET', `/checkout-sessions/${opened.id}`)).status).toBe('requires_escalation')
})

test('each link opens a separate cart, hidden from later visitors and the agent', async () => {
  const line_items = [{ item: { id: '100001' }, quantity: 4 }]
  const agentCart = await ask('POST', '/carts', { line_items, context: { postal_code: '60614' } })
  const checkout = await ask('POST', '/checkout-sessions', { cart_id: agentCart.id, line_items: [] })
  const linkNow = async () => (await ask('GET', `/checkout-sessions/${checkout.id}`)).continue_url
  const [first, second] = [createVisitor(), createVisitor()]
  const keyOf = (visitor: typeof first) => visitor.cookie('sw_cart')?.value ?? ''
  const typed = { ...homeContact, firstName: 'Marisol', lastName: 'Quintero', email: 'marisol@example.com' }

  expect((await first.ask(await linkNow(), { form: {} })).status).toBe(303)
  await succeed(store, first, 'PUT', '/cart/delivery', { fulfillment: 'home' })
  await enterContact(store, first, typed)
  await succeed(store, first, 'PUT', '/cart/billing', { sameAsShipping: '1' })

  const link = await linkNow()
  expect(await (await createVisitor().ask(link)).text()).not.toContain('12 Halsted')
  expect((await second.ask(link, { form: {} })).status).toBe(303)
  expect(keyOf(second)).not.toBe('')
  expect(keyOf(second)).not.toBe(keyOf(first))
  expect(JSON.stringify((await callApi(store, second, 'GET', '/cart/details')).body)).not.toContain('Quintero')
  await succeed(store, second, 'PUT', '/cart/delivery', { fulfillment: 'home' })
  await enterContact(store, second, { ...typed, firstName: 'Rob', lastName: 'Stranger', email: 'rob@example.com' })

  // The agent changes its own cart, and reads what it prepared.
  await ask('PUT', `/carts/${agentCart.id}`, { line_items: [{ item: { id: '100001' }, quantity: 1 }] })
  await ask('POST', '/checkout-sessions', {
    cart_id: agentCart.id,
    line_items: [],
    buyer: { first_name: 'Rob', last_name: 'Stranger', email: 'rob@example.com', phone_number: '+13125550142' },
  })
  const read = JSON.stringify(await ask('GET', `/checkout-sessions/${checkout.id}`))
  for (const secret of ['Marisol', 'Quintero', 'marisol@', '12 Halsted', keyOf(first), keyOf(second)])
    expect(read).not.toContain(secret)

  const details = JSON.stringify((await callApi(store, first, 'GET', '/cart/details')).body)
  expect(details).toContain('Quintero')
  expect(details).not.toContain('Stranger')
  // Four tires still, whatever the agent wrote in its cart.
  expect(await (await first.ask(`${store.origin}/cart`)).text()).toContain('4 tires')
  const { agreedPrice } = (await succeed(store, first, 'GET', '/cart/price')) as { agreedPrice: string }
  await authorizeCard(store, first)
  const orderId = await agree(store, first, agreedPrice)
  const order = JSON.stringify(await succeed(store, first, 'GET', `/orders/${orderId}`))
  expect(order).toContain('Quintero')
  expect(order).not.toContain('Stranger')
  for (const stranger of [second, createVisitor()]) {
    expect((await callApi(store, stranger, 'GET', `/orders/${orderId}`)).status).not.toBe(200)
    expect((await callApi(store, stranger, 'POST', `/orders/${orderId}/cancellation`)).status).toBeGreaterThan(399)
  }
  const told = JSON.stringify(await ask('GET', `/orders/${checkout.id}`))
  for (const secret of ['Marisol', 'Quintero', 'marisol@', '12 Halsted']) expect(told).not.toContain(secret)
})
