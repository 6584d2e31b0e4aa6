/**
 * The door of the store against what it did not ask for. The product runs as it does for shoppers: built, over sockets.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { cartAttempts } from '#domain/cart/cart-limits.port.ts'
import { eventually } from '#tests/support/eventually.ts'
import { activeItems } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { LOG_LEVEL: 'warn' } })
})
afterAll(() => store[Symbol.asyncDispose]())

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${store.origin}${path}`, {
    method: 'POST',
    body,
    headers: { origin: store.origin, ...headers },
    redirect: 'manual',
  })

test.for([
  ['DELETE', 405],
  ['PUT', 405],
  ['PATCH', 405],
  ['OPTIONS', 405],
  ['TRACE', 405],
] as const)('%s is answered with %i', async ([method, status]) => {
  expect(await statusOf(method, '/zip')).toBe(status)
})

test('more cookies than the store takes are refused in words', async () => {
  const answer = await fetch(`${store.origin}/cart`, { headers: { cookie: `a=${'1'.repeat(20_000)}` } })
  expect(answer.status).toBe(431)
  expect(await answer.text()).toContain('Clear the cookies of this site')
})

test.for(['/webhooks/payments', '/webhooks/carrier'])('%s says that it takes POST alone', async (path) => {
  const answer = await fetch(`${store.origin}${path}`)
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
})

test.for(['/%00', '/tire-sizes/%00', '/?q=%00', '/%E0%A4%A', '/vehicles/%ff', '/%0A/', '/%09%0D/cart/'])(
  'the broken address %s is answered with 400, read or posted to',
  async (path) => {
    expect(await statusOf('GET', path)).toBe(400)
    expect((await post(path, new URLSearchParams({ zip: '60614' }))).status).toBe(400)
  },
)

test('an address of more than 8 KB is refused in words', async () => {
  const answer = await fetch(`${store.origin}/${'a'.repeat(9 * 1024)}`)
  expect(answer.status).toBe(431)
  expect(await answer.text()).toContain('Clear the cookies of this site')
})

test('an address nobody made is missing, in the words of the specification', async () => {
  const answer = await fetch(`${store.origin}/no/such/page`)
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('The page you are looking for is missing.')
})

test('what the script in a page asks for to go on to the next is answered', async () => {
  // Of another build, so that it is told to load the next page whole.
  expect((await fetch(`${store.origin}/__manifest?paths=%2Fcart&version=x`)).status).toBe(204)
})

test('a form from another site is refused', async () => {
  expect((await post('/zip', new URLSearchParams({ zip: '60614' }), { origin: 'https://evil.test' })).status).toBe(403)
})

test.for([
  ['{"zip":"60614"}', 'application/json'],
  ['--x\r\ncontent-disposition: form-data; name="zip"\r\n\r\n606', 'multipart/form-data; boundary=x'],
  ['zip=1', 'text/plain'],
  ['', 'application/x-www-form-urlencoded'],
] as const)('a body that is no form gets a clear answer: %s', async ([body, type]) => {
  const { status } = await post('/zip', body, { 'content-type': type })
  expect([400, 422]).toContain(status)
})

test('a body of a megabyte is too large, announced or not', async () => {
  const body = `zip=${'9'.repeat(1_000_000)}`
  expect((await post('/zip', body)).status).toBe(413)
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body))
      controller.close()
    },
  })
  const unannounced = await fetch(`${store.origin}/zip`, {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { origin: store.origin, 'content-type': 'application/x-www-form-urlencoded' },
  } as RequestInit)
  expect(unannounced.status).toBe(413)
})

test.for(['/contact', '/zip', '/cart'])(
  'a form of more parts than any form has is refused at %s, and so is one of more fields',
  async (path) => {
    const form = new FormData()
    for (let index = 0; index < 21; index += 1) form.append(`f${index}`, '1')
    expect((await post(path, form)).status).toBe(413)
    expect(
      (await post(path, new URLSearchParams(Array.from({ length: 201 }, (_, index) => [`f${index}`, '1'])))).status,
    ).toBe(413)
  },
)

test('what a page does not read of its address is nowhere in it, for its visitor and for the next', async () => {
  const read = async (query: string) => {
    const answer = await fetch(`${store.origin}/tire-sizes/225-65R17${query}`)
    expect(answer.status).toBe(200)
    return { html: await answer.text(), etag: answer.headers.get('etag') }
  }
  const [first, second] = [
    await read('?sort=price&fbclid=ofMine&madeUp=1'),
    await read('?utm_source=mail&madeUp=2&sort=price'),
  ]
  expect(first.html).not.toMatch(/ofMine|madeUp/)
  expect(second.html).toBe(first.html)
  // Only what is kept has one: the second was not rendered again.
  expect(second.etag).not.toBeNull()
})

test('who carries no cart makes so many an hour from one network, and is told when to come again', async () => {
  const { id } = await activeItems(store.database.db).orderBy('item.id').limit(1).executeTakeFirstOrThrow()
  const carts = async () => (await store.database.db.selectFrom('cart').select('id').execute()).length
  const before = await carts()
  const form = { item: String(id), quantity: '4' }
  // Carts of the visitor's own invention are carts that nobody has.
  const answers = await Promise.all(
    Array.from({ length: cartAttempts.count + 20 }, (_, index) =>
      post('/cart', new URLSearchParams(form), index % 2 === 0 ? { cookie: `sw_cart=${randomUUID()}` } : {}),
    ),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect([answers.filter(({ status }) => status === 303).length, refused.length]).toEqual([cartAttempts.count, 20])
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await carts()).toBe(before + cartAttempts.count)
})

test('who never sends the rest of a form is let go', async () => {
  const { hostname, port } = new URL(store.origin)
  const socket = connect(Number(port), hostname)
  socket.write(`POST /zip HTTP/1.1\r\nhost: ${hostname}\r\norigin: ${store.origin}\r\ncontent-length: 9\r\n\r\nzip=`)
  const answer = (await Array.fromAsync(socket)).join('')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('a wrong ZIP keeps what was typed and says the exact message', async () => {
  const answer = await post('/zip', new URLSearchParams({ zip: '6061x', back: '/cart' }))
  const html = await answer.text()
  expect(answer.status).toBe(422)
  expect(html).toContain('Oops. Please enter a valid ZIP code.')
  expect(html).toContain('value="6061x"')
})

test('a redirect target of another site is not followed', async () => {
  const answer = await post('/zip', new URLSearchParams({ zip: '60614', back: '//evil.test' }))
  expect(answer.headers.get('location')).toBe('/')
})

test('a guest gets a document that may be shared, a known visitor one that may not', async () => {
  const guest = await fetch(`${store.origin}/`)
  expect(guest.headers.get('cache-control')).toContain('s-maxage')
  expect(guest.headers.get('set-cookie')).toBeNull()
  const known = await fetch(`${store.origin}/`, { headers: { cookie: 'sw_zip=60614' } })
  expect(known.headers.get('cache-control')).toBe('private, no-store')
  expect(await known.text()).toContain('60614')
  // Asked again without the cookie, nothing of the other visitor is left.
  expect(await (await fetch(`${store.origin}/`)).text()).not.toContain('60614')
})

test('every page forbids what it does not use', async () => {
  const { headers } = await fetch(`${store.origin}/`)
  expect(headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-/)
  expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe-inline/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('messages without the sender’s signature are refused', async () => {
  expect((await post('/webhooks/payments', '{"id":"evt_1"}', { 'stripe-signature': 't=1,v1=00' })).status).toBe(400)
  expect((await post('/webhooks/carrier', '{}', { 'sidewall-carrier-signature': 't=1,v1=00' })).status).toBe(400)
})

const thin = {
  id: 'evt_thin',
  object: 'v2.core.event',
  type: 'v1.billing.meter.error_report_triggered',
  created: '2026-11-20T00:00:00Z',
}

test.for([
  ['/webhooks/payments', 'no JSON', 'so not'],
  ['/webhooks/payments', 'a list', '[]'],
  ['/webhooks/payments', 'no data', JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' })],
  [
    '/webhooks/payments',
    'no object in its data',
    JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.refunded', data: {} }),
  ],
  ['/webhooks/payments', 'a thin event', JSON.stringify(thin)],
  [
    '/webhooks/payments',
    'an intent without an id',
    JSON.stringify({ id: 'evt_1', type: 'x', data: { object: { object: 'payment_intent' } } }),
  ],
  [
    '/webhooks/payments',
    'a number for its id',
    JSON.stringify({ id: 7, type: 'x', data: { object: { object: 'coupon' } } }),
  ],
  [
    '/webhooks/payments',
    'a name no database keeps',
    JSON.stringify({ id: 'evt_\0', type: 'x', data: { object: { object: 'coupon', '\0': '\ud800' } } }),
  ],
  ['/webhooks/carrier', 'no JSON', 'so not'],
  ['/webhooks/carrier', 'nothing of a shipment', '{}'],
  ['/webhooks/carrier', 'null', 'null'],
] as const)(
  'a message to %s that is rightly signed and has %s is refused as unreadable, and the log says so',
  async ([path, , body]) => {
    const isPayment = path === '/webhooks/payments'
    const seconds = Math.floor(Date.now() / 1_000)
    const hmac = createHmac('sha256', isPayment ? 'whsec_sidewall' : 'sandbox-carrier-secret')
      .update(`${seconds}.${body}`)
      .digest('hex')
    const before = store.output('web').length
    const answer = await post(path, body, {
      [isPayment ? 'stripe-signature' : 'sidewall-carrier-signature']: `t=${seconds},v1=${hmac}`,
    })
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'unreadable' }])
    await eventually('a line in the log', () =>
      Promise.resolve(store.output('web').slice(before).includes('a message of a provider cannot be read')),
    )
  },
)

/** fetch refuses some methods and fixes some addresses, so this speaks for itself. */
function statusOf(method: string, path: string): Promise<number> {
  const { hostname, port } = new URL(store.origin)
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    call.on('error', reject)
    call.end()
  })
}
