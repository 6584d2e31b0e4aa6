/**
 * Tests that cross-site requests have no effect, because every route in app/routes.ts and the API refuse them first.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { templates } from '#tests/support/crawler.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { sessionOf } from '#tests/support/visitor.ts'

let store: RunningStore
let cookie: string
beforeAll(async () => {
  store = await startStore()
  cookie = await sessionOf(store.origin)
})
afterAll(() => store[Symbol.asyncDispose]())

/**
 * The headers browsers send from another site, another host of this site or a sandboxed frame, and from a form without
 * an origin.
 */
const others: Record<string, string>[] = [
  { origin: 'https://evil.test' },
  { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  {},
]

const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'application/json']

const paths = templates.map((template) => `/${template.replaceAll(/:\w+|\*/g, 'x')}`)

test.for(paths.filter((path) => !path.startsWith('/api/')))('a post to %s', async (path) => {
  // The second is used by the page's script for the same action.
  for (const address of [path, path === '/' ? '/_root.data' : `${path}.data`]) {
    const statuses = await Promise.all(others.map((headers) => send('POST', address, headers)))
    // Mail programs post there to unsubscribe (RFC 8058). Only the sealed token counts, which is missing here.
    if (path === '/stop-mails') expect(statuses.filter((status) => ![400, 403, 404].includes(status))).toEqual([])
    else expect(statuses, address).toEqual(others.map(() => 403))
  }
})

test.for(types)('with any body: %s', async (type) => {
  const statuses = await Promise.all(
    others.map((headers) => send('POST', '/account', { ...headers, 'content-type': type })),
  )
  expect(statuses).toEqual(others.map(() => 403))
})

test('the same request from our own page is processed', async () => {
  expect(await send('POST', '/zip', { origin: store.origin })).toBe(422)
  expect(await send('POST', '/zip', { 'sec-fetch-site': 'same-origin' })).toBe(422)
  expect(await send('POST', '/zip', { origin: store.origin, 'sec-fetch-site': 'same-origin' })).toBe(422)
})

test.for(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  'API %s from another site, with this site’s cookies',
  async (method) => {
    // A program sends no origin; a script on another site sends a token and no cookies.
    for (const headers of others.filter((each) => Object.keys(each).length > 0))
      for (const path of ['/api/users/me/personalization', '/api/users/me/history/search', '/api/anything'])
        expect(
          await send(method, path, { ...headers, 'content-type': 'application/json' }),
          `${path} ${JSON.stringify(headers)}`,
        ).toBe(403)
  },
)

test('the session survives, and other sites cannot read account data', async () => {
  const answer = await fetch(`${store.origin}/api/user-details`, { headers: { cookie, origin: 'https://evil.test' } })
  expect(answer.status).toBe(403)
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  expect((await fetch(`${store.origin}/account`, { headers: { cookie }, redirect: 'manual' })).status).toBe(200)
})

async function send(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${store.origin}${path}`, {
    method,
    ...(method !== 'GET' && { body: 'zip=1&sure=1' }),
    redirect: 'manual',
    headers: { cookie, 'content-type': types[0] ?? '', ...headers },
  })
  // Refusals set no cookies.
  if (answer.status === 403) expect(answer.headers.getSetCookie()).toEqual([])
  await answer.arrayBuffer()
  return answer.status
}
