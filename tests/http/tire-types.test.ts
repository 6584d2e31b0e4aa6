/** Tests tire types and categories in the office, and what shoppers see of them. */
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportProducts, feedOf, withHeader } from '#domain/catalog/catalog-import/catalog-import.testing.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { formFields } from '#tests/support/form-fields.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [clerk, support] = [createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await store.revive('second')
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const winter = '/office/tire-types/types/winter'
const vintage = {
  intent: 'add',
  name: 'Vintage',
  definition: 'For old cars.',
  audience: '',
  type: 'summer',
  after: '',
  version: '0',
}

test('every process shows a changed name, description and order within a second', async () => {
  const form = {
    ...formFields(await read(clerk, winter), 'change'),
    intent: 'change',
    name: 'Snow & ice',
    definition: 'For <b>snow</b>.',
    audience: 'For the north.',
    after: '',
  }
  const saved = await clerk.ask(at(winter), { form })
  expect(saved.headers.get('location')).toBe(`${winter}?done=saved`)
  for (const origin of [store.origin, store.secondOrigin])
    await eventually(
      'renamed type',
      async () => {
        const { types } = (await (await fetch(`${origin}/api/kinds`)).json()) as {
          types: { slug: string; name: string }[]
        }
        return types[0]?.slug === 'winter' && types[0].name === 'Snow & ice'
      },
      5,
    )
  const directory = await read(createVisitor(), '/types')
  expect(directory).toContain('Snow &amp; ice')
  expect(directory).toContain('For &lt;b&gt;snow&lt;/b&gt;.')
  expect(await read(createVisitor(), '/types/winter')).toContain('Snow &amp; ice')
  // The filters name and order them the same way.
  const listing = await read(createVisitor(), '/tire-sizes/225-65r17')
  expect(listing.indexOf('Snow &amp; ice')).toBeGreaterThan(0)
  const late = await clerk.ask(at(winter), { form: { ...form, name: 'Cold' } })
  expect(late.status).toBe(409)
  const conflict = await late.text()
  expect(conflict).toContain('value="Cold"')
  expect(conflict).toContain('Saved now: Snow &amp; ice')
})

test('an invalid field is refused at the field, and only staff who edit the catalog add one', async () => {
  const wrong = await clerk.ask(at('/office/tire-types/categories/new'), {
    form: { ...vintage, name: '???', definition: '', audience: 'x'.repeat(401) },
  })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  for (const fault of [
    'Enter a name with letters or digits.',
    'Describe it in a sentence or two.',
    'under 400 characters',
  ])
    expect(again).toContain(fault)
  expect(again).toContain('value="???"')
  expect((await support.ask(at('/office/tire-types/categories/new'), { form: vintage })).status).toBe(403)
  for (const path of ['types/none', 'categories/none', 'makers/new', `types/${'a'.repeat(300)}`])
    expect((await clerk.ask(at(`/office/tire-types/${path}`))).status, path).toBe(404)
})

test('a category with tires for sale is not retired, and the reason is shown', async () => {
  const path = '/office/tire-types/categories/touring-all-season'
  const refused = await clerk.ask(at(path), { form: { intent: 'retire', reason: 'No longer sold' } })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toMatch(/This category has [\d,]+ tires for sale\. Move their models/)
})

test('an import with an unknown category leads to the form that adds it, and is checked again', async () => {
  const [row] = await exportProducts(store.database.db)
  const rows = withHeader([
    { ...row!, sku: 'WWT-1', line: 'Whitewall One', category: 'White "wall"', gtin: '', mpn: '' },
  ])
  const form = new FormData()
  for (const [name, value] of Object.entries({ key: newId(), kind: 'products', mode: 'all-or-nothing' }))
    form.set(name, value)
  const csv = await text(feedOf(rows).open())
  form.set('file', new File([csv], 'whitewalls.csv', { type: 'text/csv' }))
  const sent = await clerk.ask(at('/office/imports'), { form })
  const location = sent.headers.get('location') ?? ''
  await expect.poll(() => read(clerk, location), { timeout: 30_000 }).toContain('Unknown categories')
  const page = await read(clerk, location)
  expect(page).toContain('one of touring-all-season, grand-touring-all-season')
  const link = /href="(\/office\/tire-types\/categories\/new\?[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const filled = await read(clerk, link)
  expect(filled).toContain('value="White &quot;wall&quot;"')
  const { from, version, placed } = formFields(filled, 'add')
  const added = await clerk.ask(at(link), {
    form: { ...vintage, name: 'White "wall"', from: from ?? '', version: version ?? '', placed: placed ?? '' },
  })
  const importPath = location.replace(/\?.*/, '')
  expect(added.headers.get('location')).toBe(`${importPath}?done=category-added`)
  const back = await read(clerk, `${importPath}?done=category-added`)
  expect(back).toContain('Category added. Check the file again to import its rows.')
  expect(back).not.toContain('Unknown categories')
  const checked = await clerk.ask(at(importPath), { form: { intent: 'check-again' } })
  expect(checked.headers.get('location')).toBe(`${importPath}?done=check-again`)
  await expect.poll(() => read(clerk, importPath), { timeout: 30_000 }).toContain('Ready to publish')
})
