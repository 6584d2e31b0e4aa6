/** Tests how the store handles unwanted requests. The built product runs as in production, over HTTP. */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
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
] as const)('%s gets %i', async ([method, status]) => {
  expect(await statusOf(method, '/zip')).toBe(status)
})

test('too many cookies are refused with a message', async () => {
  const answer = await fetch(`${store.origin}/cart`, { headers: { cookie: `a=${'1'.repeat(20_000)}` } })
  expect(answer.status).toBe(431)
  expect(await answer.text()).toContain('Clear the cookies of this site')
})

test.for(['/webhooks/payments', '/webhooks/carrier', '/webhooks/suppliers'])(
  '%s says that it accepts only POST',
  async (path) => {
    const answer = await fetch(`${store.origin}${path}`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  },
)

test.for(['/%00', '/tire-sizes/%00', '/?q=%00', '/%E0%A4%A', '/vehicles/%ff', '/%0A/', '/%09%0D/cart/'])(
  'the malformed address %s gets 400 for GET and POST',
  async (path) => {
    expect(await statusOf('GET', path)).toBe(400)
    expect((await post(path, new URLSearchParams({ zip: '60614' }))).status).toBe(400)
  },
)

test('an address over 8 KB is refused with a message', async () => {
  const answer = await fetch(`${store.origin}/${'a'.repeat(9 * 1024)}`)
  expect(answer.status).toBe(414)
  const text = await answer.text()
  expect(text).toContain('That address is too long')
  expect(text).not.toMatch(/cookie/i)
})

test('an unknown address is a 404 in the specification’s words', async () => {
  const answer = await fetch(`${store.origin}/no/such/page`)
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('The page you are looking for is missing.')
})

test('requests of the page’s script for client-side navigation are answered', async () => {
  // From another build, so the client must do a full page load.
  expect((await fetch(`${store.origin}/__manifest?paths=%2Fcart&version=x`)).status).toBe(204)
})

test('a form posted from another site is refused', async () => {
  expect((await post('/zip', new URLSearchParams({ zip: '60614' }), { origin: 'https://evil.test' })).status).toBe(403)
})

test.for([
  ['{"zip":"60614"}', 'application/json'],
  ['--x\r\ncontent-disposition: form-data; name="zip"\r\n\r\n606', 'multipart/form-data; boundary=x'],
  ['zip=1', 'text/plain'],
  ['', 'application/x-www-form-urlencoded'],
] as const)('a body that is not a form gets a clear error: %s', async ([body, type]) => {
  const { status } = await post('/zip', body, { 'content-type': type })
  expect([400, 422]).toContain(status)
})

// Sends only as much as is read before the response; a client that continues to write can see a closed connection.
test.for([
  ['a declared length', 'content-length: 1000000', 'zip='],
  ['no declared length', 'transfer-encoding: chunked', `11170\r\n${'9'.repeat(0x11170)}\r\n`],
] as const)('a body that is too large is refused, with %s', async ([, header, begun]) => {
  const { hostname, port } = new URL(store.origin)
  const socket = connect(Number(port), hostname)
  const type = 'content-type: application/x-www-form-urlencoded'
  socket.write(
    `POST /zip HTTP/1.1\r\nhost: ${hostname}\r\norigin: ${store.origin}\r\n${type}\r\n${header}\r\n\r\n${begun}`,
  )
  const answer = (await Array.fromAsync(socket)).join('')
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

test.for(['/contact', '/zip', '/cart'])(
  'a form with too many parts is refused at %s, and so is one with too many fields',
  async (path) => {
    const form = new FormData()
    for (let index = 0; index < 21; index += 1) form.append(`f${index}`, '1')
    expect((await post(path, form)).status).toBe(413)
    expect(
      (await post(path, new URLSearchParams(Array.from({ length: 201 }, (_, index) => [`f${index}`, '1'])))).status,
    ).toBe(413)
  },
)

test('unused query parameters appear nowhere in a page, for this visitor or the next', async () => {
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
  // Only cached pages have one, so the second wasn't rendered again.
  expect(second.etag).not.toBeNull()
})

test('limits carts per network per hour with a retry time', async () => {
  const { id } = await activeItems(store.database.db).orderBy('item.id').limit(1).executeTakeFirstOrThrow()
  const carts = async () => (await store.database.db.selectFrom('cart').select('id').execute()).length
  const before = await carts()
  const form = { item: String(id), quantity: '4' }
  // Cart ids made up by the visitor do not exist.
  const answers = await Promise.all(
    Array.from({ length: rateLimits.cart.counts.network + 20 }, (_, index) =>
      post('/cart', new URLSearchParams(form), index % 2 === 0 ? { cookie: `sw_cart=${randomUUID()}` } : {}),
    ),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 303).length).toBe(rateLimits.cart.counts.network)
  expect(refused).toHaveLength(20)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await carts()).toBe(before + rateLimits.cart.counts.network)
})

test('a client that never finishes sending a form is disconnected', async () => {
  const { hostname, port } = new URL(store.origin)
  const socket = connect(Number(port), hostname)
  socket.write(`POST /zip HTTP/1.1\r\nhost: ${hostname}\r\norigin: ${store.origin}\r\ncontent-length: 9\r\n\r\nzip=`)
  const answer = (await Array.fromAsync(socket)).join('')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('an invalid ZIP shows the exact message with the input retained', async () => {
  const answer = await post('/zip', new URLSearchParams({ zip: '6061x', back: '/cart' }))
  const html = await answer.text()
  expect(answer.status).toBe(422)
  expect(html).toContain('Oops. Please enter a valid ZIP code.')
  expect(html).toContain('value="6061x"')
})

test('a redirect target on another site is not followed', async () => {
  const answer = await post('/zip', new URLSearchParams({ zip: '60614', back: '//evil.test' }))
  expect(answer.headers.get('location')).toBe('/')
})

test('a guest gets a cacheable document, a known visitor a private one', async () => {
  const guest = await fetch(`${store.origin}/`)
  expect(guest.headers.get('cache-control')).toContain('s-maxage')
  expect(guest.headers.get('set-cookie')).toBeNull()
  const known = await fetch(`${store.origin}/`, { headers: { cookie: 'sw_zip=60614' } })
  expect(known.headers.get('cache-control')).toBe('private, no-store')
  expect(await known.text()).toContain('60614')
  // Without the cookie, the response has no data of the other visitor.
  expect(await (await fetch(`${store.origin}/`)).text()).not.toContain('60614')
})

test('every page disables features it does not use', async () => {
  const { headers } = await fetch(`${store.origin}/`)
  expect(headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-/)
  expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe-inline/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('messages without the sender’s signature are refused', async () => {
  expect((await post('/webhooks/payments', '{"id":"evt_1"}', { 'stripe-signature': 't=1,v1=00' })).status).toBe(400)
  expect((await post('/webhooks/carrier', '{}', { 'x-hmac-signature': 'hmac-sha256-hex=00' })).status).toBe(400)
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
] as const)('a correctly signed message to %s with %s is refused as unreadable, and logged', async ([path, , body]) => {
  const signature = path === '/webhooks/payments' ? stripeSignature(body) : carrierSignature(body)
  const before = store.output('web').length
  const answer = await post(path, body, signature)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ error: 'unreadable' })
  await eventually('a line in the log', () =>
    Promise.resolve(store.output('web').slice(before).includes('a message of a provider cannot be read')),
  )
})

function stripeSignature(body: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000)
  const hmac = createHmac('sha256', 'whsec_sidewall').update(`${seconds}.${body}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${hmac}` }
}

function carrierSignature(body: string): Record<string, string> {
  const hmac = createHmac('sha256', 'sandbox-carrier-secret').update(body).digest('hex')
  return { 'x-hmac-signature': `hmac-sha256-hex=${hmac}` }
}

/** fetch refuses some methods and normalizes addresses, so this uses a raw socket. */
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
