/** Files of shops and vans, which are imported completely or not at all. */
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { readVanZips } from '#domain/scheduling/installers/installers.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { csvText } from '#platform/csv-text.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { maxShopFileRows, shopFileColumns, shopFileValues, type ShopFileField, type ShopRow } from './shop-file.ts'
import { findShopRecord, importShops } from './shops.server.ts'

const usual: ShopRow = {
  name: 'Lathrop Tire',
  kind: 'shop',
  street: '12 Depot St',
  city: 'Chicago',
  zip: '60614',
  phone: '(773) 555-0188',
  website: 'lathrop.example',
  ownerName: 'Ida Lathrop',
  ownerEmail: 'ida@lathrop.example',
}
const all = Object.keys(shopFileColumns) as ShopFileField[]
const fileOf = (rows: readonly ShopRow[], fields: readonly ShopFileField[] = all) =>
  csvText([
    fields.map((field) => shopFileColumns[field]),
    ...rows.map((row) => fields.map((field) => row[field] ?? '')),
  ])

async function openShops() {
  const database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: { now: () => smallDataMadeAt } }
  const valuesOf = async (code: string) =>
    shopFileValues((await findShopRecord(deps, code)) ?? expect.unreachable(`no shop ${code}`))
  const importRows = (...rows: ShopRow[]) => importShops(deps, desk, fileOf(rows))
  const codes = async () =>
    (await deps.db.selectFrom('shop').select('code').orderBy('id').execute()).map(({ code }) => code)
  const invited = async () =>
    (
      await deps.db.selectFrom('message').select('to_address as to').where('kind', '=', 'shop-invitation').execute()
    ).map(({ to }) => to)
  return { ...database, deps, valuesOf, importRows, codes, invited }
}

test('rows without a code are added once, as the form adds them, and invite their owners', async () => {
  await using store = await openShops()
  const { deps, importRows, codes, invited } = store
  const before = await codes()
  const van = { ...usual, name: 'Lathrop Mobile', kind: 'van', ownerEmail: 'van@lathrop.example', about: 'We come.' }
  const sent = await Promise.all([importRows(usual, van), importRows(usual, van)])
  expect(sent.filter(({ ok }) => ok)).toEqual([{ ok: true, value: { added: 2, changed: 0 } }])
  expect(sent.find(({ ok }) => !ok)).toMatchObject({
    detail: [
      expect.stringMatching(/^Line 2, Shop: SW-\d+ has this name and address\./),
      expect.stringMatching(/^Line 3, Shop: SW-\d+ has this name and address\./),
    ],
  })
  const made = (await codes()).filter((code) => !before.includes(code))
  const [shop, mobile] = await Promise.all(made.map((code) => findShopRecord(deps, code)))
  expect(shop).toMatchObject({ name: 'Lathrop Tire', kind: 'shop', isInSetUp: true, isActive: false, state: 'IL' })
  expect(mobile).toMatchObject({ kind: 'van', about: 'We come.', services: ['mobile-van'] })
  expect((await readVanZips(deps.db, mobile?.id ?? 0))?.length).toBeGreaterThan(1)
  expect((await invited()).toSorted()).toEqual(expect.arrayContaining(['ida@lathrop.example', 'van@lathrop.example']))
  const acts = await deps.db
    .selectFrom('audit_entry')
    .select(['act', 'subject'])
    .where('subject', 'in', made)
    .orderBy('id')
    .execute()
  expect(acts.map(({ act }) => act)).toEqual(['shop.added', 'shop.added', 'shop.changed'])
})

test('a row with a code changes its profile at the version of the export, and missing columns stay', async () => {
  await using store = await openShops()
  const { deps, importRows, valuesOf } = store
  const was = await valuesOf('SW-00001')
  expect(await importRows(was)).toMatchObject({ value: { added: 0, changed: 0 } })
  const changed = { ...was, about: 'Since 1988.', services: 'alignment, brakes', rimMaxIn: '22' }
  expect(await importRows(changed)).toMatchObject({ value: { added: 0, changed: 1 } })
  const now = await valuesOf('SW-00001')
  expect(now).toEqual({ ...changed, version: String(Number(was.version) + 1) })
  expect(await importRows({ ...changed, about: 'Later.' })).toMatchObject({
    detail: ['Line 2, Version: This shop was changed after the export. Export the file again.'],
  })
  const few = ['code', 'version', 'name', 'kind', 'street', 'city', 'zip', 'phone'] as const
  const narrow = fileOf([{ ...now, phone: '773 555 0100' }], few)
  expect(must(await importShops(deps, desk, narrow))).toEqual({ added: 0, changed: 1 })
  expect(await valuesOf('SW-00001')).toMatchObject({ about: 'Since 1988.', phone: '7735550100' })
})

test('a file with any error imports no rows, and names each line and column', async () => {
  await using store = await openShops()
  const { deps, importRows, valuesOf, codes, invited } = store
  const was = await valuesOf('SW-00001')
  const before = [await codes(), await invited()]
  expect(
    await importRows(
      usual,
      usual,
      { ...usual, name: 'Other', zip: '00000', kind: 'boat' },
      { ...usual, name: 'No owner', ownerEmail: '' },
      { ...usual, name: 'Nowhere', zip: '00000' },
      { ...was, kind: 'van' },
      { ...was, code: 'SW-99999' },
      { ...usual, name: 'Services', services: 'alignment, haircuts' },
      { ...usual, name: 'Rims', rimMinIn: '20', rimMaxIn: '16' },
      { ...was, name: 'Twice' },
    ),
  ).toMatchObject({
    detail: [
      'Line 3, Name: Line 2 has the same one.',
      'Line 4, Shop or van: Choose a tire shop or a van.',
      'Line 5, Owner’s email: Enter the owner’s email.',
      expect.stringMatching(/^Line 6, ZIP code: We don’t know where this ZIP code is\./),
      expect.stringMatching(/^Line 7, Shop or van: A shop can’t become a mobile installer/),
      'Line 8, Shop: No shop has this code. Leave it empty for a new shop.',
      expect.stringMatching(/^Line 9, Services: haircuts isn’t a service\. Enter sensors, flat-repair,/),
      'Line 10, Largest rim: The largest rim can’t be smaller than the smallest.',
      'Line 11, Shop: Line 7 has the same one.',
    ],
  })
  const after = [await codes(), await invited()]
  expect(after).toEqual(before)
  const many = fileOf(Array.from({ length: maxShopFileRows + 1 }, (_, index) => ({ ...usual, name: `Shop ${index}` })))
  expect(await importShops(deps, desk, many)).toMatchObject({ detail: ['The file has more than 500 rows.'] })
  const support = await signInStaff(deps, 'support')
  expect(await importShops(deps, support, fileOf([usual]))).toMatchObject({ reason: 'not-allowed' })
})
