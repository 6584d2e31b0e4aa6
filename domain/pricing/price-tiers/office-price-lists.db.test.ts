/** Tests price list versions in the office, their dates, and the resulting rules. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCatalog, findCatalogIds } from '#domain/catalog/catalog/catalog.server.ts'
import { setMinimumPrices, testAccountPrices } from '#domain/catalog/promotions/promotions.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  assignPriceList,
  createPriceLists,
  discardPriceList,
  endPriceList,
  findPriceList,
  findPriceListVersion,
  importPriceList,
  listPriceListEntries,
  listPriceLists,
  makePriceList,
  previewPriceList,
  pricingsOf,
  schedulePriceList,
  uploadPriceList,
} from './price-tiers.server.ts'
import { accountPrice } from './price-tiers.ts'

const after = (hours: number) => smallDataMadeAt.add({ hours })
const at = (db: Database, hours = 0) => ({ db, clock: fixedClock(after(hours)), findCatalogIds })
const header = 'scope,target,kind,percent,amount,starts,ends'
const csv = (...rows: string[]) => new Blob([[header, ...rows].join('\n')])
const tenOff = csv('every-tire,,percent-off,10,,2026-01-01,')

async function upload(db: Database, file: Blob = tenOff, slug = 'fleets'): Promise<number> {
  const made = await uploadPriceList(at(db), desk, { slug, formKey: randomUUID(), name: 'Next', file })
  return made.ok ? made.value : expect.unreachable(made.reason)
}

async function scheduled(db: Database, hours: number, file?: Blob): Promise<number> {
  const id = await upload(db, file)
  const done = await schedulePriceList(at(db), desk, { id, startsAt: after(hours), acceptsBelow: true })
  return done.ok ? id : expect.unreachable(done.reason)
}

/** What a tire of $100 costs a fleet, which the demo sells at 8% off. */
async function fleetCents(db: Database, hours: number): Promise<number | null> {
  const list = await findPriceList(at(db), 'fleets')
  const { version } = await db
    .selectFrom('price_list')
    .select('version')
    .where('slug', '=', 'fleets')
    .executeTakeFirstOrThrow()
  const rules = await createPriceLists(db).read({ id: list?.id ?? 0, version }, after(hours))
  const tire = { id: 0, lineId: 0, brandId: 0, sizeSlug: 'none', retailCents: 10_000, costCents: null }
  return accountPrice({ type: 'Fleet', list: rules }, tire)?.unitCents ?? null
}

test('a version starts automatically, ends the previous one, and can be withdrawn before', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const id = await scheduled(db, 2)
  expect(await fleetCents(db, 1)).toBe(9_200)
  expect(await fleetCents(db, 2)).toBe(9_000)
  const list = await findPriceList(at(db, 3), 'fleets')
  expect(list?.versions.map(({ name, state }) => [name, state])).toEqual([
    ['Unchanged', 'ended'],
    ['Next', 'running'],
    ['Next year', 'draft'],
  ])
  expect(await verify(db, smallDataMadeAt)).toEqual([])
  expect(await endPriceList(at(db, 1), desk, { id, reason: 'Too soon' })).toMatchObject({
    value: { isWithdrawn: true },
  })
  expect(await fleetCents(db, 2)).toBe(9_200)
  expect(await discardPriceList(at(db, 1), desk, id)).toMatchObject({ ok: true })
})

test('a version that is ended leaves its accounts at retail, and stays on record', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const id = await scheduled(db, 1)
  expect(await endPriceList(at(db, 3), desk, { id, reason: 'Wrong file' })).toMatchObject({ ok: true })
  expect(await fleetCents(db, 2)).toBe(9_000)
  expect(await fleetCents(db, 3)).toBeNull()
  expect((await findPriceListVersion(at(db, 3), 'fleets', String(id)))?.version.state).toBe('ended')
  expect(await endPriceList(at(db, 4), desk, { id, reason: 'Again' })).toMatchObject({ reason: 'other-state' })
})

test('the schema refuses to edit a scheduled version and its rules', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const id = await scheduled(db, 1)
  const refusalOf = (statement: Promise<unknown>) =>
    statement.then(
      () => undefined,
      (error: unknown) => violatedConstraint(error),
    )
  const version = (change: Record<string, unknown>) =>
    refusalOf(db.updateTable('price_list_version').set(change).where('id', '=', id).execute())
  expect(await version({ starts_at: after(2) })).toBe('price_list_version_never_edited')
  expect(await version({ name: 'Other' })).toBe('price_list_version_never_edited')
  expect(
    await refusalOf(db.updateTable('price_list_entry').set({ rate_ppm: 1 }).where('version_id', '=', id).execute()),
  ).toBe('price_list_entry_never_edited')
})

test('a form sent five times makes one draft, and of five presses one schedules it', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const form = { slug: 'fleets', formKey: randomUUID(), name: 'Next', file: tenOff }
  const made = await Promise.all(Array.from({ length: 5 }, () => uploadPriceList(at(db), desk, form)))
  const ids = new Set(made.map((each) => (each.ok ? each.value : 0)))
  expect(ids.size).toBe(1)
  const [id = 0] = ids
  const press = () => schedulePriceList(at(db), desk, { id, startsAt: after(1), acceptsBelow: true })
  const pressed = await Promise.all(Array.from({ length: 5 }, press))
  expect(pressed.filter((each) => each.ok)).toHaveLength(1)
  expect(await importPriceList({ db, findCatalogIds }, { slug: 'fleets', type: null, records: [] })).toMatchObject({
    detail: ['fleets is managed in the back office. Upload a version there.'],
  })
})

test('the preview counts changes, and names tires below a floor, which must be accepted', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const { sku } = await db
    .selectFrom('item')
    .select('sku')
    .where('retail_cents', '>', 10_000)
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await setMinimumPrices(at(db), desk, { prices: [{ sku, mapCents: 9_999 }], acceptsBelow: true })
  const id = await upload(db, csv('every-tire,,percent-off,8,,2026-01-01,', `item,${sku},fixed,,1.00,2026-01-01,`))
  const found = await findPriceListVersion(at(db), 'fleets', String(id))
  if (!found) return expect.unreachable('no version')
  const preview = await previewPriceList(at(db), found.version)
  expect(preview.counts).toMatchObject({ added: 1, same: 1, changed: 0 })
  expect(preview.counts.removed).toBeGreaterThan(0)
  expect(preview.below).toContainEqual(expect.objectContaining({ sku, priceCents: 100, mapCents: 9_999 }))
  const schedule = (acceptsBelow: boolean) => schedulePriceList(at(db), desk, { id, startsAt: after(1), acceptsBelow })
  expect(await schedule(false)).toMatchObject({ reason: 'below-floor' })

  const prices = await pricingsOf({ db }, found.list, id, after(1))
  const tested = await testAccountPrices(
    { catalog: createCatalog(at(db)), businessTerms: fixedTerms() },
    { cart: [{ sku, quantity: 4 }], state: 'IL' },
    { at: after(1), ...prices },
  )
  if (!tested.ok) return expect.unreachable(tested.reason)
  expect(tested.value.with.lines.find(({ kind }) => kind === 'tire')).toMatchObject({ unitCents: 100 })
  expect(tested.value.with.totals.totalCents).toBeLessThan(tested.value.without.totals.totalCents)
  expect(await schedule(true)).toMatchObject({ ok: true })
})

test('rejects a file with every error by line, and stores no rows', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const faultsOf = async (file: Blob) => {
    const made = await uploadPriceList(at(db), desk, { slug: 'fleets', formKey: randomUUID(), name: 'Next', file })
    return made.ok || made.reason !== 'faults' ? undefined : made.detail
  }
  expect(
    await faultsOf(csv('brand,no-such,fixed,,1.00,2026-01-01,', 'every-tire,,percent-off,x,,2026-01-01,')),
  ).toEqual(['Line 3: percent must be a number from 0 to 100, such as 12.5.', 'Line 2: there is no brand no-such.'])
  expect(await faultsOf(new Blob(['scope,target\nevery-tire,']))).toEqual([
    expect.stringContaining('The header lacks kind'),
  ])
  expect(await faultsOf(new Blob([' '.repeat(1024 * 1024 + 1)]))).toEqual(['The file is larger than 1 MB.'])
  expect(await faultsOf(new Blob([header]))).toEqual(['The file has no rows below its header.'])
  expect((await findPriceList(at(db), 'fleets'))?.versions.map(({ name }) => name)).toEqual(['Next year'])
})

test('a new list is made once, filled, and given to a type of accounts, which leaves its old list', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  expect(await makePriceList(at(db), desk, { slug: 'fleets-2027', name: 'Fleets 2027' })).toMatchObject({ ok: true })
  expect(await makePriceList(at(db), desk, { slug: 'fleets-2027', name: 'Again' })).toMatchObject({
    reason: 'slug-taken',
  })
  const id = await upload(db, tenOff, 'fleets-2027')
  expect((await listPriceListEntries({ db }, id, null)).items).toMatchObject([
    { scope: 'every-tire', ratePpm: 100_000 },
  ])
  expect(await assignPriceList(at(db), desk, { slug: 'fleets-2027', type: 'Fleet' })).toMatchObject({ ok: true })
  const lists = (await listPriceLists({ db }, null)).items
  expect(lists.filter(({ accountType }) => accountType === 'Fleet').map(({ slug }) => slug)).toEqual(['fleets-2027'])
})
