/** Tests that programs edit the catalog, recalls and redirects over the admin API, as staff do in the office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
let token: string
const owner = createVisitor()

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await addAdminClient(store, owner, 'owner')
  token = await requestAdminToken(store, 'catalog.edit catalog.read recalls.manage recalls.read redirects.edit')
})
afterAll(() => store[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
const statusOf = async (...asked: Parameters<typeof call>) => (await call(...asked)).status
const asShopper = (path: string) => createVisitor().ask(new URL(path, store.origin).href)
const readOffice = async (path: string) => (await owner.ask(new URL(path, store.origin).href)).text()
const reason = 'Discontinued.'

const model = { line: 'Path One', category: 'touring-all-season', tread: 'all-season', m_plus_s: 'yes', three_peak: 'no', ev: 'no' } // prettier-ignore
const tire = {
  sku: 'GRN-1', size: '225/65R17', load_index: '102', speed: 'H', load_class: 'SL', max_psi: '51', rim_width_min_in: '6',
  rim_width_max_in: '8', tread_depth_32nds: '10', weight_lb: '26.4', sidewall: 'BSW', run_flat: 'no', price: 12_990,
  gtin: '036000291452', mpn: 'P1-22565', origin_country: 'US',
} // prettier-ignore

test('a program adds a brand, a model and a tire, and changes, hides and retires them', async () => {
  const brand = await call('POST', '/brands', { brand: 'Grindle Co', brand_tier: 'mid', about: 'Made in Ohio.' })
  expect(brand.status).toBe(201)
  const brandPath = `/brands/${String(brand.body['id'])}`
  const twice = await call('POST', '/brands', { brand: 'GRINDLE CO', brand_tier: 'mid' })
  expect(twice).toMatchObject({
    status: 409,
    body: { data: { brand: 'A brand with this name or address already exists.' } },
  })
  const nowhere = await call('POST', '/models', { ...model, brandId: '999999999' })
  expect(nowhere).toMatchObject({ status: 404, body: { detail: 'Brand not found.' } })
  const line = await call('POST', '/models', { ...model, brandId: String(brand.body['id']) })
  expect(line.status).toBe(201)
  const modelId = String(line.body['id'])
  const wrong = await call('POST', '/catalog', { ...tire, modelId, gtin: '036000291453', price: 0 })
  expect(wrong.status).toBe(400)
  expect(Object.keys(wrong.body.data ?? {}).toSorted()).toEqual(['gtin', 'price'])
  const added = await call('POST', '/catalog', { ...tire, modelId })
  expect(added.status).toBe(201)
  const id = String(added.body['id'])
  const listed = await call('GET', `/catalog?line=${modelId}`)
  expect(listed.body).toMatchObject({ rows: [{ id, fields: { sku: 'GRN-1', modelId } }] })
  expect(await statusOf('POST', '/catalog', { ...tire, modelId })).toBe(409)
  const page = `/brands/grindle-co/path-one/p/${id}`
  const shown = await (await asShopper(page)).text()
  expect(shown).toContain('129.90')
  expect(shown).toContain('"mpn":"P1-22565"')

  const path = `/catalog/${id}`
  const read = (await call('GET', path)).body
  expect(read).toMatchObject({ ...tire, cost: null, map: null, fet: 0, ply_rating: '4' })
  const change = { ...read, price: 11_990, cost: 8_055, mpn: 'P1-NEW' }
  expect(await statusOf('PUT', path, change)).toBe(204)
  expect(await statusOf('PUT', path, { ...change, weight_lb: '30' })).toBe(412)
  const changed = (await call('GET', path)).body
  expect(changed).toMatchObject({ price: 11_990, cost: 8_055, mpn: 'P1-NEW', weight_lb: '26.4' })
  expect(await (await asShopper(page)).text()).toContain('119.90')
  const far = await call('PUT', path, { ...changed, price: 6_000 })
  expect(far).toMatchObject({ status: 409, body: { data: { acceptsBelow: expect.any(String) } } })
  // The role may, but the token may not.
  expect(await statusOf('PUT', path, { ...changed, price: 6_000, acceptsBelow: true })).toBe(409)
  expect(await statusOf('PUT', path, { ...changed, map: 9_000 })).toBe(409)
  const publisher = await requestAdminToken(store, 'catalog.edit catalog.publish promotions.edit')
  const accepted = { ...changed, price: 6_000, acceptsBelow: true }
  expect((await callAdminApi(store, publisher, ['PUT', path], accepted)).status).toBe(204)
  expect(await (await asShopper(page)).text()).toContain('60.00')

  for (const [record, taken, back] of [
    [path, 'hide', 'show'],
    [`/models/${modelId}`, 'retire', 'restore'],
    [brandPath, 'retire', 'restore'],
  ] as const) {
    expect((await call('POST', `${record}/${taken}`, { reason: '' })).body.data).toEqual({
      reason: 'Enter a reason for the audit log.',
    })
    expect(await statusOf('POST', `${record}/${taken}`, { reason }), record).toBe(204)
    expect((await asShopper(page)).status, record).toBe(404)
    expect(await statusOf('POST', `${record}/${back}`, { reason }), record).toBe(204)
    expect((await asShopper(page)).status, record).toBe(200)
  }
  expect(await verify(store.database.db, systemClock.now())).toEqual([])
})

test('a program changes the name, tier and description of a brand and a model', async () => {
  const brand = await call('POST', '/brands', { brand: 'Oak Ridge', brand_tier: 'value' })
  const brandId = String(brand.body['id'])
  const line = await call('POST', '/models', { ...model, line: 'Rain Two', brandId })
  for (const [path, name, other] of [
    [`/brands/${brandId}`, 'brand', 'Oak-Ridge'],
    [`/models/${String(line.body['id'])}`, 'line', 'Rain-Two'],
  ] as const) {
    const { body } = await call('GET', path)
    expect((await call('PUT', path, { ...body, [name]: 'Elsewhere' })).status, path).toBe(409)
    expect(await statusOf('PUT', path, { ...body, [name]: other }), path).toBe(204)
    expect(await statusOf('PUT', path, { ...body, [name]: other.toUpperCase() }), path).toBe(412)
    expect((await call('GET', path)).body[name]).toBe(other)

    const text = (await call('GET', `${path}/description`)).body
    expect(await statusOf('PUT', `${path}/description`, { ...text, about: 'Quiet on wet roads.' })).toBe(204)
    expect(await statusOf('PUT', `${path}/description`, { ...text, about: 'Loud.' })).toBe(412)
    expect((await call('GET', `${path}/description`)).body['about']).toBe('Quiet on wet roads.')
    const long = await call('PUT', `${path}/description`, { ...text, about: 'x'.repeat(2_001) })
    expect(long).toMatchObject({ status: 400, body: { data: { about: 'Please keep this under 2,000 characters.' } } })
  }
  expect(await readOffice(`/office/catalog/brands/${brandId}`)).toContain('Quiet on wet roads.')
  expect((await call('PUT', `/models/${String(line.body['id'])}`, { ...model, tread: 'x' })).body.data).toHaveProperty(
    'tread',
  )
})

test('a program adds, orders, changes, retires and restores tire types and categories', async () => {
  const draft = { name: 'Vintage', definition: 'For old cars.' }
  const unnamed = await call('POST', '/tire-types', { ...draft, name: '!' })
  expect(unnamed).toMatchObject({ status: 400, body: { data: { name: 'Enter a name with letters or digits.' } } })
  const type = await call('POST', '/tire-types', draft)
  expect(type).toMatchObject({ status: 201, body: { id: 'types-vintage' } })
  expect((await call('POST', '/tire-types', draft)).body.data).toEqual({
    name: 'A tire type with this name or address already exists.',
  })
  const whitewall = { name: 'Vintage whitewall', definition: 'For parades.', type: 'vintage' }
  const category = await call('POST', '/tire-types', { ...whitewall, after: 'studless-winter' })
  const path = `/tire-types/${String(category.body['id'])}`
  expect(path).toBe('/tire-types/categories-vintage-whitewall')
  const { body } = await call('GET', path)
  expect(body).toMatchObject({ ...whitewall, audience: '', after: 'studless-winter', placed: 'studless-winter' })
  const listed = await call('GET', '/tire-types')
  expect(listed.body).toMatchObject({ rows: expect.arrayContaining([expect.objectContaining({ id: path.slice(12) })]) })

  expect(await statusOf('PUT', path, { ...body, audience: 'Collectors.' })).toBe(204)
  expect(await statusOf('PUT', path, { ...body, audience: 'Others.' })).toBe(412)
  expect(await statusOf('PUT', path, { ...body, type: 'no-type', version: 2 })).toBe(409)
  const moved = { ...(await call('GET', path)).body, after: '' }
  expect(await statusOf('PUT', path, moved)).toBe(204)
  expect((await call('GET', path)).body).toMatchObject({ audience: 'Collectors.', after: '', placed: '' })

  const used = await call('POST', '/tire-types/types-vintage/retire', { reason })
  expect(used).toMatchObject({ status: 409, body: { detail: expect.stringContaining('1 category in use') } })
  expect(await statusOf('POST', `${path}/retire`, { reason })).toBe(204)
  expect(await statusOf('POST', '/tire-types/types-vintage/retire', { reason })).toBe(204)
  expect(await statusOf('POST', `${path}/restore`, { reason })).toBe(409)
  expect(await statusOf('POST', '/tire-types/types-vintage/restore', { reason })).toBe(204)
  expect(await readOffice('/office/tire-types/categories/vintage-whitewall')).toContain('Restore this category')
})

test('a program imports, publishes, extends and closes a recall', async () => {
  const draft = { campaign: '26t007', maker: 'Kestrel', defect: 'The tread may separate.', remedy: 'Replacement.' }
  const wrong = await call('POST', '/recalls', { ...draft, campaign: 'V-1', ranges: '7B3,KXYZ' })
  expect(wrong.status).toBe(400)
  expect(wrong.body.data).toEqual({
    campaign: 'Enter a number like 26T-004.',
    ranges: 'Row 1: needs plant, code, week from and week to.',
  })
  const ranges = '7B3,KXYZ,5025,0226'
  const unknown = await call('POST', '/recalls', { ...draft, maker: 'Nobody', ranges })
  expect(unknown).toMatchObject({ status: 409, body: { data: { maker: 'Manufacturer not found.' } } })
  expect(await call('POST', '/recalls', { ...draft, ranges })).toMatchObject({ status: 201, body: { id: '26T-007' } })
  expect(await statusOf('POST', '/recalls', { ...draft, ranges })).toBe(409)
  const path = '/recalls/26T-007'
  expect(await statusOf('POST', `${path}/extend`, { ranges })).toBe(409)
  expect(await statusOf('POST', `${path}/open`)).toBe(204)
  expect(await statusOf('POST', `${path}/open`)).toBe(409)
  expect(await statusOf('POST', `${path}/extend`, { ranges: 'x' })).toBe(400)
  expect(await statusOf('POST', `${path}/extend`, { ranges: '8Y8,,0126,0226' })).toBe(204)
  expect(await readOffice('/office/recalls/26T-007')).toContain('Plant 8Y8')
  expect(await call('GET', `${path}/tires`)).toMatchObject({ status: 200, body: { next: null } })
  expect(await statusOf('GET', '/recalls/26T-999/tires')).toBe(404)
  expect(await statusOf('GET', `${path}/tires?cursor=x`)).toBe(400)
  expect(await statusOf('POST', `${path}/close`)).toBe(204)
  expect(await statusOf('POST', `${path}/discard`)).toBe(409)
  await call('POST', '/recalls', { ...draft, campaign: '26T-008', ranges })
  expect(await statusOf('POST', '/recalls/26T-008/discard')).toBe(204)
  expect(await call('POST', '/recalls/26T-008/discard')).toMatchObject({
    status: 404,
    body: { detail: 'Recall not found.' },
  })
})

test('a program adds and removes a redirect', async () => {
  const wrong = await call('POST', '/redirects', { from: 'old', to: 'https://elsewhere.example' })
  expect(wrong).toMatchObject({ status: 400, body: { data: { from: expect.any(String), to: expect.any(String) } } })
  const added = await call('POST', '/redirects', { from: '/Old-Store/tires.html', to: '/tires' })
  expect(added).toMatchObject({ status: 201, body: { id: '/old-store/tires.html' } })
  expect((await asShopper('/old-store/tires.html')).headers.get('location')).toBe('/tires')
  expect((await call('POST', '/redirects', { from: '/older', to: '/old-store/tires.html' })).body.data).toHaveProperty(
    'to',
  )
  const path = `/redirects/${encodeURIComponent('/old-store/tires.html')}/remove`
  const read = await call('GET', `/redirects/${encodeURIComponent('/old-store/tires.html')}`)
  expect(read.body).toMatchObject({ to: '/tires', version: 1 })
  expect(await statusOf('POST', '/redirects', { from: '/old-store/tires.html', to: '/find' })).toBe(412)
  expect(await statusOf('POST', path, { version: 2 })).toBe(412)
  expect(await statusOf('POST', path, { version: 1 })).toBe(204)
  expect((await asShopper('/old-store/tires.html')).status).toBe(404)
  expect(await statusOf('POST', path, { version: 1 })).toBe(404)
})

test('hostile IDs and fields are refused, and nothing is changed', async () => {
  const before = (await call('GET', '/catalog/100001')).body
  const ids = ['0', '-1', '1e3', '99999999999', '9'.repeat(300), '9'.repeat(301), "'", '%00', '%2e%2e', '%ff', 'NaN', 'types-', 'types-%00', 'categories-__proto__'] // prettier-ignore
  const wrong: string[] = []
  for (const id of ids)
    for (const [method, path, body] of [
      ['GET', `/brands/${id}`, undefined],
      ['PUT', `/brands/${id}/description`, { about: 'x' }],
      ['PUT', `/models/${id}`, model],
      ['POST', `/models/${id}/retire`, { reason }],
      ['GET', `/catalog/${id}`, undefined],
      ['PUT', `/catalog/${id}`, tire],
      ['POST', `/catalog/${id}/hide`, { reason }],
      ['GET', `/tire-types/${id}`, undefined],
      ['PUT', `/tire-types/${id}`, { name: 'Vintage', definition: 'Old.' }],
      ['POST', `/recalls/${id}/open`, undefined],
      ['POST', `/redirects/${id}/remove`, { version: 1 }],
    ] as const) {
      const status = await statusOf(method, path, body)
      if (status !== 404 && status !== 400) wrong.push(`${method} ${path}: ${status}`)
    }
  for (const value of [1e300, -1, 0.5, '\0', "';--", 'x'.repeat(5_000), '١٢', true, [], {}, null])
    for (const field of ['price', 'fet', 'weight_lb', 'load_index', 'size', 'version', 'acceptsBelow', 'sku']) {
      const status = await statusOf('PUT', '/catalog/100001', { ...before, [field]: value, sku: '' })
      if (status !== 400) wrong.push(`${field} ${JSON.stringify(value).slice(0, 9)}: ${status}`)
    }
  for (const version of [-1, 0.5, 1e300, '1', 999_999_999, null]) {
    const status = await statusOf('PUT', '/tire-types/types-winter', { name: 'Winter', definition: 'Cold.', version })
    if (status !== 400 && status !== 412) wrong.push(`version ${String(version)}: ${status}`)
  }
  expect(wrong).toEqual([])
  expect((await call('GET', '/catalog/100001')).body).toEqual(before)
})
