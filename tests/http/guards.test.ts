/** The door of the store against what it did not ask for. The product runs as it does for shoppers: built, over sockets. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from 'node:http'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${store.origin}${path}`, { method: 'POST', body, headers: { origin: store.origin, ...headers }, redirect: 'manual' })

test.for([
  ['DELETE', 405],
  ['PUT', 405],
  ['PATCH', 405],
  ['OPTIONS', 405],
  ['TRACE', 405],
] as const)('%s is answered with %i', async ([method, status]) => {
  expect(await statusOf(method, '/zip')).toBe(status)
})

test.for(['/%00', '/tire-sizes/%00', '/?q=%00', '/%E0%A4%A', '/vehicles/%ff'])('the broken address %s is answered with 400', async (path) => {
  expect(await statusOf('GET', path)).toBe(400)
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

/** fetch refuses some methods and mends some addresses, so this speaks for itself. */
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
