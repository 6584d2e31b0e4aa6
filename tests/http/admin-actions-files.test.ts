/** Tests that programs import files and set pictures over the admin API, with the limits of the office's pages. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
    'catalog.read catalog.edit catalog.import catalog.publish redirects.edit promotions.edit shops.edit parcels.read orders.read orders.export',
  )
})
afterAll(() => store[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
const statusOf = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status

async function send(method: string, path: string, file: { type: string; bytes: string | Uint8Array<ArrayBuffer> }) {
  const answer = await fetch(`${store.origin}/api/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': file.type },
    body: file.bytes,
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
}

test('a program imports prices, reads the report, publishes, and rolls back', async () => {
  const [first, second] = await store.database.db
    .selectFrom('item')
    .select(['id', 'sku', 'retail_cents as cents'])
    .where('active', '=', true)
    .where('map_cents', 'is', null)
    .orderBy('id')
    .limit(2)
    .execute()
  if (!first || !second) return expect.unreachable('no tires')
  const priceOf = async (id: number) =>
    (await store.database.db.selectFrom('item').select('retail_cents').where('id', '=', id).executeTakeFirstOrThrow())
      .retail_cents
  const csv = `sku,price\n${first.sku},${((first.cents + 100) / 100).toFixed(2)}\nNO-SUCH-SKU,100.00\n`
  const key = randomUUID()
  const path = `/imports?kind=prices&mode=per-row&key=${key}&fileName=prices.csv`
  expect((await send('POST', path, { type: 'application/json', bytes: csv })).status).toBe(415)
  expect((await send('POST', '/imports?kind=prices&key=x&mode=per-row', { type: 'text/csv', bytes: csv })).status).toBe(
    400,
  )
  const added = await send('POST', path, { type: 'text/csv', bytes: csv })
  expect(added.status).toBe(201)
  // The same key starts one import.
  expect((await send('POST', path, { type: 'text/csv', bytes: csv })).body).toEqual(added.body)
  const run = `/imports/${String(added.body['id'])}`
  const report = await eventually('preview', async () => {
    const { body } = await call('GET', run)
    return body['state'] === 'waiting-for-yes' && body['previewedAt'] !== null ? body : undefined
  })
  expect(report).toMatchObject({
    kind: 'prices',
    rows: 2,
    rejected: 1,
    difference: [{ change: 'price-up', count: 1 }],
    problems: [{ row: 3, column: 'sku', value: 'NO-SUCH-SKU' }],
  })
  expect(await statusOf('POST', `${run}/publish`, { seen: 'another' })).toBe(409)
  expect(await statusOf('POST', `${run}/publish`, { seen: report['previewedAt'] })).toBe(204)
  await eventually('publication', async () => (await call('GET', run)).body['state'] === 'published' || undefined)
  expect(await priceOf(first.id)).toBe(first.cents + 100)
  expect(await statusOf('POST', `${run}/discard`, {})).toBe(409)
  expect(await statusOf('POST', `${run}/roll-back`, {})).toBe(204)
  await eventually('rollback', async () => (await call('GET', run)).body['state'] === 'rolled-back' || undefined)
  expect(await priceOf(first.id)).toBe(first.cents)

  const other = await send('POST', `/imports?kind=prices&mode=per-row&key=${randomUUID()}`, {
    type: 'text/csv',
    bytes: `Article,Amount\n${second.sku},100.00\n`,
  })
  expect(other.status).toBe(409)
  expect(JSON.stringify(other.body)).toContain('/office/imports/columns/')
  expect((await send('POST', path.replace(key, randomUUID()), { type: 'text/csv', bytes: '' })).status).toBe(409)
  expect(await statusOf('GET', '/imports/999999999')).toBe(404)
})

test('a program reads and removes a size list', async () => {
  const bytes = [
    'year,make,model,trim,class,front_size,front_load_index,front_speed,source,list,license,listed_on',
    '2020,Mazda,CX-5,Sport,suv,225/65R17,106,V,catalog,SizeData,Contract 17,2026-10-05',
  ].join('\n')
  const path = `/imports?kind=fitment&mode=per-row&key=${randomUUID()}&fileName=sizes.csv`
  const run = `/imports/${String((await send('POST', path, { type: 'text/csv', bytes })).body['id'])}`
  const seen = await eventually('preview', async () => {
    const { body } = await call('GET', run)
    return body['state'] === 'waiting-for-yes' ? (body['previewedAt'] ?? undefined) : undefined
  })
  expect(await statusOf('POST', `${run}/publish`, { seen })).toBe(204)
  await eventually('publication', async () => (await call('GET', run)).body['state'] === 'published' || undefined)
  const list = (await call('GET', '/size-lists/sizedata')).body
  expect(list).toEqual({ name: 'SizeData', license: 'Contract 17', listedOn: '2026-10-05', vehicles: 1, sizes: 1 })
  const remove = '/size-lists/sizedata/remove'
  const removal = { listedOn: list['listedOn'], reason: 'The contract ended.' }
  expect((await call('POST', remove, { ...removal, reason: '' })).status).toBe(400)
  // The import ends a moment after its publication.
  await eventually(
    'refusal of another date',
    async () => (await statusOf('POST', remove, { ...removal, listedOn: '2026-10-04' })) === 412 || undefined,
  )
  const importer = await requestAdminToken(store, 'catalog.read catalog.import')
  expect((await callAdminApi(store, importer, ['POST', remove], removal)).status).toBe(403)
  expect(await statusOf('POST', '/size-lists/open/remove', removal)).toBe(409)
  expect(await statusOf('POST', remove, removal)).toBe(204)
  expect(await statusOf('POST', remove, removal)).toBe(404)
})

test('a program cancels an import before it is published', async () => {
  const { sku } = await store.database.db.selectFrom('item').select('sku').limit(1).executeTakeFirstOrThrow()
  const csv = { type: 'text/csv', bytes: `sku,price\n${sku},123.45\n` }
  const added = await send('POST', `/imports?kind=prices&mode=per-row&key=${randomUUID()}`, csv)
  const run = `/imports/${String(added.body['id'])}`
  await eventually('preview', async () => (await call('GET', run)).body['isAtWork'] === false || undefined)
  expect(await statusOf('POST', `${run}/discard`, { reason: 'A test' })).toBe(204)
  expect((await call('GET', run)).body['state']).toBe('discarded')
  expect(await statusOf('POST', `${run}/publish`, {})).toBe(409)
})

test('a program sets the logo of a brand and the photos of a model, re-encoded and up to 1 MB', async () => {
  const { id: brandId } = await store.database.db
    .selectFrom('brand')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { id: lineId } = await store.database.db
    .selectFrom('product_line')
    .select('id')
    .where('brand_id', '=', brandId)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const png = new Uint8Array(
    await sharp({ create: { width: 40, height: 20, channels: 3, background: '#123456' } })
      .withExif({ IFD0: { Copyright: 'secret-place' } })
      .png()
      .toBuffer(),
  )
  const logo = `/brands/${brandId}/logo`
  const image = { type: 'image/png', bytes: png }
  expect((await send('PUT', logo, image)).status).toBe(204)
  const path = String((await call('GET', logo)).body['path'])
  const shown = await fetch(`${store.origin}${path}`)
  expect(shown.headers.get('content-type')).toBe('image/webp')
  expect(Buffer.from(await shown.arrayBuffer()).includes('secret-place')).toBe(false)
  const svg = { type: 'image/png', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
  expect((await send('PUT', logo, svg)).body['data']).toEqual({ file: expect.stringContaining('SVG isn’t accepted') })
  expect((await send('PUT', logo, { ...image, type: 'image/svg+xml' })).status).toBe(415)
  const large = new Uint8Array(1024 * 1024 + 1)
  large.set(png)
  expect((await send('PUT', logo, { ...image, bytes: large })).status).toBe(409)
  expect((await send('PUT', '/brands/999999999/logo', image)).status).toBe(404)
  expect(await statusOf('POST', `${logo}/remove`)).toBe(204)
  expect((await call('GET', logo)).body['path']).toBeNull()

  const pictures = `/models/${lineId}/pictures`
  const before = (await call('GET', pictures)).body['pictures'] as { picture: number }[]
  expect((await send('POST', pictures, image)).status).toBe(400)
  expect((await send('POST', `${pictures}?description=Tread`, image)).status).toBe(201)
  const after = (await call('GET', pictures)).body['pictures'] as {
    picture: number
    description: string
    version: string
  }[]
  expect(after).toHaveLength(before.length + 1)
  const added = after.find(({ description }) => description === 'Tread')
  const picture = added?.picture
  expect(await statusOf('POST', `${pictures}/move`, { picture, place: 1 })).toBe(204)
  expect(((await call('GET', pictures)).body['pictures'] as typeof after)[0]).toEqual(added)
  expect(await statusOf('POST', `${pictures}/move`, { picture: 999_999_999, place: 1 })).toBe(404)
  for (const place of [0, 7]) expect(await statusOf('POST', `${pictures}/move`, { picture, place })).toBe(400)
  const described = { picture, description: 'Tread with sipes', version: added?.version }
  expect(await statusOf('POST', `${pictures}/describe`, { ...described, description: ' ' })).toBe(400)
  expect(await statusOf('POST', `${pictures}/describe`, described)).toBe(204)
  expect(await statusOf('POST', `${pictures}/describe`, { ...described, description: 'Late' })).toBe(412)
  expect(((await call('GET', pictures)).body['pictures'] as typeof after)[0]?.description).toBe('Tread with sipes')
  expect(await statusOf('POST', `${pictures}/remove`, { picture: added?.picture })).toBe(204)
  expect((await call('GET', pictures)).body['pictures']).toHaveLength(before.length)

  const { id: itemId } = await store.database.db.selectFrom('item').select('id').orderBy('id').executeTakeFirstOrThrow()
  const own = `/catalog/${itemId}/pictures`
  expect((await send('POST', `${own}?description=Label`, image)).status).toBe(201)
  const [label] = (await call('GET', own)).body['pictures'] as typeof after
  const change = { picture: label?.picture, description: 'EU label', version: label?.version }
  expect(await statusOf('POST', `${own}/describe`, change)).toBe(204)
  expect(await statusOf('POST', `${own}/describe`, { ...change, description: 'Late' })).toBe(412)
  expect(await statusOf('POST', `${own}/move`, { picture: label?.picture, place: 1 })).toBe(204)
  expect(await statusOf('POST', `${own}/remove`, { picture: label?.picture })).toBe(204)
  expect((await call('GET', own)).body['pictures']).toEqual([])
  expect((await call('GET', '/catalog/999999999/pictures')).status).toBe(404)
})

test('a program imports coupons and gets an error per invalid cell', async () => {
  const head = `Code,Name,Kind,Amount,Subject,Funded by,Combines with promotions,Minimum in dollars,Suggested to customers,Maximum uses,Maximum per customer`
  const file = (code: string) => ({
    type: 'text/csv',
    bytes: `${head}\n${code},From a file,Percentage,5,,store,no,,no,10,1\n`,
  })
  const imported = await send('POST', '/coupons/import', file('APIFILE5'))
  expect(imported).toEqual({ status: 200, body: { drafted: 1, changed: 0 } })
  const wrong = await send('POST', '/coupons/import', file('no'))
  expect(wrong.status).toBe(409)
  expect(wrong.body['data']).toMatchObject({ file: 'Line 2, Code: Enter a code of 4 to 20 letters and digits.' })
  const narrow = await requestAdminToken(store, 'promotions.read')
  expect((await callAdminApi(store, narrow, ['POST', '/coupons/import'])).status).toBe(403)
  expect((await callAdminApi(store, narrow, ['POST', '/rebates/import'])).status).toBe(403)
})

test('a program imports shops', async () => {
  const head = 'Shop,Name,Shop or van,Street address,City name,ZIP code,Phone number,Owner’s name,Owner’s email'
  const file = (kind: string) => ({
    type: 'text/csv',
    bytes: `${head}\n,Program Tire,${kind},12 Depot St,Chicago,60614,7735550188,Ida,ida@program.example\n`,
  })
  expect(await send('POST', '/shops/import', file('van'))).toEqual({ status: 200, body: { added: 1, changed: 0 } })
  const wrong = await send('POST', '/shops/import', file('boat'))
  expect(wrong.status).toBe(409)
  expect(wrong.body['data']).toMatchObject({ file: 'Line 2, Shop or van: Choose a tire shop or a van.' })
  const narrow = await requestAdminToken(store, 'promotions.read')
  expect((await callAdminApi(store, narrow, ['POST', '/shops/import'])).status).toBe(403)
})

test('a program imports rebates', async () => {
  const head = 'Rebate,Amount,Tires,Payment,Subject,First purchase day,Last purchase day,Last claim day,Claim form'
  const row = 'From a file,60,4,check,no-such-brand,2026-12-01,2026-12-31,2027-01-31,https://maker.example/claim'
  const wrong = await send('POST', '/rebates/import', { type: 'text/csv', bytes: `${head}\n${row}\n` })
  expect(wrong.status).toBe(409)
  expect(wrong.body['data']).toMatchObject({ file: 'Line 2, Subject: Brand or model not found in the catalog.' })
})

test('a program imports redirects and gets an error per invalid row', async () => {
  const csv = (rows: string) => ({ type: 'text/csv', bytes: `from,to\n${rows}` })
  const imported = await send('POST', '/redirects/import', csv('/old-a.html,/tires\n/old-b.html,/find\n'))
  expect(imported).toEqual({ status: 200, body: { redirects: 2 } })
  expect((await call('GET', '/redirects/%2Fold-a.html')).body).toEqual({
    from: '/old-a.html',
    to: '/tires',
    version: 1,
  })
  const wrong = await send('POST', '/redirects/import', csv('/old-c.html,/tires\nno path,/tires\n/old-a.html,x\n'))
  expect(wrong.status).toBe(409)
  expect(wrong.body['data']).toMatchObject({ file: expect.stringMatching(/Row 3: .*Row 4: /) })
  expect((await call('GET', '/redirects/%2Fold-c.html')).status).toBe(404)
  const narrow = await requestAdminToken(store, 'catalog.read')
  expect((await callAdminApi(store, narrow, ['POST', '/redirects/import'])).status).toBe(403)
})

test('a program downloads pick lists and packing slips that its permissions include', async () => {
  const file = async (scope: string, path: string) => {
    const answer = await fetch(`${store.origin}/api/admin${path}`, {
      headers: { authorization: `Bearer ${await requestAdminToken(store, scope)}` },
    })
    const { status, headers } = answer
    const start = Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 5)
    return { status, type: headers.get('content-type'), start }
  }
  const pdf = { status: 200, type: 'application/pdf', start: '%PDF-' }
  expect(await file('parcels.read', '/parcels/pick-list.pdf')).toEqual(pdf)
  expect((await file('stock.read', '/parcels/pick-list.pdf')).status).toBe(403)
  const { id } = await store.database.db
    .selectFrom('shipment')
    .innerJoin('sales_order as o', 'o.id', 'shipment.order_id')
    .select('shipment.id')
    .where('o.fulfillment', '=', 'home')
    .where('o.released_at', 'is not', null)
    .where('shipment.state', '=', 'delivered')
    .orderBy('shipment.id')
    .executeTakeFirstOrThrow()
  expect(await file('parcels.read customers.read', `/parcels/${id}/packing-slip.pdf`)).toEqual(pdf)
  expect((await file('parcels.read', `/parcels/${id}/packing-slip.pdf`)).status).toBe(403)
  const { order_id: number } = await store.database.db
    .selectFrom('shipment')
    .select('order_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await file('parcels.read customers.read', `/orders/packing-slips.pdf?orders=S-${number},S-1`)).toEqual(pdf)
  expect((await file('parcels.read', `/orders/packing-slips.pdf?orders=S-${number}`)).status).toBe(403)
  expect((await file('parcels.read', '/orders/packing-slips.pdf')).status).toBe(400)
  expect(await file('parcels.read customers.read', `/parcels/packing-slips.pdf?parcels=${id}`)).toEqual(pdf)
  expect((await file('parcels.read', `/parcels/packing-slips.pdf?parcels=${id}`)).status).toBe(403)
  expect((await file('parcels.read', `/parcels/labels.zpl?parcels=${id}`)).status).toBe(403)
  for (const name of ['label.pdf', 'label.zpl'])
    expect((await file('parcels.ship', `/parcels/999999999/${name}`)).status, name).toBe(404)
})
