/** Tests price rules in the office and the admin API, from the first preview to the published prices. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let brand: { id: number; name: string }
const [clerk, manager, owner, support] = [createVisitor(), createVisitor(), createVisitor(), createVisitor()]

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await addAdminClient(store, owner, 'owner')
  brand = await store.database.db
    .selectFrom('brand')
    .innerJoin('product_line as line', 'line.brand_id', 'brand.id')
    .innerJoin('item', 'item.product_line_id', 'line.id')
    .select(['brand.id', 'brand.name'])
    .where('item.active', '=', true)
    .where('item.cost_cents', 'is not', null)
    .groupBy('brand.id')
    .having((eb) => eb.fn.countAll(), '>', 5)
    .orderBy('brand.id')
    .limit(1)
    .executeTakeFirstOrThrow()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => new URL(path, store.origin).href
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const pageOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')

/** The brand's active tires with their prices and catalog costs. */
const tires = () =>
  store.database.db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .select(['sku', 'retail_cents as cents', 'cost_cents as cost'])
    .where('line.brand_id', '=', brand.id)
    .where('item.active', '=', true)
    .orderBy('item.id')
    .execute()

/** Uploads a file of competitors' prices in the office, publishes it, and returns the page of its preview. */
async function publishFile(content: string): Promise<string> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ key: newId(), kind: 'competitor-prices', mode: 'per-row' }))
    form.set(name, value)
  form.set('file', new File([content], 'competitors.csv', { type: 'text/csv' }))
  const sent = await manager.ask(at('/office/imports'), { form })
  const path = (sent.headers.get('location') ?? '').replace(/\?.*/, '')
  await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Ready to publish')
  const page = await read(manager, path)
  const seen = /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ''
  await manager.ask(at(path), { form: { intent: 'publish', reason: '', seen } })
  await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Roll back')
  return page
}

const rule = () => ({
  brandId: String(brand.id),
  supplierId: '',
  markup: '37.5',
  add: '2.00',
  margin: '20',
  map: '1',
  ending: '99',
  version: '0',
})

test('a rule is previewed, saved once, and changes prices only with its published import', async () => {
  const page = '/office/price-rules'
  expect((await support.ask(at(page))).status).toBe(403)
  expect((await support.ask(at(page), { form: { intent: 'add', ...rule() } })).status).toBe(403)
  const wrong = await clerk.ask(at(`${page}?rule=new`), { form: { intent: 'add', ...rule(), margin: '95' } })
  expect(wrong.status).toBe(422)
  const again = await pageOf(wrong)
  expect(again).toContain('Enter a percentage from 0 to 90, such as 8.')
  expect(again).toContain('value="37.5"')
  const none = await clerk.ask(at(`${page}?rule=new`), { form: { intent: 'add', ...rule(), brandId: '999999' } })
  expect(none.status).toBe(422)

  const beaten = await clerk.ask(at(`${page}?rule=new`), { form: { intent: 'add', ...rule(), beat: '2' } })
  expect(beaten.status).toBe(422)
  expect(await pageOf(beaten)).toContain('Enter 1 to 365 days.')

  const before = await tires()
  const shown = await pageOf(await clerk.ask(at(`${page}?rule=new`), { form: { intent: 'preview', ...rule() } }))
  expect(shown).toContain('Changed prices')
  expect(shown).toMatch(/Lowest margin<\/dt><dd[^>]*>\d\d\.\d%/)
  expect(shown).toContain('Largest changes')
  expect(await read(clerk, page)).toContain('No rules yet.')

  const added = await clerk.ask(at(`${page}?rule=new`), { form: { intent: 'add', ...rule() } })
  expect(added.headers.get('location')).toBe(`${page}?done=saved`)
  const listed = await read(clerk, page)
  expect(listed).toContain('Cost plus 37.5% and $2.00, margin of at least 20%, MAP or more, ending in .99')
  const twice = await clerk.ask(at(`${page}?rule=new`), { form: { intent: 'add', ...rule() } })
  expect(twice.status).toBe(409)
  expect(await pageOf(twice)).toContain('This brand and supplier already have a rule.')
  expect(await tires()).toEqual(before)

  const id = /\?rule=(\d+)/.exec(listed)?.[1] ?? ''
  const change = { intent: 'change', ...rule(), rule: id, markup: '40', version: '1' }
  expect((await manager.ask(at(`${page}?rule=${id}`), { form: change })).status).toBe(303)
  const late = await clerk.ask(at(`${page}?rule=${id}`), { form: { ...change, markup: '99' } })
  expect(late.status).toBe(409)
  expect(await pageOf(late)).toContain('Saved now: 40')

  const key = newId()
  const presses = await Promise.all(
    Array.from({ length: 5 }, () => clerk.ask(at(page), { form: { intent: 'publish', key } })),
  )
  const made = [...new Set(presses.flatMap((answer) => answer.headers.get('location') ?? []))]
  expect(made).toEqual([expect.stringMatching(/^\/office\/imports\/\d+\?done=uploaded$/)])
  const run = made[0]?.replace(/\?.*/, '') ?? ''
  await expect.poll(() => read(clerk, run), { timeout: 30_000 }).toContain('Ready to publish')
  expect(await tires()).toEqual(before)
  const seen = /name="seen" value="([^"]*)"/.exec(await read(manager, run))?.[1] ?? ''
  await manager.ask(at(run), { form: { intent: 'publish', reason: 'New margins.', seen } })
  await expect.poll(() => read(manager, run), { timeout: 30_000 }).toContain('Roll back')
  const after = await tires()
  expect(after).not.toEqual(before)
  for (const { sku, cents, cost } of after) {
    expect(cents % 100, sku).toBe(99)
    expect((cents - (cost ?? 0)) / cents, sku).toBeGreaterThanOrEqual(0.2)
  }
  const nothing = await clerk.ask(at(page), { form: { intent: 'publish', key: newId() } })
  expect(nothing.status).toBe(409)
  expect(await pageOf(nothing)).toContain('These rules change no prices.')

  expect((await clerk.ask(at(page), { form: { intent: 'remove', rule: id, version: '1' } })).status).toBe(409)
  const removed = await clerk.ask(at(page), { form: { intent: 'remove', rule: id, version: '2' } })
  expect(removed.headers.get('location')).toBe(`${page}?done=removed`)
  expect(await read(owner, '/office/audit')).toContain('Removed a price rule')
})

test('a supplier’s freight is in the preview, and isn’t removed by a program that sends back what it read', async () => {
  const token = await requestAdminToken(store, 'suppliers.manage suppliers.read')
  const call = (method: string, body?: unknown) => callAdminApi(store, token, [method, '/suppliers/1'], body)
  const priced = { intent: 'preview', ...rule(), brandId: '', supplierId: '1' }
  const preview = async () => pageOf(await clerk.ask(at('/office/price-rules?rule=new'), { form: priced }))
  expect((await call('PUT', { ...(await call('GET')).body, freight: null })).status).toBe(204)
  expect(await preview()).not.toContain('With freight in the cost')
  const { body: before } = await call('GET')
  expect(before).toMatchObject({ freight: null })
  expect((await call('PUT', { ...before, freight: 50_001 })).status).toBe(400)
  expect((await call('PUT', { ...before, freight: 450 })).status).toBe(204)
  const { body: after } = await call('GET')
  expect(after).toMatchObject({ freight: 450 })
  expect((await call('PUT', after)).status).toBe(204)
  expect((await call('GET')).body).toMatchObject({ freight: 450 })
  expect(await preview()).toMatch(/With freight in the cost<\/dt><dd[^>]*>[1-9]/)
})

test('a file of competitors’ prices is in the preview and in the price of a rule', async () => {
  const { db } = store.database
  const tire = await db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .select(['item.id', 'sku', 'mpn', 'cost_cents as cost'])
    .where('line.brand_id', '=', brand.id)
    .where('item.active', '=', true)
    .where('item.mpn', 'is not', null)
    .where('map_cents', 'is', null)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const price = Math.round((tire.cost ?? 0) * 1.3)
  const file = `mpn,brand,competitor,price_cents,seen_on\n${tire.mpn},${brand.name},Harbor Tire,${price},2026-11-19\nNOT-CARRIED,${brand.name},Harbor Tire,${price},2026-11-19\n`
  const token = await requestAdminToken(store, 'catalog.import catalog.publish catalog.read')
  const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
  const run = await publishFile(file)
  expect(run).toContain('New competitor prices')
  expect(run).toContain('NOT-CARRIED')

  const draft = {
    brandId: brand.id,
    markup: '60',
    margin: '',
    map: true,
    days: 365,
    beat: '1',
    beatBy: 50,
    ending: 'exact',
  }
  const added = await call('POST', '/price-rules', draft)
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  const path = `/price-rules/${String(added.body['id'])}`
  expect((await call('GET', path)).body).toMatchObject({ days: 365, beat: '1', beatBy: 50 })
  const page = await read(clerk, '/office/price-rules')
  expect(page).toContain('beats competitors’ prices of the last 365 days by 1% and $0.50')
  const preview = await pageOf(await clerk.ask(at('/office/price-rules'), { form: { intent: 'preview-all' } }))
  expect(preview).toMatch(/Reduced to competitors<\/dt><dd[^>]*>1</)
  const { rows } = (await call('GET', '/price-rules')).body as { rows: { label: string }[] }
  expect(rows[0]?.label).toContain('beats competitors’ prices')
  expect((await call('POST', `${path}/remove`, { version: 1 })).status).toBe(204)

  const list = '/office/competitor-prices'
  const runNo = /Import (\d+)/.exec(run)?.[1]
  const listed = await read(clerk, `${list}?sku=${tire.sku.slice(0, 4).toLowerCase()}&competitor=harbor`)
  for (const text of [tire.sku, 'Harbor Tire', 'Nov 19, 2026', `Import ${runNo}`]) expect(listed).toContain(text)
  for (const filter of ['sku=no-such', 'competitor=depot'])
    expect(await read(clerk, `${list}?${filter}`)).not.toContain('Harbor Tire')
  expect(await read(owner, '/office/export/competitor-prices')).toContain(
    `Harbor Tire,${(price / 100).toFixed(2)},2026-11-19,${runNo}`,
  )
  const prices = (await call('GET', '/competitor-prices')).body['rows'] as { id: string; fields: object }[]
  expect(prices.map(({ fields }) => fields)).toEqual([
    expect.objectContaining({
      sku: tire.sku,
      competitor: 'Harbor Tire',
      price,
      seen: '2026-11-19',
      run: Number(runNo),
    }),
  ])
  const id = prices[0]?.id
  const remove = '/office/bulk/remove-competitor-prices'
  const form = { intent: 'do', [`row-${id}`]: newId() }
  expect((await clerk.ask(at(remove), { form })).status).toBe(403)
  expect(await read(owner, `${remove}?price=${id}`)).toContain(`${tire.sku} at Harbor Tire`)
  expect((await owner.ask(at(remove), { form })).status).toBe(200)
  expect(await read(owner, list)).not.toContain('Harbor Tire')
  expect(await read(owner, '/office/audit')).toContain('Removed a competitor’s price')
  expect(await db.selectFrom('competitor_price').selectAll().execute()).toEqual([])
})

test('a program adds, reads, changes, and removes rules, and makes their import', async () => {
  const token = await requestAdminToken(store, 'catalog.import catalog.read')
  const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
  const draft = { brandId: brand.id, markup: '50', margin: '', map: true, ending: '95', add: 150 }
  const wrong = await call('POST', '/price-rules', { ...draft, ending: '42' })
  expect(wrong).toMatchObject({
    status: 400,
    body: { data: { ending: expect.stringContaining('Send `ending` as one of') } },
  })
  const added = await call('POST', '/price-rules', draft)
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  expect((await call('POST', '/price-rules', draft)).status).toBe(409)
  const path = `/price-rules/${String(added.body['id'])}`
  const saved = (await call('GET', path)).body
  expect(saved).toMatchObject({ ...draft, supplierId: null, margin: '0', version: 1 })
  expect((await call('PUT', path, { ...saved, markup: '45' })).status).toBe(204)
  expect((await call('PUT', path, { ...saved, markup: '46' })).status).toBe(412)
  const { body } = await call('GET', '/price-rules')
  expect(body['rows']).toEqual([
    { id: added.body['id'], label: `${brand.name} tires: Cost plus 45% and $1.50, MAP or more, ending in .95` },
  ])
  const made = await call('POST', '/price-rules/publish', { key: newId() })
  expect(made.status).toBe(200)
  const previewed = async () => (await call('GET', `/imports/${String(made.body['import'])}`)).body
  await expect.poll(previewed, { timeout: 30_000 }).toMatchObject({ kind: 'prices', state: 'waiting-for-yes' })
  expect((await call('POST', `${path}/remove`, { version: 2 })).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
})
