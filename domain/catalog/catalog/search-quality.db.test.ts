import { expect, test } from 'vitest'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createCatalog, resolveQuery, suggest } from './catalog.server.ts'
import type { Place } from './catalog.ts'
import { freshIntents } from './search-intents-fresh.testing.ts'
import { laterIntents } from './search-intents-later.testing.ts'
import { describedIntents, soundIntents, unreadIntents, yearIntents } from './search-intents-measured.testing.ts'
import { newestIntents } from './search-intents-newest.testing.ts'
import { intents } from './search-intents.testing.ts'

/** Queries and their expected first suggestion. */
const table: readonly (readonly [typed: string, first: string])[] = [
  // Sizes in any notation.
  ['225/65R17', '225/65R17'],
  ['225 65 17', '225/65R17'],
  ['2256517', '225/65R17'],
  ['225-65-17', '225/65R17'],
  ['225/65-17', '225/65R17'],
  ['225 65r17', '225/65R17'],
  ['P225/65R17', '225/65R17'],
  ['p 225 65 r 17', '225/65R17'],
  ['225/65R17 102H', '225/65R17'],
  ['tires 225/65R17', '225/65R17'],
  ['lt275/70r18', 'LT275/70R18'],
  ['275 70 18 lt', 'LT275/70R18'],
  ['lt 275 70 18', 'LT275/70R18'],
  ['35x12.5r17', '35X12.50R17LT'],
  ['35x12.50r17', '35X12.50R17LT'],
  ['35 12.50 17', '35X12.50R17LT'],
  ['35x1250r17', '35X12.50R17LT'],
  ['st205/75r15', 'ST205/75R15'],
  ['205 75 15 trailer', 'Trailer ST205/75R15'],
  ['255/35zr19', '255/35R19'],
  ['225/6', '225/65R17'],
  ['lt27', 'LT275/70R18'],
  ['winter 225 65 17', 'Winter 225/65R17'],
  ['kestrel 2256517', 'Kestrel 225/65R17'],
  // Vehicles in words.
  ['2019 crv ex', '2019 Honda CR-V EX'],
  ['crv', 'Honda CR-V'],
  ['cr-v', 'Honda CR-V'],
  ['honda crv 2019', '2019 Honda CR-V'],
  ['hnda civic', 'Honda Civic'],
  ['honda civc', 'Honda Civic'],
  ['hondacivic', 'Honda tires'],
  ['f150', 'Ford F-150'],
  ['f 150', 'Ford F-150'],
  ['f-150 2020', '2020 Ford F-150'],
  ['ford f', 'Ford F-150'],
  ['chevy silverado', 'Chevrolet Silverado 1500'],
  ['chevorlet silverado', 'Chevrolet Silverado 1500'],
  ['vw golf', 'Volkswagen Golf'],
  ['volkswagon golf', 'Volkswagen Golf'],
  ['mercedes benz', 'Mercedes-Benz tires'],
  ['bmw 330i', 'BMW 3 Series'],
  ['toyota camery', 'Toyota Camry'],
  ['toyta', 'Toyota tires'],
  ['rav4', 'Toyota RAV4'],
  ['2021 toyota rav4 xle', '2021 Toyota RAV4 XLE'],
  ['model 3', 'Tesla Model 3'],
  ['tesla 3', 'Tesla Model 3'],
  ['subaru outbck', 'Subaru Outback'],
  ['jeep wrangler', 'Jeep Wrangler'],
  ['wrangler 2018', '2018 Jeep Wrangler'],
  ['dodge ram', 'Dodge Ram 1500'],
  // Brands, lines, kinds.
  ['kestrel', 'Kestrel'],
  ['kestral', 'Kestrel'],
  ['kestrl', 'Kestrel'],
  ['northpas', 'Northpass'],
  ['kestrel alltide', 'Kestrel Alltide AS2'],
  ['alltyde', 'Kestrel Alltide AS2'],
  ['all season', 'All-season'],
  ['allseason tires', 'All-season'],
  ['wintr', 'Winter'],
  ['snow tires', 'Winter'],
  ['all terrain', 'All-terrain'],
  ['mud', 'Mud-terrain'],
  ['trailer tires', 'Trailer'],
  // Places, and shops by name.
  ['halsted tire', 'Halsted Tire'],
  ['haslted tire', 'Halsted Tire'],
  ['60614', 'Shops near 60614'],
]

test('puts the intended result first', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const catalog = createCatalog({ db, clock: fixedClock(smallDataMadeAt) })
  const first = async (typed: string) => (await suggest(catalog, typed))[0]
  const found = await Promise.all(table.map(async ([typed]) => [typed, (await first(typed))?.label]))
  expect(found).toEqual(table)

  const item = await db.selectFrom('item').select(['id', 'sku']).orderBy('id').limit(1).executeTakeFirstOrThrow()
  for (const typed of [String(item.id), item.sku, item.sku.toLowerCase()])
    expect(await first(typed)).toMatchObject({ kind: 'item', detail: `Article ${item.id}` })
})

/** The first suggestion, and its target. */
const asked: readonly (readonly [typed: string, first: string, place: Partial<Place>])[] = [
  ['where is my order', 'Track your order', { kind: 'page', page: 'track-order' }],
  ['track my order', 'Track your order', { kind: 'page', page: 'track-order' }],
  ['return policy', 'Returns and refunds', { kind: 'page', page: 'returns' }],
  ['returns', 'Returns and refunds', { kind: 'page', page: 'returns' }],
  ['financing', 'Financing', { kind: 'page', page: 'financing' }],
  ['installation cost', 'What four tires cost, installed', { kind: 'page', page: 'installation-cost' }],
  ['is this tire safe', 'When to replace a tire', { kind: 'page', page: 'safety' }],
  ['cheap tires near me', 'Tire deals', { kind: 'page', page: 'deals' }],
  ['chicago', 'Tire shops in Chicago, IL', { kind: 'area', area: 'chicago-il' }],
  ['Chicago IL', 'Tire shops in Chicago, IL', { kind: 'area', area: 'chicago-il' }],
  [
    '2018 bmw 330i xdrive',
    '2018 BMW 3 Series 330i',
    { kind: 'vehicle', modelSlug: '3-series', year: 2018, trimSlug: '330i' },
  ],
  ['lexus rx350 2017', '2017 Lexus RX RX 350', { kind: 'vehicle', modelSlug: 'rx', year: 2017, trimSlug: 'rx-350' }],
  ['rx350', 'Lexus RX', { kind: 'vehicle', modelSlug: 'rx' }],
  ['ford f-250 2017', '2017 Ford F-250 Super Duty', { kind: 'vehicle', modelSlug: 'f-250-super-duty', year: 2017 }],
  ['265/70/17 10 ply', 'LT265/70R17, load range E', { kind: 'listing', size: 'lt265-70r17', filters: 'range=E' }],
  ['265/70r17 e', 'LT265/70R17, load range E', { kind: 'listing', size: 'lt265-70r17', filters: 'range=E' }],
  ['run flat 225/45/17', '225/45R17, run-flat', { kind: 'listing', size: '225-45r17', filters: 'run-flat=1' }],
  ['run flat 245/40/19', '245/40R19, run-flat', { kind: 'listing', size: '245-40r19' }],
  ['20 inch tires', '20-inch tires', { kind: 'rim', rimIn: 20 }],
  ['35 inch tires', '35-inch tires', { kind: 'height', heightIn: 35 }],
  ['T125/70D15', 'T125/70D15', { kind: 'listing', size: 't125-70d15' }],
  ['cheap 225/65r17', '225/65R17', { kind: 'listing', size: '225-65r17', filters: 'sort=price' }],
  [
    '2019 honda cr-v winter tires',
    '2019 Honda CR-V',
    { kind: 'vehicle', modelSlug: 'cr-v', year: 2019, filters: 'type=winter' },
  ],
  ['michelin', 'Michelin: not sold here', { kind: 'other-brand', name: 'Michelin' }],
  ['goodyear', 'Goodyear: not sold here', { kind: 'other-brand', name: 'Goodyear' }],
]

test('questions, places, filters and aliases lead to the intended page', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  for (const [typed, label, place] of asked) {
    const [first] = await suggest(catalog, typed)
    expect({ typed, label: first?.label, place: first?.place }).toEqual({
      typed,
      label,
      place: expect.objectContaining(place),
    })
  }
  const shops = await database.db.selectFrom('shop').select('name').distinct().where('active', '=', true).execute()
  for (const { name } of shops) {
    const [first] = await suggest(catalog, name)
    expect({ kind: first?.kind, name: first?.label }).toEqual({ kind: 'shop', name })
  }
})

test('never assumes the drive type silently', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const labels = async (typed: string) => (await suggest(catalog, typed)).map(({ label }) => label)
  const [two, four, whole] = ['2021 Ford F-150 XLT 4x2', '2021 Ford F-150 XLT 4x4', '2021 Ford F-150']
  expect(await labels('2021 ford f150 xlt 4x2')).toEqual([two, whole, four])
  expect((await labels('2021 ford f150 xlt')).toSorted()).toEqual([whole, two, four])
  expect(await resolveQuery(catalog, '2021 ford f150 xlt')).toMatchObject({ kind: 'results' })
  // If only the other drive is listed, it does not come first.
  await database.db
    .deleteFrom('vehicle')
    .where('year', '=', 2021)
    .where('model_slug', '=', 'f-150')
    .where('trim_slug', '=', 'xlt-4x2')
    .execute()
  const other = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const found = await suggest(other, '2021 ford f150 xlt 4x2')
  expect(found.map(({ label }) => label)).toEqual([whole, four])
  expect(await resolveQuery(other, '2021 ford f150 xlt')).toMatchObject({ kind: 'results' })
})

test('names a brand that is not sold, with alternatives', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const found = await resolveQuery(catalog, 'michelin')
  expect(found).toMatchObject({ kind: 'results', notSold: { name: 'Michelin', tier: 'premium' } })
  expect(found.kind === 'results' && found.suggestions[0]).toMatchObject({
    kind: 'brand',
    detail: 'Premium brand that we sell',
  })
  const sized = await resolveQuery(catalog, 'michelin 225/65r17')
  expect(sized).toMatchObject({ kind: 'results', notSold: { name: 'Michelin' } })
  expect(sized.kind === 'results' && sized.suggestions[0]?.label).toBe('225/65R17')
  // Once the brand is sold, the notice disappears.
  await database.db
    .updateTable('brand')
    .set({ name: 'Michelin', slug: 'michelin' })
    .where('slug', '=', 'kestrel')
    .execute()
  expect(
    await resolveQuery(createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) }), 'michelin'),
  ).toMatchObject({ kind: 'place' })
  expect(await resolveQuery(catalog, 'mini cooper')).toMatchObject({ kind: 'place', place: { modelSlug: 'cooper' } })
})

test('an unsold tire type is reported without matching a vehicle or shop', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  for (const [typed, name] of [
    ['atv tires', 'ATV and UTV tires'],
    ['25x8-00-12', 'ATV and UTV tires'],
    ['motorcycle tires', 'motorcycle tires'],
    ['used 225/65r17', 'used tires'],
    ['750-16', 'bias-ply tires'],
    ['900-20', 'bias-ply tires'],
    ['polaris ranger tires', 'ATV and UTV tires'],
    ['26x11r14', 'ATV and UTV tires'],
    ['18x8.50-8', 'lawn, garden and golf cart tires'],
    ['650-16', 'bias-ply tires'],
  ] as const)
    expect({ typed, ...(await resolveQuery(catalog, typed)) }).toMatchObject({ kind: 'results', notSold: { name } })
  const places = async (typed: string) => {
    const found = await resolveQuery(catalog, typed)
    return found.kind === 'place' ? found.place.kind : 'results'
  }
  for (const typed of ['beamer', 'camper tires', 'car tires', 'truck tires', '225/65', 'quietest tires', 'rv tires'])
    expect({ typed, kind: await places(typed) }).not.toMatchObject({
      kind: expect.stringMatching(/^(?:zip|shop|area)$/),
    })
})

/** Words that say what the tires are for, which resemble the names of vehicles and of brands that are not sold. */
const uses: readonly (readonly [typed: string, first: string])[] = [
  ['travel trailer tires', 'Trailer'],
  ['landscape trailer tires', 'Trailer'],
  ['sport tires', 'Ultra-high-performance all-season'],
  ['rain tires', 'All-season'],
  ['tires for rain', 'All-season'],
  ['van tires', 'Commercial'],
  ['good gas mileage tires', 'Help me decide'],
  // Next to a vehicle such a word is part of its name, or has no meaning.
  ['range rover sport', 'Land Rover Range Rover Sport'],
  ['rav4 hybrid', 'Toyota RAV4'],
  ['ram 2500 dually', 'Ram 2500'],
  // A letter of another word, or a similar other model, does not account for a word.
  ['ford f 150 2017', '2017 Ford F-150'],
  ['silverrado 1500', 'Chevrolet Silverado 1500'],
  ['mercedes g wagon', 'Mercedes-Benz G-Class'],
  ['tire chains', 'Tire chains: not sold here'],
  // Who or what does it is the same use.
  ['rock crawler tires', 'Mud-terrain'],
  ['rock crawling tires', 'Mud-terrain'],
  ['tires for icy roads', 'Winter'],
  ['city tires', 'All-season'],
  // Track is a verb before "my".
  ['track tires', 'Track and competition'],
  ['track my tires', 'Track your order'],
  // A body style after a name adds no information.
  ['subaru outback wagon', 'Subaru Outback'],
  ['honda civic coupe', 'Honda Civic'],
]

test('a use finds its kind of tires, and not a vehicle or brand with a similar name', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const found = await Promise.all(uses.map(async ([typed]) => [typed, (await suggest(catalog, typed))[0]?.label]))
  expect(found).toEqual(uses)
  expect((await suggest(catalog, 'range rover sport'))[0]?.place).not.toHaveProperty('type')
  const sport = (await suggest(catalog, '2021 bronco sport'))[0]?.place
  expect(sport?.kind === 'vehicle' && sport.filters).toBeUndefined()
  // A partly typed name is found by its prefix.
  for (const [typed, label] of [
    ['sporta', 'Kia Sportage'],
    ['travelst', 'Travelstar: not sold here'],
  ] as const)
    expect((await suggest(catalog, typed))[0]?.label).toBe(label)
})

test('one matching word out of many isn’t a match', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  for (const typed of [
    'kestrel unobtainium supreme edition',
    'my neighbor has a honda somewhere',
    'purple chicago elephants dancing',
    'explain winter olympics schedule',
  ])
    expect({ typed, found: await suggest(catalog, typed) }).toEqual({ typed, found: [] })
})

test.each([
  ['the first texts', intents, { texts: 200, mean: 0.95 }],
  ['texts written after the ranking', laterIntents, { texts: 150, mean: 0.9 }],
  ['texts written after uses were ranked', freshIntents, { texts: 60, mean: 0.9 }],
  ['texts written after names were compared letter by letter', newestIntents, { texts: 60, mean: 0.9 }],
  ['texts of an author who had not read the search', unreadIntents, { texts: 60, mean: 0.9 }],
  [
    'texts written after cabs, powersports and tires of other brands were named',
    describedIntents,
    { texts: 30, mean: 0.9 },
  ],
  ['texts written after vowels were compared by sound', soundIntents, { texts: 30, mean: 0.9 }],
  [
    'texts written after short years and sizes of powersports vehicles were read',
    yearIntents,
    { texts: 30, mean: 0.9 },
  ],
])('finds what people mean by mean reciprocal rank: %s', async (_, wantedTexts, least) => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const texts = wantedTexts.flatMap(([wanted, ...typed]) => typed.map((text) => ({ wanted, text })))
  expect(texts.length).toBeGreaterThanOrEqual(least.texts)
  expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length)
  const ranks = await Promise.all(
    texts.map(async ({ wanted, text }) => {
      const labels = (await suggest(catalog, text)).map(({ label }) => label)
      return { text, wanted, at: labels.indexOf(wanted), first: labels[0] }
    }),
  )
  const mean = ranks.reduce((sum, { at }) => sum + (at < 0 ? 0 : 1 / (at + 1)), 0) / ranks.length
  expect({ mean, missed: ranks.filter(({ at }) => at !== 0) }).toSatisfy(
    (measured: { mean: number }) => measured.mean >= least.mean,
  )
})

test('answers any input with at most ten suggestions', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const hostile = [
    'x'.repeat(1_000),
    'tirecenter'.repeat(100),
    'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(20),
    '225/65R17 '.repeat(100),
    '\u{fdfa}'.repeat(1_000),
    'e\u{301}'.repeat(500),
    '\u{1f6de}\u{200d}'.repeat(300),
    '\u{d800}',
    '9'.repeat(1_000),
    '999999999',
    '-1',
    '1e9',
    "' or 1=1; --",
    '\\%_*.*+?',
    '   ',
  ]
  for (const typed of hostile) expect((await suggest(catalog, typed)).length).toBeLessThanOrEqual(10)
})
