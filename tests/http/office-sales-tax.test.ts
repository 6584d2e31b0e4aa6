/** Tests that finance imports sales tax rates in the office and that shoppers see them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const finance = createVisitor()
const support = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, finance, { email: 'finance@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const page = () => `${store.origin}/office/sales-tax`
const read = async (visitor: Visitor, url: string) => (await (await visitor.ask(url)).text()).replaceAll('<!-- -->', '')
const header = 'state,zip,starts,ends,state_percent,county,county_percent,city,city_percent,special_percent,source'

function upload(who: Visitor, rows: string, formKey: string = randomUUID()) {
  const body = new FormData()
  for (const [name, value] of Object.entries({ intent: 'add', formKey })) body.set(name, value)
  body.set('file', new File([`${header}\n${rows}`], 'new-york.csv', { type: 'text/csv' }))
  return who.ask(page(), { form: body })
}

const newYork = 'NY,10001,2025-01-01,,4,,,New York City,4.5,0.375,NYS Publication 718'

test('without a file the page shows that local rates are missing', async () => {
  const html = await read(finance, page())
  expect(html).toContain('Local rates are missing.')
  expect(html).toContain('No sales tax')
  expect(html).toContain('Built in')
  expect(html.match(/Illinois/g)?.length).toBeGreaterThan(0)
})

test('shows errors by line and stores no rows', async () => {
  const refused = await upload(finance, `${newYork}\nNY,60614,2025-01-01,,4,,,,,,test`)
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Line 3: ZIP 60614 is in IL, not in NY.')
  const empty = await finance.ask(page(), { form: { intent: 'add', formKey: randomUUID() } })
  expect(empty.status).toBe(422)
  expect((await finance.ask(page(), { form: { intent: 'nothing' } })).status).toBe(400)
  expect(await read(finance, page())).not.toContain('new-york.csv')
})

test('a file is previewed, imported once, and can be exported again', async () => {
  expect((await upload(support, newYork)).status).toBe(403)
  const formKey = randomUUID()
  const made = await upload(finance, newYork, formKey)
  const path = made.headers.get('location') ?? ''
  expect(made.status).toBe(303)
  expect(path).toMatch(/^\/office\/sales-tax\?file=\d+$/)
  expect((await upload(finance, newYork, formKey)).headers.get('location')).toBe(path)
  const preview = await read(finance, `${store.origin}${path}`)
  expect(preview).toContain('1 row replaces all rates of NY: 1 new, 0 changed, 0 the same')
  expect(preview).toContain('New York City 4.5%')
  expect(await read(finance, page())).toContain('Local rates are missing.')

  const form = { intent: 'import', id: path.split('=')[1] ?? '' }
  const done = await finance.ask(page(), { form })
  expect(done.status).toBe(303)
  expect(done.headers.get('location')).toBe('/office/sales-tax?done=imported')
  const again = await finance.ask(page(), { form })
  expect(again.status).toBe(409)
  expect(await again.text()).toContain('already imported or discarded')
  const html = await read(finance, `${page()}?done=imported`)
  expect(html).toContain('1 ZIP has local rates, in NY.')
  expect(html).toContain('8.875%')

  const file = await read(finance, `${store.origin}/office/sales-tax.csv`)
  expect(file).toContain('NY,10001,2025-01-01,,4,,0,New York City,4.5,0.375,NYS Publication 718')
  expect(file).toMatch(/^IL,,\d{4}-\d\d-\d\d,,6\.25,,,,,,/m)
  const rows = file
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .slice(1)
    .join('\n')
  expect((await upload(finance, rows)).status).toBe(303)
})

test('places that are no rows lead to the first page', async () => {
  for (const query of ['after=x', 'after=NY.10001.2025-99-99', 'file=0', 'done=x', 'after=NY.10001.2025-01-01'])
    expect((await finance.ask(`${page()}?${query}`)).status, query).toBe(200)
})
