/** Tests that programs run the office's actions over the admin API, with the checks of the office's forms. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

type Operation = { operationId: string; security: { clientCredentials: string[] }[]; requestBody?: { content: object } }

let store: RunningStore
let operations: { method: string; path: string; permission: string; body: 'json' | 'file' | null }[]

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  const owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await addAdminClient(store, owner, 'owner')
  const document = (await (await fetch(`${store.origin}/api/admin/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, security, requestBody }]) =>
      operationId.startsWith('list-')
        ? []
        : [
            {
              method: method.toUpperCase(),
              path: path.replaceAll(/\{\w+\}/g, '999999999'),
              permission: security[0]?.clientCredentials[0] ?? '',
              body: requestBody ? ('application/json' in requestBody.content ? 'json' : 'file') : null,
            },
          ],
    ),
  )
})
afterAll(() => store[Symbol.asyncDispose]())

test('every operation requires a token with its permission, and refuses unknown fields and records', async () => {
  const narrow = await requestAdminToken(store, 'reports.read')
  const wrong: string[] = []
  for (const { method, path, permission, body } of operations) {
    const token = await requestAdminToken(store, permission)
    const empty = method === 'GET' || method === 'DELETE' ? undefined : {}
    const expected = (name: string, status: number, statuses: readonly number[]) => {
      if (!statuses.includes(status)) wrong.push(`${method} ${path} ${name}: ${status}`)
    }
    expected('without a token', (await callAdminApi(store, null, [method, path], empty)).status, [401])
    expected('without the permission', (await callAdminApi(store, narrow, [method, path], empty)).status, [403])
    if (body === 'json') {
      const { status } = await callAdminApi(store, token, [method, path], { unknownField: 'x' })
      expected('with an unknown field', status, [400])
      expected('with a list', (await callAdminApi(store, token, [method, path], [])).status, [400])
    }
    // An unknown record is missing, unless the empty body or JSON instead of a file is refused first.
    const missing = body === 'file' ? [400, 415] : [404, 400]
    if (path.includes('999999999') || body === 'file')
      expected('for no record', (await callAdminApi(store, token, [method, path], empty)).status, missing)
  }
  expect(operations.length).toBeGreaterThan(15)
  expect(wrong).toEqual([])
})

test('a program adds, reads, changes and closes a warehouse', async () => {
  const token = await requestAdminToken(store, 'warehouses.manage')
  const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
  const draft = {
    code: 'ADM',
    name: 'Admin warehouse',
    street: '1 Main Street',
    zip: '60614',
    cutoff: '14:00',
    handlingDays: 2,
    transitAlaska: 9,
    closedDays: '2027-12-24',
    pickupReadyHours: 4,
    pickupKeptDays: 14,
    pickupNote: 'Door 6, ring the bell.',
    timeZone: 'America/Denver',
    carrierAlaska: 'USPS',
    carriers: ['USPS', 'UPS'],
  }
  const hours = [
    { weekday: '2', ships: true },
    { weekday: '6', opens: '09:00', closes: '13:00', cutoff: '11:30' },
  ]
  const added = await call('POST', '/warehouses', { ...draft, hours })
  expect(added.status).toBe(201)
  const path = `/warehouses/${String(added.body['id'])}`
  const twice = await call('POST', '/warehouses', draft)
  expect(twice.status).toBe(409)
  expect(twice.body.data).toEqual({ code: 'Another warehouse has this code.' })
  const wrong = await call('POST', '/warehouses', {
    ...draft,
    zip: '6',
    handlingDays: 11,
    transitHawaii: 0,
    closedDays: 'Monday',
    hours: [{ weekday: '6', opens: '09:00', closes: '08:00' }],
  })
  expect(wrong.status).toBe(400)
  expect(wrong.body.data).toEqual({
    zip: 'Enter a ZIP code of 5 digits.',
    handlingDays: 'Enter a whole number of days from 0 to 10.',
    transitHawaii: 'Enter a whole number of days from 1 to 30.',
    closedDays: '“Monday” isn’t a day. Enter one day per line, such as 2026-12-24.',
    'opens-6': 'Enter when it opens and, later, closes. Leave both empty for a closed day.',
  })

  const read = await call('GET', path)
  expect(read.body).toMatchObject({ ...draft, labels: 'carrier', supplier: null, pickup: 'on' })
  const days = read.body['hours'] as { opens: string | null; ships: boolean }[]
  expect(days.map(({ opens, ships }) => opens ?? ships)).toEqual([false, true, false, false, false, '09:00', false])
  const changed = await call('PUT', path, { ...read.body, name: 'Renamed' })
  expect(changed.status).toBe(204)
  const outdated = await call('PUT', path, { ...read.body, name: 'Renamed again' })
  expect(outdated.status).toBe(412)
  const { body } = await call('GET', path)
  expect(body).toMatchObject({ ...draft, name: 'Renamed' })

  expect((await call('POST', `${path}/close`, { version: body['version'], when: 'now' })).status).toBe(204)
  const closing = (await call('GET', path)).body
  expect((await call('POST', `${path}/finish`, { version: closing['version'] })).status).toBe(204)
  const reopened = await call('POST', `${path}/reopen`, { version: (await call('GET', path)).body['version'] })
  expect(reopened.status).toBe(204)
  expect((await call('GET', '/warehouses/999999999')).status).toBe(404)
})
