/** The client, with types generated from the document, against the running store. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, type ApiFailure, type Operations } from '#api/client/client.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

test('responses match the types', async () => {
  const client = createClient<Operations>({
    baseUrl: `${store.origin}/api`,
    context: () => ({ userZip: '60614', channel: 'widget', widgetId: 'w1' }),
  })
  const place = await client.call('GET /places/{zip}', { params: { zip: '60614' } })
  expect(place).toMatchObject({ ok: true, statusCode: 200, data: { city: 'Chicago', state: 'IL', region: 'CONUS' } })
  const listing = await client.call('GET /tires', { query: { size: '225-65r17' } })
  if (!listing.ok) throw new Error(listing.message)
  const compared = await client.call('GET /comparison', { query: { tire: ['100001', '100002'] } })
  if (!compared.ok) throw new Error(compared.message)
  expect(compared.data.map(({ offer }) => offer.key)).toEqual(['100001', '100002'])
})

test('a refusal has its message, its status and one of the specification’s codes', async () => {
  const told: [ApiFailure['code'], string][] = []
  const client = createClient<Operations>({
    baseUrl: `${store.origin}/api`,
    onFailure: ({ code }, operation) => told.push([code, operation]),
  })
  expect(await client.call('GET /places/{zip}', { params: { zip: '6061' } })).toMatchObject({
    ok: false,
    code: 'BadRequest',
    statusCode: 400,
    message: 'Oops. Please enter a valid ZIP code.',
    data: { zip: 'Oops. Please enter a valid ZIP code.' },
  })
  expect(await client.call('GET /places/{zip}', { params: { zip: '00000' } })).toMatchObject({
    ok: false,
    code: 'NotFound',
    statusCode: 404,
  })
  expect(await client.call('GET /user-details')).toMatchObject({
    ok: false,
    code: 'Unauthorized',
    statusCode: 401,
    message: 'Sign in first.',
  })
  // A missing object is not an error.
  expect(told).toEqual([
    ['BadRequest', 'GET /places/{zip}'],
    ['Unauthorized', 'GET /user-details'],
  ])
})
