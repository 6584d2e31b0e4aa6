/** Tests shopping agents over HTTP: the official client, the related pages, the user's link, and tokens. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { formatCents } from '#platform/money.ts'
import { connectApp, discover } from '#tests/support/app-access.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
})
afterAll(() => store[Symbol.asyncDispose]())

type Answered = { structuredContent?: unknown; content: { text: string }[]; isError?: boolean }

async function connect(token?: string) {
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${store.origin}/mcp`), { requestInit: { headers } }))
  return {
    call: async <Content>(name: string, args: Record<string, unknown> = {}): Promise<Content> => {
      const { isError, content, structuredContent } = (await client.callTool({ name, arguments: args })) as Answered
      if (isError === true) throw new Error(content.map(({ text }) => text).join('\n'))
      return structuredContent as Content
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

type Row = { label: string; amountCents: number }
type Booked = { cartKey: string; rows: Row[]; totalCents: number; local: string; url: string; headline: string }

/** Does it fit, what does it cost on the wheel, book the first free time, and the link for the person. */
async function askAndBook(): Promise<Booked & { itemId: number; vehicle: string }> {
  await using agent = await connect()
  const itemId = await pickTire(store.database)
  const { vehicle } = await agent.call<{ vehicle: { key: string } }>('find_vehicle', {
    year: 2021,
    make: 'Toyota',
    model: 'RAV4',
  })
  const judged = await agent.call<{ headline: string }>('check_fitment', { vehicle: vehicle.key, itemId })
  const { cartKey } = await agent.call<{ cartKey: string }>('create_cart', {
    lines: [{ itemId, quantity: 4 }],
    zip: '60614',
    vehicle: vehicle.key,
  })
  type Choices = { shops: { shop: { id: number }; openings: { start: string }[] }[] }
  const { shops } = await agent.call<Choices>('list_appointment_times', { cartKey })
  const choice = shops.find(({ openings }) => openings.length > 0)
  const { local } = await agent.call<{ local: string }>('hold_appointment', {
    cartKey,
    shopId: choice?.shop.id,
    start: choice?.openings[0]?.start,
  })
  const { cart } = await agent.call<{ cart: { rows: Row[]; totals: { totalCents: number } } }>('out_the_door_price', {
    cartKey,
  })
  const { url } = await agent.call<{ url: string }>('get_checkout_link', { cartKey })
  const { totalCents } = cart.totals
  return { cartKey, rows: cart.rows, totalCents, local, url, headline: judged.headline, itemId, vehicle: vehicle.key }
}

const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(new URL(path, store.origin))).text())
    .replaceAll('<!-- -->', '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

test('an agent’s responses match the pages, and the shopper continues from its link', async () => {
  const booked = await askAndBook()
  const person = createVisitor()
  const { pathname } = new URL(booked.url)
  expect(booked.url).toBe(store.origin + pathname)

  // Opening the link has no effect because programs prefetch links.
  await read(createVisitor(), pathname)
  const page = await read(person, pathname)
  const said = booked.rows.map(({ label, amountCents }) => [label, amountCents])
  expect(sumsOn(page)).toEqual(said)
  expect(said.at(-1)).toEqual(['Total', booked.totalCents])
  const [hour = 0, minute = ''] = booked.local.slice(11).split(':')
  expect(page).toMatch(new RegExp(`Held at [^:]+: [^<]*${Number(hour) % 12 || 12}:${minute}`))
  expect(page).toContain('2021 Toyota RAV4')
  expect(page).toContain(booked.headline)

  const opened = await person.ask(new URL(pathname, store.origin), { form: {} })
  expect(opened.status).toBe(303)
  expect(opened.headers.get('location')).toBe('/cart')
  const cart = await read(person, '/cart')
  expect(cart).toContain(formatCents(booked.totalCents))
  expect(sumsOn(cart)).toEqual(sumsOn(page))
  expect(cart).toContain(booked.headline)
  const product = await fetch(
    `${store.origin}/api/fitment?vehicle=${encodeURIComponent(booked.vehicle)}&item=${booked.itemId}`,
  )
  expect(await product.json()).toMatchObject({ headline: booked.headline })

  // The link was used, even for the user who opened it, and it doesn't reveal the cart's owner.
  const late = await createVisitor().ask(new URL(pathname, store.origin), { form: {} })
  expect(late.status).toBe(410)
  expect(await late.text()).toContain('This link was used')
  expect(page).not.toContain(booked.cartKey)
})

test('a visitor’s own cart is replaced only when they say so', async () => {
  const booked = await askAndBook()
  const person = createVisitor()
  const form = { item: String(booked.itemId), quantity: '2', axle: 'all' }
  await person.ask(`${store.origin}/cart`, { form })
  const own = person.cookie('sw_cart')?.value
  expect(own).toBeDefined()
  const { pathname } = new URL(booked.url)
  expect(await read(person, pathname)).toContain('Your own cart has 2 tires. Opening this one replaces it.')
  // A page from before the visitor filled the cart would not ask.
  const asked = await person.ask(new URL(pathname, store.origin), { form: {} })
  expect(asked.status).toBe(409)
  expect(await asked.text()).toContain('Replace my cart')
  expect(person.cookie('sw_cart')?.value).toBe(own)
  expect((await person.ask(new URL(pathname, store.origin), { form: { replace: '1' } })).status).toBe(303)
  expect(person.cookie('sw_cart')?.value).not.toBe(own)
})

test.for(['x', 'a'.repeat(43), 'a'.repeat(300), '%00'])('a forged link is rejected: %s', async (token) => {
  for (const form of [undefined, {}]) {
    const answer = await createVisitor().ask(`${store.origin}/carts/open/${token}`, form ? { form } : {})
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  }
})

test('an account’s tools need a token of its owner for this very server', async () => {
  const askRefused = () =>
    fetch(`${store.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_orders' } }),
    })
  expect((await askRefused()).status).toBe(401)
  const { metadata } = await discover(store.origin, askRefused)
  expect(metadata.resource).toBe(`${store.origin}/mcp`)

  const ada = createVisitor()
  await registerAt(store.origin, ada, 'Ada')
  const { access_token: token } = await connectApp(store.origin, ada, 'orders:read', metadata.resource)
  await using agent = await connect(token)
  expect(await agent.call('list_orders')).toEqual({ orders: [], next: null })
  await expect(agent.call('list_saved_vehicles')).rejects.toThrow(/account:read/)
  await expect(agent.call('create_cart', { lines: [{ itemId: 1, quantity: 4 }] })).rejects.toThrow(/orders:write/)
  // A token for one door opens no other.
  expect((await fetch(`${store.origin}/api/orders`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
    401,
  )
  const other = await connectApp(store.origin, ada, 'orders:read')
  await expect(connect(other.access_token)).rejects.toThrow()
  // Revoking it in the account takes effect immediately.
  expect(await read(ada, '/account/apps')).toContain('Demo app')
})

test('the page and llms.txt name every tool', async () => {
  const page = await read(createVisitor(), '/agents')
  const llms = await (await fetch(`${store.origin}/llms.txt`)).text()
  const client = new Client({ name: 'test-agent', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${store.origin}/mcp`)))
  const { tools } = await client.listTools()
  await client.close()
  expect(tools.length).toBeGreaterThan(15)
  expect(tools.filter(({ name }) => !page.includes(`id="${name}"`) || !llms.includes(`- \`${name}\`: `))).toEqual([])
  expect(page).toContain(`${store.origin}/mcp`)
  expect(page).toContain('1,000,000 calls a minute')
  expect(llms).toContain(`${store.origin}/agents`)
})

/** The lines of a price as a page shows them, in cents. */
function sumsOn(page: string): [label: string, cents: number][] {
  const [table = ''] = /<table class="sums[\s\S]*?<\/table>/.exec(page) ?? []
  return [...table.matchAll(/<th scope="row">([^<]+)[\s\S]*?<td>([^<]+)<\/td>/g)].map(([, label = '', amount = '']) => [
    label,
    amount === 'Free' ? 0 : Math.round(Number(amount.replace('−', '-').replaceAll(/[$,]/g, '')) * 100),
  ])
}
