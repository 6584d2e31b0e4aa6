/**
 * What another site makes a visitor's browser send changes nothing: every address of app/routes.ts, and the API,
 * refuses it before anything else is done.
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
 * What browsers say for a page of another site, of another host of this one, of a sandboxed frame, and what a form from
 * nowhere lacks.
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
  // The second is how the script of a page posts to the same.
  for (const address of [path, path === '/' ? '/_root.data' : `${path}.data`]) {
    const statuses = await Promise.all(others.map((headers) => send('POST', address, headers)))
    // Mail programs post there for whoever stops a mail (RFC 8058): what counts is the sealed token, and none is given
    // here.
    if (path === '/stop-mails') expect(statuses.filter((status) => ![400, 403, 404].includes(status))).toEqual([])
    else expect([address, ...statuses]).toEqual([address, ...others.map(() => 403)])
  }
})

test.for(types)('whatever the body is: %s', async (type) => {
  const statuses = await Promise.all(
    others.map((headers) => send('POST', '/account', { ...headers, 'content-type': type })),
  )
  expect(statuses).toEqual(others.map(() => 403))
})

test('the same from a page of ours is looked at', async () => {
  expect(await send('POST', '/zip', { origin: store.origin })).toBe(422)
  expect(await send('POST', '/zip', { 'sec-fetch-site': 'same-origin' })).toBe(422)
  expect(await send('POST', '/zip', { origin: store.origin, 'sec-fetch-site': 'same-origin' })).toBe(422)
})

test.for(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s of the API from another site, with the cookies of this one',
  async (method) => {
    // A program says nothing of where it comes from; one on another site brings a token and no cookies.
    for (const headers of others.filter((each) => Object.keys(each).length > 0))
      for (const path of ['/api/users/me/personalization', '/api/users/me/history/search', '/api/anything'])
        expect([path, headers, await send(method, path, { ...headers, 'content-type': 'application/json' })]).toEqual([
          path,
          headers,
          403,
        ])
  },
)

test('who is signed in still is, and no other site reads what the store says of them', async () => {
  const answer = await fetch(`${store.origin}/api/user-details`, { headers: { cookie, origin: 'https://evil.test' } })
  expect([answer.status, answer.headers.get('access-control-allow-credentials')]).toEqual([403, null])
  expect((await fetch(`${store.origin}/account`, { headers: { cookie }, redirect: 'manual' })).status).toBe(200)
})

async function send(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${store.origin}${path}`, {
    method,
    ...(method !== 'GET' && { body: 'zip=1&sure=1' }),
    redirect: 'manual',
    headers: { cookie, 'content-type': types[0] ?? '', ...headers },
  })
  // Nothing is told to the browser by what was refused.
  if (answer.status === 403) expect(answer.headers.getSetCookie()).toEqual([])
  await answer.arrayBuffer()
  return answer.status
}
