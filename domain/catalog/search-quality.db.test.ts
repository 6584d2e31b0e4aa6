import { expect, test } from 'vitest'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { fixedClock } from '#platform/clock.ts'
import { createCatalog, suggest } from './catalog.server.ts'

/** What people type, and what stands first under the box. */
const table: readonly (readonly [typed: string, first: string])[] = [
  // Sizes in any writing.
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
  // Places, and shops by their name.
  ['halsted tire', 'Halsted Tire'],
  ['haslted tire', 'Halsted Tire'],
  ['60614', 'Shops near 60614'],
]

test('what is meant stands first', async () => {
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

test('whatever is typed is answered, with no more than ten suggestions', async () => {
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
