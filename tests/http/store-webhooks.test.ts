/** Tests the store's webhooks on the office page without JavaScript, and over the admin API. */
import * as oidc from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoProgram } from '#sandbox/identity/provider.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let owner: Visitor
let manager: Visitor
let url: string
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  ;[owner, manager] = [createVisitor(), createVisitor()]
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  url = `${store.sandboxOrigin}/receiver/hooks`
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')

type Received = { received: { type: string; verdict: string }[] }
const received = async () =>
  ((await (await fetch(`${store.sandboxOrigin}/receiver/received.json`)).json()) as Received).received

const settings = (form: Record<string, string>) =>
  fetch(`${store.sandboxOrigin}/receiver/settings`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })

test('an owner adds a webhook, sees its secret once, sends a test, and sends a dead letter again', async () => {
  const form = { intent: 'add', url: 'http://10.0.0.1/', 'on-stock.changed': '1' }
  const refused = await owner.ask(at('/office/webhooks/new'), { form })
  expect(refused.status).toBe(422)
  const again = await refused.text()
  expect(again).toContain('Use an address that begins with https://.')
  expect(again).toContain('value="http://10.0.0.1/"')
  const without = await owner.ask(at('/office/webhooks/new'), { form: { intent: 'add', url } })
  expect(await without.text()).toContain('Choose at least one event.')

  const added = await owner.ask(at('/office/webhooks/new'), { form: { ...form, url } })
  expect(added.headers.get('location')).toMatch(/^\/office\/webhooks\/[0-9a-f-]{36}\?done=add$/)
  const path = added.headers.get('location')?.replace(/\?.*$/, '') ?? ''
  const press = (intent: string, more: Record<string, string> = {}) =>
    owner.ask(at(path), { form: { intent, ...more } })
  const shown = await (await press('show')).text()
  const [secret = ''] = /whsec_[A-Za-z0-9+/]{43}=/.exec(shown) ?? []
  expect(secret).not.toBe('')
  expect((await press('show')).status).toBe(409)
  expect(await read(owner, path)).not.toContain('whsec_')

  await settings({ secret, status: '204' })
  expect((await press('test')).status).toBe(303)
  await eventually('test event', async () => (await received()).find(({ type }) => type === 'webhook.test'))
  expect((await received())[0]).toMatchObject({ type: 'webhook.test', verdict: 'verified' })
  await eventually('delivery', async () => (await read(owner, path)).includes('Answered 204') || undefined)
  await settings({ secret, status: '500' })
  await press('test')
  await eventually('refusal', async () => (await read(owner, path)).includes('Answered 500') || undefined)
  expect((await press('pause')).status).toBe(303)
  expect((await press('test')).status).toBe(409)
  expect(await read(owner, '/office/webhooks')).toContain('Paused')
  expect(await read(manager, '/office/webhooks/failed')).toContain('The store')
  await press('resume')
  await settings({ secret, status: '204' })
  const [, delivery = ''] = /name="delivery" value="(\d+)"/.exec(await read(owner, path)) ?? []
  expect((await press('replay', { delivery })).status).toBe(303)
  await eventually('replay', async () => !(await read(owner, path)).includes('Dead letter') || undefined)
  expect((await press('replay', { delivery })).status).toBe(409)
  const removed = await press('remove')
  expect(removed.headers.get('location')).toBe('/office/webhooks?done=removed')
  expect((await owner.ask(at(path))).status).toBe(404)
  expect(await read(owner, '/office/audit')).toContain('Removed a webhook of the store')
})

async function requestToken(scope: string): Promise<string> {
  const provider = await oidc.discovery(
    new URL(`${store.sandboxOrigin}/identity`),
    demoProgram.clientId,
    demoProgram.secret,
    undefined,
    { execute: [oidc.allowInsecureRequests] },
  )
  return (await oidc.clientCredentialsGrant(provider, { scope, resource: `${store.origin}/api/admin` })).access_token
}

async function call(token: string | null, method: string, path: string, body?: unknown) {
  const answer = await fetch(at(`/api/admin${path}`), {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) }
}

test('a program with the permission manages webhooks over the admin API, and others are refused', async () => {
  const client = { intent: 'add', name: 'Warehouse system', clientId: demoProgram.clientId, role: 'owner' }
  const added = await owner.ask(at('/office/api-clients/new'), { form: client })
  const token = await requestToken('webhooks.manage')
  const asked = { url, types: ['order.placed', 'refund.issued'] }
  expect((await call(null, 'POST', '/webhooks', asked)).status).toBe(401)
  expect((await call(await requestToken('orders.read'), 'POST', '/webhooks', asked)).status).toBe(403)
  const created = await call(token, 'POST', '/webhooks', asked)
  expect(created.status).toBe(201)
  const path = `/webhooks/${String(created.body?.['id'])}`
  expect((await call(token, 'POST', '/webhooks', asked)).status).toBe(409)
  expect((await call(token, 'GET', '/webhooks')).body).toMatchObject({ rows: [{ fields: { url, state: 'Active' } }] })
  expect((await call(token, 'GET', path)).body).toMatchObject({ ...asked, isPaused: false, isSecretShown: false })
  expect((await call(token, 'PUT', path, { url, types: ['shop.closed'] })).status).toBe(204)
  expect((await call(token, 'GET', path)).body).toMatchObject({ url, types: ['shop.closed'] })
  const { secret } = (await call(token, 'POST', `${path}/show`)).body ?? {}
  expect(secret).toMatch(/^whsec_/)
  expect((await call(token, 'POST', `${path}/show`)).status).toBe(409)
  expect((await call(token, 'POST', `${path}/rotate`)).status).toBe(204)
  await settings({ secret: String(secret), status: '500' })
  expect((await call(token, 'POST', `${path}/test`)).status).toBe(204)
  await eventually('try', async () => {
    const { rows } = ((await call(token, 'GET', `${path}/deliveries`)).body ?? {}) as { rows: object[] }
    return rows.some((each) => 'status' in each && each.status === 500) || undefined
  })
  expect((await call(token, 'POST', `${path}/pause`)).status).toBe(204)
  expect((await call(token, 'GET', path)).body).toMatchObject({ isPaused: true, pausedBecause: 'owner' })
  expect((await call(token, 'POST', `${path}/replay-all`)).status).toBe(409)
  await call(token, 'POST', `${path}/resume`)
  const replayed = await call(token, 'POST', `${path}/replay-all`)
  expect(replayed).toMatchObject({ status: 200, body: { count: 1 } })

  for (const [body, status] of [
    ['{"url":', 400],
    [{ ...asked, types: ['no.such'] }, 400],
    [{ ...asked, types: [] }, 400],
    [{ ...asked, url: 'https://127.0.0.1/' }, 409],
    [{ ...asked, more: 1 }, 400],
    ['['.repeat(1_000), 400],
    ['x'.repeat(70_000), 413],
  ] as const)
    expect((await call(token, 'POST', '/webhooks', body)).status).toBe(status)
  expect((await call(token, 'GET', '/webhooks/none')).status).toBe(404)
  expect((await call(token, 'GET', '/webhooks/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await call(token, 'PATCH', path)).status).toBe(405)
  expect(await read(owner, '/office/audit')).toContain('api')

  // A role without the permission restricts the token from the next call on.
  const page = added.headers.get('location')?.split('?')[0] ?? ''
  await owner.ask(at(page), { form: { intent: 'change', name: 'Warehouse system', role: 'manager', version: '1' } })
  expect((await call(token, 'POST', `${path}/remove`)).status).toBe(403)
  await owner.ask(at(page), { form: { intent: 'change', name: 'Warehouse system', role: 'owner', version: '2' } })
  expect((await call(token, 'POST', `${path}/remove`)).status).toBe(204)
  expect((await call(token, 'GET', path)).status).toBe(404)
})

test('other roles are refused, and guests sign in', async () => {
  for (const path of ['/office/webhooks', '/office/webhooks/new']) {
    expect((await manager.ask(at(path))).status).toBe(403)
    expect((await createVisitor().ask(at(path))).headers.get('location')).toMatch(/^\/office\/sign-in\?back=/)
  }
  expect((await owner.ask(at('/office/webhooks/none'))).status).toBe(404)
})
