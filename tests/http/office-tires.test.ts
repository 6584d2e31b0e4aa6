/** Brands, models and tires that staff add, change and retire by hand, over sockets and in two processes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const [clerk, manager, support] = [createVisitor(), createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await store.revive('second')
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => new URL(path, store.origin).href
const asShopper = (path: string, origin = store.origin) => createVisitor().ask(new URL(path, origin).href)
const send = (path: string, form: Record<string, string>, visitor = clerk) => visitor.ask(at(path), { form })
const read = async (path: string, visitor = clerk) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const versionOf = async (path: string) => /name="version" value="([^"]+)"/.exec(await read(path))?.[1] ?? ''
const idIn = (answer: Response) => /\/(\d+)\?done=added$/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''

const model = { intent: 'add', line: 'Path One', category: 'touring-all-season', tread: 'all-season', m_plus_s: 'yes', three_peak: 'no', ev: 'no' } // prettier-ignore
const tire = {
  intent: 'add', sku: 'GRN-1', size: '225/65R17', load_index: '102', speed: 'H', load_class: 'SL', max_psi: '51', rim_width_min_in: '6',
  rim_width_max_in: '8', tread_depth_32nds: '10', weight_lb: '26.4', sidewall: 'BSW', run_flat: 'no', price: '129.90', status: 'on-sale',
  gtin: '036000291452', mpn: 'P1-22565', origin_country: 'US',
} // prettier-ignore

test('a brand, model and tire added by hand are in the store, search and structured data of every process', async () => {
  const brand = await send('/office/catalog/brands/new', {
    intent: 'add',
    brand: 'Grindle <Co>',
    brand_tier: 'mid',
    about: 'Made in Ohio.',
  })
  expect(brand.status).toBe(303)
  const brandPath = `/office/catalog/brands/${idIn(brand)}`
  expect(await read(`${brandPath}?done=added`)).toContain('Brand added.')
  const line = await send(`${brandPath}/new-model`, model)
  const linePath = `/office/catalog/lines/${idIn(line)}`
  expect(await read(linePath)).toContain('Add a tire')

  const wrong = await send(`${linePath}/new-tire`, { ...tire, gtin: '036000291453', size: '225/65R17 102H' })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('This has a wrong check digit.')
  expect(again).toContain('This is not a tire size we can read.')
  expect(again).toContain('value="P1-22565"')
  const added = await send(`${linePath}/new-tire`, tire)
  expect(added.status).toBe(303)
  const id = idIn(added)
  expect(await read(`/office/catalog/items/${id}?done=added`)).toContain('036000291452')

  const page = `/brands/grindle-co/path-one/p/${id}`
  const shown = await asShopper(page).then((answer) => answer.text())
  expect(shown).toContain('Grindle &lt;Co&gt;')
  expect(shown).toContain('"gtin":"036000291452"')
  expect(shown).toContain('"mpn":"P1-22565"')
  expect(shown).toContain('United States')
  await eventually('in the other process', async () => (await asShopper(page, store.secondOrigin)).status === 200, 2)
  expect((await asShopper('/search?q=path%20one')).headers.get('location')).toContain('/brands/grindle-co/path-one')

  const edit = `/office/catalog/items/${id}/edit`
  const version = await versionOf(edit)
  const change = { ...tire, intent: 'change', version, price: '119.90', ply_rating: '4', max_load_lb: '1874', measured_width_mm: '225', measured_diameter_mm: '724.3', fet: '0.00' } // prettier-ignore
  expect((await send(edit, change)).headers.get('location')).toBe(`/office/catalog/items/${id}?done=saved`)
  expect(await asShopper(page).then((answer) => answer.text())).toContain('119.90')
  const late = await send(edit, { ...change, weight_lb: '30' })
  expect(late.status).toBe(409)
  const conflict = await late.text()
  expect(conflict).toContain('Saved now: 26.4')
  expect(conflict).toContain('value="30"')

  const far = await send(edit, { ...change, version: await versionOf(edit), price: '60' })
  expect(far.status).toBe(422)
  expect(await far.text()).toContain('Check the box to save anyway.')
  const yes = { ...change, version: await versionOf(edit), price: '60', acceptsBelow: 'yes' }
  expect((await send(edit, yes)).status).toBe(409)
  expect((await send(edit, yes, manager)).status).toBe(303)

  expect((await send(linePath, { intent: 'retire', reason: '' })).status).toBe(422)
  expect((await send(linePath, { intent: 'retire', reason: 'Discontinued.' })).status).toBe(303)
  expect((await asShopper(page)).status).toBe(404)
  await eventually(
    'gone in the other process',
    async () => (await asShopper(page, store.secondOrigin)).status === 404,
    2,
  )
  expect(await read(`/office/catalog?status=retired`)).toContain('>GRN-1<')
  expect((await send(linePath, { intent: 'restore', reason: 'Back.' })).status).toBe(303)
  expect((await asShopper(page)).status).toBe(200)
  expect((await send(brandPath, { intent: 'retire', reason: 'Discontinued.' })).status).toBe(303)
  expect((await asShopper(page)).status).toBe(404)
  expect(await verify(store.database.db, systemClock.now())).toEqual([])
})

test('rejects hostile and empty forms at their fields, and hides the page from other roles', async () => {
  const path = '/office/catalog/lines/1/new-tire'
  const empty = await send(path, { intent: 'add' })
  expect(empty.status).toBe(422)
  expect((await empty.text()).match(/class="field-error"/g)?.length).toBeGreaterThan(5)
  const long = await send(path, { ...tire, mpn: 'x'.repeat(3_900), sku: '\u202eGRN' })
  expect(long.status).toBe(422)
  for (const body of ['\u0000', '%FF%FE', 'constructor=x&__proto__=y'])
    expect((await send(path, { intent: 'add', sku: body, __proto__: body, price: '1e3' })).status).toBe(422)
  for (const each of [
    path,
    '/office/catalog/brands/new',
    '/office/catalog/brands/1/new-model',
    '/office/catalog/items/100001/edit',
  ])
    expect((await support.ask(at(each))).status, each).toBe(403)
  for (const each of [
    '/office/catalog/lines/99999/new-tire',
    '/office/catalog/brands/99999/new-model',
    '/office/catalog/items/9/edit',
    '/office/catalog/items/x/edit',
  ])
    expect((await clerk.ask(at(each))).status, each).toBe(404)
})
