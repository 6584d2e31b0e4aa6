import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { resolveQuery, suggest } from './catalog.server.ts'

const listing = (place: object) => ({ kind: 'place', place: { kind: 'listing', ...place } })
const vehicle = (place: object) => ({ kind: 'place', place: { kind: 'vehicle', ...place } })

test('a plain submit goes straight to what is clearly meant', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const item = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .select(['item.id', 'sku'])
    .where('slug', '=', 'alltide-as2')
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const article = { kind: 'place', place: { kind: 'item', brandSlug: 'kestrel', lineSlug: 'alltide-as2', itemId: item.id } }
  const table: [string, object][] = [
    ['2256517', listing({ size: '225-65r17' })],
    ['225/65 R17', listing({ size: '225-65r17' })],
    ['p225/65r17 102h', listing({ size: '225-65r17' })],
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
  for (const [typed, expected] of table) expect({ typed, ...(await resolveQuery({ db }, typed)) }).toEqual({ typed, ...expected })
})

test('what could be several things, or nothing, is left to the shopper', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  for (const typed of ['silverado', 'alltide', '225/6', '245']) {
    const resolution = await resolveQuery({ db }, typed)
    expect(resolution.kind).toBe('results')
    expect(resolution.kind === 'results' && resolution.suggestions.length > 1).toBe(true)
  }
  expect(await resolveQuery({ db }, "'; drop table item; --")).toMatchObject({ kind: 'results' })
  expect(await resolveQuery({ db }, '18')).toMatchObject({ kind: 'results' })
  for (const typed of ['xyzzyplugh', '', '%', '11/11'])
    expect({ typed, ...(await resolveQuery({ db }, typed)) }).toEqual({ typed, kind: 'results', suggestions: [] })
})

test('suggestions forgive typing errors', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
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
    expect({ typed, labels: (await suggest({ db }, typed)).map((suggestion) => suggestion.label) }).toEqual({ typed, labels: expect.arrayContaining([label]) })
})

test('suggestions follow what is being typed', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const labels = async (typed: string) => (await suggest({ db }, typed)).map(({ label }) => label)
  expect(await labels('225/')).toEqual(expect.arrayContaining(['225/65R17', '225/60R18']))
  expect(await labels('lt2')).toEqual(expect.arrayContaining(['LT275/70R18', 'LT245/75R16']))
  expect((await labels('kes'))[0]).toBe('Kestrel')
  expect(await labels('kestrel')).toContain('Kestrel Alltide AS2')
  expect((await labels('2019 honda c')).some((label) => label.startsWith('2019 Honda C'))).toBe(true)
  expect(await labels('k')).toEqual([])
  expect((await labels('2018 ford f-150 xlt')).slice(0, 2)).toEqual(['2018 Ford F-150 XLT 4x2', '2018 Ford F-150 XLT 4x4'])
  for (const typed of ['a', 'ai', 'tire', 'honda', '2', '22', '2256517']) expect((await suggest({ db }, typed)).length).toBeLessThanOrEqual(10)
})
