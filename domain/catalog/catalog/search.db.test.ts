import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createCatalog, resolveQuery, suggest } from './catalog.server.ts'
import { indexNames } from './search-names.ts'

const listing = (place: object) => ({ kind: 'place', place: { kind: 'listing', ...place } })
const vehicle = (place: object) => ({ kind: 'place', place: { kind: 'vehicle', ...place } })

test('submitting goes straight to a clear match', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const catalog = createCatalog({ db, clock: fixedClock(smallDataMadeAt) })
  const item = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .select(['item.id', 'sku'])
    .where('slug', '=', 'alltide-as2')
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const article = {
    kind: 'place',
    place: { kind: 'item', brandSlug: 'kestrel', lineSlug: 'alltide-as2', itemId: item.id },
  }
  const table: [string, object][] = [
    ['2256517', listing({ size: '225-65r17' })],
    ['225/65 R17', listing({ size: '225-65r17' })],
    ['p225/65r17 102h', listing({ size: '225-65r17' })],
    ['265/70r17 e', listing({ size: 'lt265-70r17', filters: 'range=E' })],
    ['lt275/70r18', listing({ size: 'lt275-70r18' })],
    ['35X12.50R17', listing({ size: '35x12-50r17' })],
    ['kestrel 225/65r17', listing({ size: '225-65r17', brand: 'kestrel' })],
    ['winter tires 225/65r17', listing({ size: '225-65r17', type: 'winter' })],
    ['2019 crv ex', vehicle({ makeSlug: 'honda', modelSlug: 'cr-v', year: 2019, trimSlug: 'ex' })],
    ['2019 Honda CR-V', vehicle({ makeSlug: 'honda', modelSlug: 'cr-v', year: 2019 })],
    ['tires for 2021 toyota rav4 xle', vehicle({ makeSlug: 'toyota', modelSlug: 'rav4', year: 2021, trimSlug: 'xle' })],
    ['f150', vehicle({ makeSlug: 'ford', modelSlug: 'f-150' })],
    ['rav 4', vehicle({ makeSlug: 'toyota', modelSlug: 'rav4' })],
    ['model 3', vehicle({ makeSlug: 'tesla', modelSlug: 'model-3' })],
    ['Honda', vehicle({ makeSlug: 'honda' })],
    ['kestrel', listing({ brand: 'kestrel' })],
    ['kestrel alltide as2', { kind: 'place', place: { kind: 'line', brandSlug: 'kestrel', lineSlug: 'alltide-as2' } }],
    ['all season', listing({ type: 'all-season' })],
    ['Mud Terrain Tires', listing({ type: 'mud-terrain' })],
    ['snow tires', listing({ type: 'winter' })],
    ['studless winter', listing({ category: 'studless-winter' })],
    [String(item.id), article],
    [item.sku.toLowerCase(), article],
    ['60614', { kind: 'place', place: { kind: 'zip', zip: '60614' } }],
    ['halsted tire', { kind: 'place', place: { kind: 'shop', slug: 'halsted-tire-chicago', code: 'SW-00001' } }],
  ]
  for (const [typed, expected] of table)
    expect({ typed, ...(await resolveQuery(catalog, typed)) }).toEqual({ typed, ...expected })
})

test('ambiguous or empty results are left to the shopper', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const catalog = createCatalog({ db, clock: fixedClock(smallDataMadeAt) })
  for (const typed of ['silverado', 'alltide', '225/6', '245']) {
    const resolution = await resolveQuery(catalog, typed)
    expect(resolution.kind).toBe('results')
    expect(resolution.kind === 'results' && resolution.suggestions.length > 1).toBe(true)
  }
  expect(await resolveQuery(catalog, "'; drop table item; --")).toMatchObject({ kind: 'results' })
  expect(await resolveQuery(catalog, '18')).toMatchObject({ kind: 'results' })
  for (const typed of ['xyzzyplugh', '', '%', '11/11'])
    expect({ typed, ...(await resolveQuery(catalog, typed)) }).toEqual({
      typed,
      kind: 'results',
      suggestions: [],
      meant: null,
      notSold: null,
    })
})

test('suggests only different spellings', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: test.db, clock: fixedClock(smallDataMadeAt) })
  const meant = async (typed: string) => {
    const resolution = await resolveQuery(catalog, typed)
    return resolution.kind === 'results' ? (resolution.meant?.label ?? null) : 'a place'
  }
  expect(await meant('alltyde')).toBe('Kestrel Alltide AS2')
  expect(await meant('silverado')).toBeNull()
  expect(await meant('225/6')).toBeNull()
})

test('suggestions tolerate typos', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const catalog = createCatalog({ db, clock: fixedClock(smallDataMadeAt) })
  const table: [string, string][] = [
    ['kestral', 'Kestrel'],
    ['kestel', 'Kestrel'],
    ['hona civc', 'Honda Civic'],
    ['camery', 'Toyota Camry'],
    ['toyta', 'Toyota tires'],
    ['2019 honda crb', '2019 Honda CR-V'],
    ['northpas', 'Northpass'],
    ['alltyde', 'Kestrel Alltide GT'],
    ['wintr', 'Winter'],
    ['haslted tire', 'Halsted Tire'],
  ]
  for (const [typed, label] of table)
    expect({ typed, labels: (await suggest(catalog, typed)).map((suggestion) => suggestion.label) }).toEqual({
      typed,
      labels: expect.arrayContaining([label]),
    })
})

test('suggestions follow the text as it is typed', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const catalog = createCatalog({ db, clock: fixedClock(smallDataMadeAt) })
  const labels = async (typed: string) => (await suggest(catalog, typed)).map(({ label }) => label)
  expect(await labels('225/')).toEqual(expect.arrayContaining(['225/65R17', '225/60R18']))
  expect(await labels('lt2')).toEqual(expect.arrayContaining(['LT275/70R18', 'LT245/75R16']))
  expect((await labels('kes'))[0]).toBe('Kestrel')
  expect(await labels('kestrel')).toContain('Kestrel Alltide AS2')
  expect((await labels('2019 honda c')).some((label) => label.startsWith('2019 Honda C'))).toBe(true)
  expect(await labels('k')).toEqual([])
  expect((await labels('2018 ford f-150 xlt')).slice(0, 2)).toEqual([
    '2018 Ford F-150 XLT 4x2',
    '2018 Ford F-150 XLT 4x4',
  ])
  for (const typed of ['a', 'ai', 'tire', 'honda', '2', '22', '2256517'])
    expect((await suggest(catalog, typed)).length).toBeLessThanOrEqual(10)
})

test('words are as similar as in PostgreSQL', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const terms = ['crv', 'civc', 'alltyde', 'kestral', 'f150', 'wintr', 'aaaa', 'silverado1500', 'a']
  const { rows } = await sql<{ name: string; likeness: number[] }>`
    select name, array(select similarity(name, term)::float8 from unnest(${terms}::text[]) with ordinality as term (term, n) order by n) as likeness
    from (select distinct replace(model_slug, '-', '') as name from vehicle union select distinct replace(slug, '-', '') from product_line) named`.execute(
    test.db,
  )
  const names = indexNames(rows.map((row) => ({ entry: row, name: row.name })))
  for (const [index, term] of terms.entries()) {
    const met = new Map(names.meeting(term).map(({ entry, likeness }) => [entry.name, likeness]))
    expect([...met.keys()]).toEqual(
      expect.arrayContaining(rows.filter(({ likeness }) => (likeness[index] ?? 0) >= 0.3001).map(({ name }) => name)),
    )
    for (const [name, likeness] of met)
      expect(likeness).toBeCloseTo(rows.find((row) => row.name === name)?.likeness[index] ?? Number.NaN, 5)
  }
})

test('reads names once for all searches, numbers each time', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements } = counting(test.db)
  const clock = fixedClock(smallDataMadeAt)
  const catalog = createCatalog({ db, clock })
  const typing = async (...texts: string[]) => {
    const before = statements.length
    for (const text of texts) await suggest(catalog, text)
    return statements.length - before
  }
  await typing('honda')
  expect(await typing('ho', 'hon', 'honda civic', 'kestrel alltide')).toBe(0)
  expect(await typing('60614')).toBe(1)
  clock.set(smallDataMadeAt.add({ minutes: 9 }))
  expect(await typing('honda')).toBe(0)
})

test('old names answer while new ones are read, and when reading fails', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements, fail } = counting(test.db)
  const clock = fixedClock(smallDataMadeAt)
  const catalog = createCatalog({ db, clock })
  const labels = async (typed: string) => (await suggest(catalog, typed)).map(({ label }) => label)
  fail(true)
  await expect(labels('kestrel')).rejects.toThrow('away')
  fail(false)
  expect((await labels('kestrel'))[0]).toBe('Kestrel')
  await test.db.updateTable('brand').set({ name: 'Kestrel Tire' }).where('slug', '=', 'kestrel').execute()

  const before = statements.length
  clock.set(smallDataMadeAt.add({ minutes: 11 }))
  fail(true)
  expect((await Promise.all([labels('kestrel'), labels('kestrel')])).map(([first]) => first)).toEqual([
    'Kestrel',
    'Kestrel',
  ])
  await expect.poll(() => statements.length - before).toBe(names)
  expect((await labels('kestrel'))[0]).toBe('Kestrel')
  expect(statements.length - before).toBe(names)

  fail(false)
  clock.set(smallDataMadeAt.add({ minutes: 12 }))
  expect((await labels('kestrel'))[0]).toBe('Kestrel')
  await expect.poll(async () => (await labels('kestrel'))[0]).toBe('Kestrel Tire')
  expect(statements.length - before).toBe(2 * names)
})

/** Statements that read all names. */
const names = 9

/** The same database, with its statements recorded, and a switch to make it fail. */
function counting(database: Database): { db: Database; statements: string[]; fail: (isAway: boolean) => void } {
  const statements: string[] = []
  let isAway = false
  const db = database.withPlugin({
    transformQuery({ node }) {
      statements.push(node.kind)
      if (isAway) throw new Error('The database is away.')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  return { db, statements, fail: (away) => void (isAway = away) }
}
