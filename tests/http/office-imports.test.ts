/**
 * Tests imports in the office over sockets. They're uploaded in pieces, previewed by the worker, published, and rolled
 * back. Over 400 lines: cases that share the upload.
 */
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acesFile } from '#domain/catalog/catalog-import/aces.testing.ts'
import { maxUploadBytes } from '#domain/catalog/catalog-import/catalog-import.ts'
import { piesFile } from '#domain/catalog/catalog-import/pies.testing.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [clerk, manager, support] = [createVisitor(), createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const db = () => store.database.db
const at = (path: string) => new URL(path, store.origin).href
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const items = (count: number) =>
  db()
    .selectFrom('item')
    .select(['sku', 'retail_cents'])
    .where('active', '=', true)
    .orderBy('id')
    .limit(count)
    .execute()

type Sent = { kind?: string; mode?: string; key?: string; content?: BlobPart | null }

async function send(visitor: Visitor, { kind = 'prices', mode = 'per-row', key = newId(), content = null }: Sent) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ key, kind, mode })) form.set(name, value)
  if (content !== null) form.set('file', new File([content], 'prices.csv', { type: 'text/csv' }))
  return visitor.ask(at('/office/imports'), { form })
}

/** Uploads a price file, and returns the address of its run once it is previewed. */
async function preview(factor: number, count = 2): Promise<string> {
  const rows = (await items(count)).map(({ sku, retail_cents }) => `${sku},${Math.round(retail_cents * factor)}`)
  const sent = await send(clerk, { content: ['sku,price_cents', ...rows, 'NOT-OURS,100'].join('\n') })
  const location = sent.headers.get('location') ?? ''
  expect(sent.status).toBe(303)
  expect(location).toMatch(/^\/office\/imports\/\d+\?done=uploaded$/)
  await expect.poll(() => read(clerk, location), { timeout: 30_000 }).toContain('Ready to publish')
  return location.replace(/\?.*/, '')
}

async function act(visitor: Visitor, path: string, intent: string, reason = ''): Promise<Response> {
  const seen = /name="seen" value="([^"]*)"/.exec(await read(visitor, path))?.[1] ?? ''
  return visitor.ask(at(path), { form: { intent, reason, seen } })
}

test('an export from Shopify is imported by matching its columns, and the next one is matched already', async () => {
  const content = await readFile(
    new URL('../../domain/catalog/catalog-import/fixtures/shopify-products.csv', import.meta.url),
    'utf8',
  )
  const sent = await send(clerk, { kind: 'products', content })
  const location = sent.headers.get('location') ?? ''
  expect(location).toMatch(/^\/office\/imports\/columns\/[-0-9a-f]{36}\?kind=products&mode=per-row$/)
  const page = await read(clerk, location)
  expect(page).toContain('Products in prices.csv')
  expect(page).toMatch(/<option value="variant sku" selected="">variant sku: BR-2657017<\/option>/)
  // Another team member does not see the file.
  expect((await manager.ask(at(location))).status).toBe(404)

  const empty = await clerk.ask(at(location), {
    form: { 'from.sku': 'no such column', 'text.brand': 'Brule' },
  })
  expect(empty.status).toBe(422)
  const faulty = (await empty.text()).replaceAll('<!-- -->', '')
  expect(faulty).toContain('This column is not in the file.')
  expect(faulty).toContain('Choose a column, or enter a value for all rows.')
  expect(faulty).toContain('value="Brule"')

  const started = await clerk.ask(at(location), {
    form: { ...chosenIn(page), 'text.category': 'all-terrain', 'text.brand_tier': 'mid' },
  })
  const run = started.headers.get('location') ?? ''
  expect(run).toMatch(/^\/office\/imports\/\d+\?done=uploaded$/)
  await expect.poll(() => read(clerk, run), { timeout: 30_000 }).toContain('Ready to publish')
  const previewed = await read(clerk, run)
  for (const sku of ['BR-2657017', 'BR-2757018', 'BV-2256517']) expect(previewed).toContain(sku)

  const again = await send(clerk, { kind: 'products', content })
  expect(await read(clerk, again.headers.get('location') ?? '')).toContain('value="all-terrain"')
  expect((await act(clerk, run.replace(/\?.*/, ''), 'discard')).status).toBe(303)
})

test('an export from WooCommerce is imported by matching its columns, with the variations of its products', async () => {
  const content = await readFile(
    new URL('../../domain/catalog/catalog-import/fixtures/woocommerce-products.csv', import.meta.url),
    'utf8',
  )
  const location = (await send(clerk, { kind: 'products', content })).headers.get('location') ?? ''
  expect(location).toMatch(/^\/office\/imports\/columns\//)
  const chosen = chosenIn(await read(clerk, location))
  expect(chosen).toMatchObject({
    'from.sku': 'sku',
    'from.line_about': 'description',
    'from.max_psi': 'attribute: max psi',
  })
  const started = await clerk.ask(at(location), {
    form: {
      ...chosen,
      'text.category': 'all-terrain',
      'text.tread': 'all-terrain',
      'text.brand_tier': 'mid',
      'text.rim_width_max_in': '9',
    },
  })
  const run = started.headers.get('location') ?? ''
  expect(run).toMatch(/^\/office\/imports\/\d+\?done=uploaded$/)
  await expect.poll(() => read(clerk, run), { timeout: 30_000 }).toContain('Ready to publish')
  const previewed = await read(clerk, run)
  for (const sku of ['MOSS-31', 'MOSS-245']) expect(previewed.includes(sku), sku).toBe(true)
  expect(previewed).toContain('Moss Trail<')
  expect((await act(clerk, run.replace(/\?.*/, ''), 'discard')).status).toBe(303)
})

test('the page of a published products file lists its pictures that could not be loaded', async () => {
  const content = [
    'sku,brand,brand_tier,line,category,tread,size,load_index,speed,load_class,rim_width_min_in,rim_width_max_in,max_psi,tread_depth_32nds,weight_lb,price,picture_url',
    'PIC-1,Pictura,mid,Lux,touring-all-season,all-season,225/65R17,102,H,SL,6,8,51,10,26.4,129.90,https://127.0.0.1:1025/lux.png',
  ].join('\n')
  const sent = await send(clerk, { kind: 'products', content })
  const location = sent.headers.get('location') ?? ''
  await expect.poll(() => read(clerk, location), { timeout: 30_000 }).toContain('Ready to publish')
  const path = location.replace(/\?.*/, '')
  await act(clerk, path, 'publish')
  await expect.poll(() => read(clerk, path), { timeout: 30_000 }).toContain('1 picture could not be loaded.')
  const page = await read(clerk, path)
  expect(page).toMatch(
    /https:\/\/127\.0\.0\.1:1025\/lux\.png<\/th><td[^>]*>The address is not on the public internet\./,
  )
  await act(clerk, path, 'roll-back')
  await expect.poll(() => read(clerk, path), { timeout: 30_000 }).toContain('Rolled back')
  expect(await read(clerk, path)).not.toContain('could not be loaded')
})

test('a manager removes an imported size list, and shoppers no longer get its sizes', async () => {
  const content = [
    'year,make,model,trim,class,front_size,front_load_index,front_speed,source,list,license,listed_on',
    '2020,Mazda,CX-5,Sport,suv,225/65R17,106,V,catalog,SizeData,Contract 17,2026-10-05',
  ].join('\n')
  const sent = await send(manager, { kind: 'fitment', content })
  const location = sent.headers.get('location') ?? ''
  await expect.poll(() => read(manager, location), { timeout: 30_000 }).toContain('Ready to publish')
  await act(manager, location.replace(/\?.*/, ''), 'publish')
  const sizes = () => read(createVisitor(), '/vehicles/mazda/cx-5/2020?trim=sport')
  await expect.poll(sizes, { timeout: 30_000 }).toContain('We look for 106V')

  const lists = await read(manager, '/office/size-lists')
  expect(lists.indexOf('SizeData')).toBeLessThan(lists.indexOf('List of original sizes'))
  const path = '/office/size-lists/sizedata'
  const page = await read(manager, path)
  for (const text of ['Contract 17', 'Oct 5, 2026', '1 of 2']) expect(page).toContain(text)
  const form = { intent: 'remove', listedOn: '2026-10-05', reason: 'The contract ended.' }
  // A clerk imports files, but may not remove what they brought.
  expect(await read(clerk, path)).not.toContain('Remove this list')
  expect((await clerk.ask(at(path), { form })).status).toBe(403)
  const unexplained = await manager.ask(at(path), { form: { ...form, reason: '' } })
  expect(unexplained.status).toBe(422)
  expect(await unexplained.text()).toContain('Enter a reason for the audit log.')
  const late = await manager.ask(at(path), { form: { ...form, listedOn: '2026-10-01' } })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('The contract ended.</textarea>')
  expect(await read(manager, '/office/size-lists/open')).not.toContain('Remove this list')

  const removed = await manager.ask(at(path), { form })
  expect(removed.headers.get('location')).toBe('/office/size-lists?done=removed')
  expect(await read(manager, '/office/size-lists?done=removed')).not.toContain('SizeData')
  expect((await manager.ask(at(path))).status).toBe(404)
  await expect.poll(sizes).toContain('We look for 102H')
})

test('an ACES catalog is published after its codes, and its conditions appear in fitment results', async () => {
  const item = await db()
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'size_id')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['item.id', 'mpn', 'brand.name as brand'])
    .where('designation', '=', '235/60R18')
    .where('load_index', '>=', 103)
    .where('speed', '=', 'H')
    .where('active', '=', true)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const publish = async (kind: string, content: string, preview: readonly string[]) => {
    const sent = await send(manager, { kind, content })
    const location = sent.headers.get('location') ?? ''
    await expect.poll(() => read(manager, location), { timeout: 30_000 }).toContain('Ready to publish')
    const path = location.replace(/\?.*/, '')
    const page = await read(manager, path)
    for (const text of preview) expect(page).toContain(text)
    await act(manager, path, 'publish')
    await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Published')
    return path
  }
  const codes = `kind,code,year,make,model,name\nbase-vehicle,5911,2019,Honda,CR-V,\nbrand,BBSV,,,,${item.brand}`
  const codesPath = await publish('vehicle-codes', codes, ['New codes', 'base-vehicle 5911', '2019 Honda CR-V'])
  const applications = [
    { part: item.mpn ?? '', more: '<Note>Without the towing package</Note>' },
    { part: 'NOT-CARRIED' },
    { part: item.mpn ?? '', vehicle: '<BaseVehicle id="99"/>' },
  ]
  const catalogPath = await publish('brand-fitment', acesFile(applications), [
    'Vehicles added, by item',
    'Part numbers not in the catalog',
    'NOT-CARRIED',
    'is not a known vehicle',
  ])

  const vehicle = await db()
    .selectFrom('vehicle')
    .innerJoin('oe_fitment', 'vehicle_id', 'vehicle.id')
    .select(['vehicle.id', 'oe_fitment.id as fitment'])
    .where('year', '=', 2019)
    .where('make_slug', '=', 'honda')
    .where('model_slug', '=', 'cr-v')
    .where('front_size', '=', '235/60R18')
    .orderBy('vehicle.id')
    .executeTakeFirstOrThrow()
  const chosen = encodeChosenVehicle({
    vehicleId: vehicle.id,
    fitmentId: vehicle.fitment,
    year: 2019,
    makeSlug: 'honda',
    modelSlug: 'cr-v',
    name: '2019 Honda CR-V',
    confirmed: true,
    label: null,
  })
  const answer = await fetch(at(`/api/fitment?vehicle=${encodeURIComponent(chosen)}&item=${item.id}`))
  expect(await answer.json()).toMatchObject({
    verdict: 'fits_with_conditions',
    conditions: [{ code: 'C-BRAND', text: expect.stringContaining('“Without the towing package”') }],
    notes: ['Sunder & Vale lists this tire for your vehicle in its catalog of October 5, 2026.'],
  })
  const page = await read(manager, `/office/catalog/items/${item.id}`)
  for (const text of ['Vehicles listed by the brand', '2019 Honda CR-V', 'Without the towing package'])
    expect(page).toContain(text)
  for (const path of [catalogPath, codesPath]) {
    await act(manager, path, 'roll-back')
    await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Rolled back')
  }
})

test('a PIES file updates tires after its preview, names the line of a bad item, and is rolled back', async () => {
  const item = await db()
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['item.id', 'sku', 'mpn', 'gtin', 'weight_lb', 'brand.name as brand'])
    .where('active', '=', true)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const part = item.mpn ?? item.sku
  const label = `<BrandLabel>${item.brand}</BrandLabel>`
  const broken = await send(manager, { kind: 'item-data', content: piesFile([{ part, more: label }], { count: 2 }) })
  const refusedAt = broken.headers.get('location') ?? ''
  await expect.poll(() => read(manager, refusedAt), { timeout: 30_000 }).toContain('the trailer counts 2 items')

  const content = piesFile(
    [
      { part, gtin: '012345678905', pounds: 61.5, more: label },
      { part, gtin: '012345678906', more: label },
      { part: 'NOT-CARRIED', more: label },
    ],
    { header: { BrandOwnerAAIAID: '' } },
  )
  const sent = await send(manager, { kind: 'item-data', content })
  const location = sent.headers.get('location') ?? ''
  expect(location).toMatch(/^\/office\/imports\/\d+\?done=uploaded$/)
  await expect.poll(() => read(manager, location), { timeout: 30_000 }).toContain('Ready to publish')
  const path = location.replace(/\?.*/, '')
  const page = await read(manager, path)
  for (const text of [
    'Item data (PIES)',
    'gtin 012345678905',
    'to 61.5',
    'Part numbers not in the catalog',
    'NOT-CARRIED',
    'has a wrong check digit (line 6)',
  ])
    expect(page).toContain(text)
  await act(manager, path, 'publish')
  await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Published')
  const stored = () =>
    db().selectFrom('item').select(['gtin', 'mpn', 'weight_lb']).where('id', '=', item.id).executeTakeFirstOrThrow()
  expect(await stored()).toEqual({ gtin: '012345678905', mpn: part, weight_lb: 61.5 })
  await act(manager, path, 'roll-back')
  await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Rolled back')
  expect(await stored()).toEqual({ gtin: item.gtin, mpn: item.mpn, weight_lb: item.weight_lb })
})

/** The columns that are chosen on the page. */
function chosenIn(page: string): Record<string, string> {
  const selects = page.matchAll(/<select[^>]* name="(from\.[a-z0-9_]+)"[^>]*>(.*?)<\/select>/g)
  return Object.fromEntries(
    [...selects].map(([, name = '', options = '']) => [
      name,
      /<option value="([^"]*)" selected=""/.exec(options)?.[1] ?? '',
    ]),
  )
}

test('a price file is previewed with its guards, published by a manager with a reason, and rolled back', async () => {
  const before = await items(2)
  const path = await preview(1.5)
  const page = await read(clerk, path)
  expect(page).toContain('Moves 2 prices by more than 25%')
  expect(page).toContain('Only a manager can publish imports with warnings.')
  expect(page).toMatch(/Prices raised<\/a><\/th><td class="amount"[^>]*>2</)
  expect(page).toContain('is not a tire we have')
  expect(await items(2)).toEqual(before)
  expect((await act(clerk, path, 'publish', 'x')).status).toBe(403)

  const nameless = await act(manager, path, 'publish')
  expect(nameless.status).toBe(422)
  expect(await nameless.text()).toContain('Explain why')
  const published = await act(manager, path, 'publish', 'New list of the supplier.')
  const shown = await read(manager, published.headers.get('location') ?? '')
  expect(shown).toContain('Published. Carts and checkout use it now')
  expect((await items(2)).map(({ retail_cents }) => retail_cents)).toEqual(
    before.map(({ retail_cents }) => Math.round(retail_cents * 1.5)),
  )
  const entry = await db()
    .selectFrom('audit_entry')
    .select(['actor', 'reason', 'via'])
    .where('act', '=', 'import.published')
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({ actor: 'manager@example.com', reason: 'New list of the supplier.', via: 'office' })

  const rolledBack = await act(clerk, path, 'roll-back', 'Wrong list.')
  expect(await read(clerk, rolledBack.headers.get('location') ?? '')).toContain('Rolled back. All changed rows')
  expect(await items(2)).toEqual(before)
  expect(await verify(db(), systemClock.now())).toEqual([])
})

test('a file without warnings is published by the catalog clerk; pressed twenty times, once', async () => {
  const path = await preview(1.02, 3)
  const seen = /name="seen" value="([^"]*)"/.exec(await read(clerk, path))?.[1] ?? ''
  const pressed = await Promise.all(
    Array.from({ length: 20 }, () => clerk.ask(at(path), { form: { intent: 'publish', reason: '', seen } })),
  )
  for (const { status } of pressed) expect([303, 409]).toContain(status)
  await expect.poll(() => read(clerk, path), { timeout: 30_000 }).toContain('Roll back')
  const subject = `import ${path.split('/').at(-1)}`
  const entries = await db()
    .selectFrom('audit_entry')
    .select('id')
    .where('act', '=', 'import.published')
    .where('subject', '=', subject)
    .execute()
  expect(entries).toHaveLength(1)
})

test('the list of warehouses shows a stock file that is over a day old', async () => {
  const [item] = await items(1)
  const { code } = await db()
    .selectFrom('warehouse')
    .select('code')
    .where('supplier_id', 'is', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const list = () => read(manager, '/office/warehouses')
  for (const [hours, text] of [
    [30, 'Stock file 30 h old'],
    [1, ''],
  ] as const) {
    const asOf = systemClock.now().subtract({ hours }).toString()
    const content = `sku,warehouse,on_hand,as_of\n${item?.sku},${code},40,${asOf}`
    const location = (await send(manager, { kind: 'stock', content })).headers.get('location') ?? ''
    await expect.poll(() => read(manager, location), { timeout: 30_000 }).toContain('Ready to publish')
    const path = location.replace(/\?.*/, '')
    await act(manager, path, 'publish')
    await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Roll back')
    if (text === '') expect(await list()).not.toContain('Stock file')
    else expect(await list()).toContain(text)
  }
})

test('rolling back names the later import, with a link to it', async () => {
  const [first, second] = [await preview(1.01), await preview(1.03)]
  for (const path of [first, second]) await act(clerk, path, 'publish')
  // The second was previewed before the first was published.
  await expect.poll(() => read(clerk, second), { timeout: 30_000 }).toContain('The catalog changed after the preview')
  await act(clerk, second, 'publish')
  await expect.poll(() => read(clerk, second), { timeout: 30_000 }).toContain('Roll back')
  const refused = await act(clerk, first, 'roll-back')
  const page = await read(clerk, refused.headers.get('location') ?? '')
  expect(page).toContain('Not rolled back because the same rows changed since')
  expect(page).toContain(`href="${second}"`)
})

test('a discarded file is over', async () => {
  const path = await preview(1.04)
  const done = await act(clerk, path, 'discard', 'Wrong file.')
  expect(await read(clerk, done.headers.get('location') ?? '')).toContain('Discarded.')
  expect((await act(manager, path, 'publish', 'x')).status).toBe(409)
})

test('a packed file that unpacks to millions of rows is refused, and the next one is read', async () => {
  const bomb = gzipSync(`sku,price\n${'A-1,10\n'.repeat(3_000_000)}`, { level: 9 })
  const sent = await send(clerk, { content: new Uint8Array(bomb) })
  const location = sent.headers.get('location') ?? ''
  await expect
    .poll(() => read(clerk, location), { timeout: 60_000 })
    .toContain('unpacks to more than 100 times its size')
  expect(await read(clerk, location)).toContain('Rejected')
  await preview(1.06)
})

test('an import that another one holds up can be canceled', async () => {
  const held = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const holder = db()
    .transaction()
    .execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('sidewall import publishing', 0))`.execute(tx)
      holding.resolve()
      await held.promise
    })
  await holding.promise
  const rows = (await items(2)).map(({ sku, retail_cents }) => `${sku},${retail_cents + 100}`)
  const sent = await send(clerk, { content: ['sku,price_cents', ...rows].join('\n') })
  const path = (sent.headers.get('location') ?? '').replace(/\?.*/, '')
  const id = Number(path.split('/').at(-1))
  await expect
    .poll(
      async () => (await db().selectFrom('import_run').select('state').where('id', '=', id).executeTakeFirst())?.state,
      {
        timeout: 30_000,
      },
    )
    .toBe('read')
  expect(await read(clerk, path)).toContain('Cancel import')
  const asked = await act(clerk, path, 'discard', 'Wrong file.')
  expect(asked.status).toBe(303)
  expect(await read(clerk, asked.headers.get('location') ?? '')).toContain('Canceling. The import stops after')
  held.resolve()
  await holder
  await expect.poll(() => read(clerk, path), { timeout: 30_000 }).toContain('Discarded')
})

test('what a file changes and refuses can be exported, and the list of imports', async () => {
  const path = await preview(1.05)
  const changes = await read(clerk, `${path}/changes.csv`)
  const [item] = await items(1)
  expect(changes).toContain(`Prices raised,${item?.sku}`)
  expect(await read(clerk, `${path}/refused.csv`)).toContain('NOT-OURS,is not a tire we have')
  expect(await read(clerk, '/office/imports.csv')).toContain('Ready to publish,Prices,prices.csv,3,1,')
  for (const file of [`${path}/changes.csv`, `${path}/refused.csv`, '/office/imports.csv'])
    expect((await support.ask(at(file))).status).toBe(403)
  expect((await clerk.ask(at(`${path}/other.csv`))).status).toBe(404)
})

test.for([
  ['no file', {}, 422, 'Choose a file.'],
  ['an empty file', { content: '' }, 422, 'The file is empty.'],
  ['a kind of file we do not have', { kind: 'pictures', content: 'sku\n' }, 422, 'Choose what the file holds.'],
  ['a key that is none', { key: 'x', content: 'sku\n' }, 422, 'upload was interrupted'],
  ['too large a file', { content: new Uint8Array(maxUploadBytes + 1) }, 422, 'larger than 32 MB'],
] as const)('%s is refused by its field', async ([, sent, status, words]) => {
  const answer = await send(clerk, sent)
  expect(answer.status).toBe(status)
  expect(await answer.text()).toContain(words)
})

test('a form sent twice starts one import, and unauthorized staff can’t store files', async () => {
  const before = await count()
  const key = newId()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => send(clerk, { key, content: 'sku,price\nX-1,1\n' })),
  )
  for (const { status } of answers) expect([303, 422]).toContain(status)
  expect(await count()).toBe(before + 1)
  expect((await send(support, { content: 'sku,price\nX-1,1\n' })).status).toBe(403)
  const guest = await send(createVisitor(), { content: 'sku,price\nX-1,1\n' })
  expect(guest.headers.get('location')).toMatch(/^\/office\/sign-in/)
  expect(await count()).toBe(before + 1)
})

test('a file above the hourly limit is refused at its field, with the other fields kept', async () => {
  const another = createVisitor()
  await signInToOffice(store.origin, another, { email: 'manager@example.com' })
  for (let sent = 0; sent < 20; sent++) await send(another, { content: '' })
  const answer = await send(another, { kind: 'stock', content: 'sku\nX-1\n' })
  expect(answer.status).toBe(422)
  const page = await answer.text()
  expect(page).toContain('Too many files in an hour. Try again later.')
  expect(page).not.toContain('Choose what the file holds.')
  expect(page).toMatch(/<option[^>]* value="stock"[^>]* selected|value="stock"[^>]* checked/)
})

async function count(): Promise<number> {
  const { uploads } = await db()
    .selectFrom('import_upload')
    .select((eb) => eb.fn.countAll<number>().as('uploads'))
    .executeTakeFirstOrThrow()
  return uploads
}
