/** Tests that programs manage offers, price lists, supplier feeds, templates and pages over the admin API. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '#content/paths.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
let token: string

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  const owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await addAdminClient(store, owner, 'owner')
  token = await requestAdminToken(
    store,
    'promotions.read promotions.edit price-lists.read price-lists.edit catalog.read catalog.import catalog.publish ' +
      'email-templates.manage requests.read templates.manage content.edit legal.publish',
  )
})
afterAll(() => store[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
const statusOf = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status
const seePage = async (path: string) => {
  const response = await fetch(`${store.origin}${path}`)
  return { status: response.status, text: await response.text() }
}

/** A program may send anything as an ID. */
const wrongIds = ['0', '-1', '2147483648', '99999999999999999999', '1e9', 'x', '%00', '%27%3B--']

test('IDs that no record has are missing for every action', async () => {
  const form = { formKey: randomUUID() }
  const times = { version: 1, startsAt: '2030-01-01T09:00', endsAt: '2030-02-01T09:00' }
  const calls: [method: string, path: string, body?: unknown][] = wrongIds.flatMap((id) => [
    ['GET', `/map-prices/${id}`],
    ['PUT', `/map-prices/${id}`, { price: 100, version: 1 }],
    ['GET', `/rebates/${id}`],
    ['POST', `/rebates/${id}/schedule`, { version: 2_000_000_000 }],
    ['POST', `/rebates/${id}/end`, { reason: 'A test' }],
    ['POST', `/rebates/${id}/discard`],
    ['POST', `/coupons/${id}/schedule`, times],
    ['POST', `/coupons/${id}/end`, { reason: 'A test' }],
    ['POST', `/coupons/${id}/discard`],
    ['GET', `/coupons/${id}`],
    ['GET', `/promotions/d${id}`],
    ['POST', `/promotions/d${id}/schedule`, times],
    ['POST', `/promotions/p${id}/end`, { reason: 'A test' }],
    ['POST', `/promotions/${id}/discard`],
    ['POST', `/price-lists/${id}/assign`, { type: '' }],
    ['POST', `/price-list-versions/${id}/schedule`, { startsAt: times.startsAt }],
    ['POST', `/price-list-versions/${id}/end`, { reason: 'A test' }],
    ['POST', `/price-list-versions/${id}/discard`],
    ['GET', `/supplier-feeds/${id}`],
    ['POST', `/supplier-feeds/${id}/pause`, { version: 1 }],
    ['POST', `/supplier-feeds/${id}/run`],
    ['GET', `/email-templates/${id}`],
    ['POST', `/email-templates/${id}/reset`, { version: 0 }],
    ['GET', `/templates/${id}`],
    ['PUT', `/templates/${id}`, { name: 'No such template', body: 'x' }],
    ['POST', `/templates/${id}/retire`],
    ['POST', `/content/${id}/roll-back`, form],
    ['POST', `/content/${id}/take-down`, form],
    ['GET', `/content-versions/${id}`],
    ['POST', `/content-versions/${id}/publish`],
    ['POST', `/content-versions/${id}/discard`],
    ['POST', `/content-versions/${id}/roll-back`, form],
  ])
  const wrong: string[] = []
  for (const [method, path, body] of calls) {
    const status = await statusOf(method, path, body)
    if (status !== 404 && status !== 400) wrong.push(`${method} ${path}: ${status}`)
  }
  expect(wrong).toEqual([])
})

test('a program drafts, reads, changes, schedules and ends a rebate, which shoppers see', async () => {
  const draft = {
    name: 'Admin rebate',
    subject: 'kestrel',
    amount: 6_000,
    units: 4,
    paidAs: 'check',
    formUrl: 'https://rebates.example.com/claim',
    startsOn: '2020-01-01',
    lastPurchaseOn: '2090-01-01',
    lastClaimOn: '2090-02-01',
    vehicleClass: 'passenger',
  }
  const added = await call('POST', '/rebates', draft)
  expect(added.status).toBe(201)
  const path = `/rebates/${String(added.body['id'])}`
  expect((await call('POST', '/rebates', draft)).body.data).toEqual({ name: 'Another rebate has this name.' })
  const wrong = await call('POST', '/rebates', { ...draft, name: 'Other', amount: 100_001, units: 9 })
  expect(wrong.status).toBe(400)
  expect(wrong.body.data).toEqual({ amount: 'Enter an amount in dollars, such as 60.', units: 'Enter 1 to 8 tires.' })
  expect(await statusOf('POST', '/rebates', { ...draft, name: 'Other', subject: 'no-such-brand' })).toBe(409)

  const { body: read } = await call('GET', path)
  expect(read).toMatchObject({ ...draft, season: null, mailTo: null })
  expect(await statusOf('PUT', path, { ...read, amount: 7_000 })).toBe(204)
  expect(await statusOf('PUT', path, { ...read, amount: 8_000 })).toBe(412)
  const { body: changed } = await call('GET', path)
  expect(changed).toMatchObject({ ...draft, amount: 7_000 })
  expect((await seePage(paths.deal('admin-rebate'))).status).toBe(404)
  expect(await statusOf('POST', `${path}/schedule`, { version: read['version'] })).toBe(412)
  expect(await statusOf('POST', `${path}/schedule`, { version: changed['version'] })).toBe(204)
  const deal = await seePage(paths.deal('admin-rebate'))
  expect(deal.status).toBe(200)
  expect(deal.text).toContain('$70')
  expect(await statusOf('PUT', path, { ...changed, version: (await call('GET', path)).body['version'] })).toBe(409)
  expect(await statusOf('POST', `${path}/discard`)).toBe(409)
  const { name, lastClaimOn } = draft
  const formUrl = 'https://rebates.example.com/corrected'
  const { version } = (await call('GET', path)).body
  const corrected = { name, formUrl, lastPurchaseOn: '2090-01-15', lastClaimOn, version }
  expect((await call('POST', `${path}/correct`, { ...corrected, lastClaimOn: '2090-01-31' })).body.data).toEqual({
    lastClaimOn: 'Enter Feb 1, 2090 or a later day. Shoppers bought with that claim deadline.',
  })
  expect(await statusOf('POST', `${path}/correct`, corrected)).toBe(204)
  expect(await statusOf('POST', `${path}/correct`, corrected)).toBe(412)
  await eventually('corrected page', async () => (await seePage(paths.deal('admin-rebate'))).text.includes(formUrl))
  expect(await statusOf('POST', `${path}/end`, { reason: 'A test' })).toBe(204)
  expect(await statusOf('POST', `${path}/end`, { reason: 'A test' })).toBe(409)
})

/** Reads the pages of scheduled records until one has this name. */
async function findScheduled(resource: string, name: string): Promise<{ id: string } | undefined> {
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await call('GET', `/${resource}?state=scheduled${cursor === '' ? '' : `&cursor=${cursor}`}`)
    const page = body as unknown as { rows: { id: string; fields: object }[]; next: string | null }
    const found = page.rows.find(({ fields }) => JSON.stringify(fields).includes(name))
    if (found) return found
    cursor = page.next
  }
  return undefined
}

test('a program drafts, schedules, withdraws and discards coupons and promotions', async () => {
  const draft = { formKey: randomUUID(), kind: 'Flat Amount', amount: '5.00', subject: 'kestrel', fundedBy: 'store' }
  const coupon = {
    ...draft,
    code: 'ADMIN5',
    name: 'Admin coupon',
    stacks: 'no',
    minimum: 10_000,
    usesMost: 100,
    personMost: 1,
  }
  const promotion = { ...draft, name: 'Admin promotion', headline: '$5 off each Kestrel tire' }
  const times = { version: 2, startsAt: '2090-01-01T09:00', endsAt: '2090-02-01T09:00' }
  for (const [resource, sent, different] of [
    ['coupons', coupon, { code: 'ADMIN5', minimum: 10_000, personMost: 1, stacks: 'no' }],
    ['promotions', promotion, { headline: promotion.headline, daily: 'no' }],
  ] as const) {
    const added = await call('POST', `/${resource}`, sent)
    expect(added.status, resource).toBe(201)
    expect((await call('POST', `/${resource}`, sent)).body['id']).toBe(added.body['id'])
    const wrong = await call('POST', `/${resource}`, { ...sent, formKey: randomUUID(), amount: '5000' })
    expect(wrong.status).toBe(400)
    expect(Object.keys(wrong.body.data ?? {})).toEqual(['amount'])
    const unknown = { ...sent, formKey: randomUUID(), replaces: '999999999' }
    expect(await statusOf('POST', `/${resource}`, unknown)).toBe(409)

    const path = `/${resource}/${String(added.body['id'])}`
    const read = await call('GET', path)
    expect(read.body).toMatchObject({ ...different, subject: 'kestrel', season: null, version: 1 })
    expect(await statusOf('PUT', path, { ...read.body, season: 'winter', size: 'None such' })).toBe(409)
    expect(await statusOf('PUT', path, { ...read.body, season: 'winter', amount: '6.00' })).toBe(204)
    expect(await statusOf('PUT', path, { ...read.body, amount: '7.00' })).toBe(412)
    expect((await call('GET', path)).body).toMatchObject({ season: 'winter', amount: '6.00', version: 2 })
    expect(await statusOf('POST', `${path}/schedule`, { ...times, version: 1 })).toBe(412)
    const past = await call('POST', `${path}/schedule`, {
      version: 2,
      startsAt: '2020-01-01T09:00',
      endsAt: '2020-02-01T09:00',
    })
    expect(past.body.data).toEqual({ startsAt: 'Choose a time in the future.' })
    expect(await statusOf('POST', `${path}/schedule`, times)).toBe(204)
    const scheduled = await findScheduled(resource, sent.name)
    expect(scheduled, resource).toBeDefined()
    expect(await statusOf('POST', `${path}/discard`)).toBe(409)
    const ended = `/${resource}/${scheduled?.id ?? ''}/end`
    expect(await statusOf('POST', ended, { reason: 'x' })).toBe(400)
    expect(await statusOf('POST', ended, { reason: 'A test' })).toBe(204)
    expect(await statusOf('POST', `${path}/discard`)).toBe(204)
    expect(await statusOf('POST', `${path}/discard`)).toBe(404)
  }
})

test('a program creates a price list, drafts versions of it, and assigns it', async () => {
  const list = { slug: 'admin-list', name: 'Admin list' }
  const made = await call('POST', '/price-lists', list)
  expect(made).toMatchObject({ status: 201, body: { id: 'admin-list' } })
  expect(await statusOf('POST', '/price-lists', list)).toBe(409)
  const rules = 'scope,target,kind,percent,amount,starts,ends\nbrand,kestrel,percent-off,2,,2026-01-01,\n'
  const version = { formKey: randomUUID(), list: 'admin-list', name: 'First', file: rules }
  const added = await call('POST', '/price-list-versions', version)
  expect(added.body).toMatchObject({ id: expect.stringMatching(/^\d+$/) as string })
  const faulty = { ...version, formKey: randomUUID(), file: 'scope,target\nbrand,kestrel\n' }
  const refused = await call('POST', '/price-list-versions', faulty)
  expect(refused.body.data?.['file']).toContain('The header lacks')
  expect(await statusOf('POST', '/price-list-versions', { ...version, formKey: randomUUID(), list: 'none' })).toBe(404)

  const path = `/price-list-versions/${String(added.body['id'])}`
  expect(await statusOf('POST', `${path}/schedule`, { startsAt: '2020-01-01T09:00' })).toBe(409)
  const startsAt = { startsAt: '2090-01-01T09:00', acceptsBelow: 'yes' }
  expect(await statusOf('POST', `${path}/schedule`, startsAt)).toBe(204)
  expect(await statusOf('POST', `${path}/end`, { reason: 'A test' })).toBe(204)
  expect(await statusOf('POST', `${path}/discard`)).toBe(204)
  expect(await statusOf('POST', `${path}/discard`)).toBe(404)
  expect(await statusOf('POST', '/price-lists/admin-list/assign', { type: 'Nobody' })).toBe(400)
  expect(await statusOf('POST', '/price-lists/admin-list/assign', { type: 'Fleet' })).toBe(204)
  const { rows } = (await call('GET', '/price-lists')).body as { rows?: { id: string; fields: { type: unknown } }[] }
  expect(rows?.find(({ id }) => id === 'admin-list')?.fields.type).toBe('Fleet')
})

test('a program adds, changes, pauses and runs a supplier feed, and never reads its password', async () => {
  const draft = {
    name: 'Admin feed',
    kind: 'prices',
    mode: 'per-row',
    url: 'https://files.example.com/prices.csv',
    username: 'store',
    monday: true,
    times: '06:00, 14:30',
    maxPricePercent: 20,
  }
  expect((await call('POST', '/supplier-feeds', draft)).body.data).toEqual({
    password: 'Enter the password or the private key.',
  })
  const added = await call('POST', '/supplier-feeds', { ...draft, password: 'not-for-readers' })
  expect(added.status).toBe(201)
  const path = `/supplier-feeds/${String(added.body['id'])}`
  const { body: read } = await call('GET', path)
  expect(read).toMatchObject({ ...draft, tuesday: false })
  expect(JSON.stringify(read)).not.toContain('not-for-readers')
  expect(await statusOf('PUT', path, { ...read, maxPricePercent: 101 })).toBe(400)
  expect(await statusOf('PUT', path, { ...read, maxPricePercent: 30 })).toBe(204)
  expect(await statusOf('PUT', path, { ...read, maxPricePercent: 40 })).toBe(412)
  const { body: changed } = await call('GET', path)
  expect(changed).toMatchObject({ ...draft, maxPricePercent: 30 })
  expect(await statusOf('POST', `${path}/pause`, { version: changed['version'] })).toBe(204)
  expect(await statusOf('POST', `${path}/pause`, { version: changed['version'] })).toBe(412)
  const { version } = (await call('GET', path)).body
  expect(await statusOf('POST', `${path}/resume`, { version })).toBe(204)
  expect(await statusOf('POST', `${path}/run`)).toBe(204)
  const importer = await requestAdminToken(store, 'catalog.import')
  expect((await callAdminApi(store, importer, ['PUT', path], changed)).status).toBe(403)
})

test('a program changes and resets an email template, and manages answer templates', async () => {
  const path = '/email-templates/order-received'
  const { body: released } = await call('GET', path)
  const subject = `News: ${String(released['subject'])}`
  expect(await statusOf('PUT', path, { ...released, subject })).toBe(204)
  expect(await statusOf('PUT', path, { ...released, subject })).toBe(412)
  const { body: saved } = await call('GET', path)
  expect(saved).toMatchObject({ ...released, subject, version: saved['version'] })
  const wrong = await call('PUT', path, { ...saved, body: 'No variables' })
  expect([400, 409]).toContain(wrong.status)
  expect(Object.keys(wrong.body.data ?? {})).toEqual(['body'])
  expect(await statusOf('POST', `${path}/reset`, { version: saved['version'] })).toBe(204)
  expect((await call('GET', path)).body).toMatchObject({ subject: released['subject'], body: released['body'] })

  const template = { name: 'Admin answer', body: 'Your tires are here.' }
  const added = await call('POST', '/templates', template)
  expect(added.status).toBe(201)
  expect((await call('POST', '/templates', template)).body.data).toEqual({ name: 'Another template has this name.' })
  const answer = `/templates/${String(added.body['id'])}`
  expect((await call('GET', answer)).body).toEqual({ ...template, version: 1 })
  expect(await statusOf('PUT', answer, { ...template, version: 1, name: '' })).toBe(400)
  const arrived = { ...template, version: 1, body: 'Your tires arrived.' }
  expect(await statusOf('PUT', answer, arrived)).toBe(204)
  expect(await statusOf('PUT', answer, template)).toBe(412)
  expect((await call('GET', answer)).body).toEqual({ ...arrived, version: 2 })
  expect(await statusOf('POST', `${answer}/retire`)).toBe(204)
  expect(await statusOf('POST', `${answer}/retire`)).toBe(404)
})

test('a program adds a page, publishes and changes it, and takes it down', async () => {
  const text = {
    title: 'Winter tire storage',
    description: 'Where we store your tires until the next winter.',
    body: `Bring them any day. ${'We store them. '.repeat(400)}`.trim(),
  }
  const page = { ...text, formKey: randomUUID(), slug: 'admin-storage' }
  const taken = await call('POST', '/content', { ...page, slug: 'cart' })
  expect(taken.body.data).toEqual({ slug: 'The store uses this address already.' })
  const added = await call('POST', '/content', page)
  expect(added.status).toBe(201)
  const first = `/content-versions/${String(added.body['id'])}`
  expect((await call('GET', first)).body).toEqual(text)
  expect((await seePage('/admin-storage')).status).toBe(404)
  expect(await statusOf('POST', `${first}/publish`)).toBe(204)
  expect(await statusOf('POST', `${first}/publish`)).toBe(409)
  expect((await seePage('/admin-storage')).text).toContain('Bring them any day.')

  const next = { ...text, formKey: randomUUID(), page: 'admin-storage', body: 'Bring them on Mondays.' }
  const wrong = await call('POST', '/content-versions', { ...next, body: '{{noSuchValue}}' })
  expect(Object.keys(wrong.body.data ?? {})).toEqual(['body'])
  expect(await statusOf('POST', '/content-versions', { ...next, page: 'no-such-page' })).toBe(409)
  const second = `/content-versions/${String((await call('POST', '/content-versions', next)).body['id'])}`
  expect(await statusOf('POST', `${second}/schedule`, { startsAt: '2020-01-01T09:00' })).toBe(409)
  expect(await statusOf('POST', `${second}/schedule`, { startsAt: '2090-01-01T09:00' })).toBe(204)
  expect(await statusOf('POST', `${second}/withdraw`)).toBe(204)
  expect(await statusOf('POST', `${second}/publish`)).toBe(204)
  expect((await seePage('/admin-storage')).text).toContain('Bring them on Mondays.')
  expect(await statusOf('POST', `${first}/roll-back`, { formKey: randomUUID() })).toBe(204)
  expect((await seePage('/admin-storage')).text).toContain('Bring them any day.')
  expect(await statusOf('POST', '/content/admin-storage/take-down', { formKey: randomUUID() })).toBe(204)
  expect((await seePage('/admin-storage')).status).toBe(404)
})
