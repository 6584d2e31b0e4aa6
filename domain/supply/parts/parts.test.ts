/** Tests kinds, forms, and files of parts. */
import { expect, test } from 'vitest'
import { factTexts, partColumns, partForm, partKindOf, partKinds, partValues } from './parts.ts'

const typed = {
  kind: 'tpms-sensor',
  sku: ' hs-433-m ',
  brand: 'Halden',
  name: 'Sense 433',
  price: '41.99',
  cost: '',
  sale: 'on',
  frequency: '433',
  valve: 'metal',
}

test('a part has the fields of its kind, and no others', () => {
  const draft = partForm.parse({ ...typed, color: 'black' })
  expect(draft).toEqual({
    kind: 'tpms-sensor',
    sku: 'HS-433-M',
    brand: 'Halden',
    name: 'Sense 433',
    facts: { frequency: '433', valve: 'metal' },
    priceCents: 4199,
    costCents: null,
    isOnSale: true,
    version: 0,
  })
  expect(factTexts(partKindOf(draft.kind), draft.facts)).toEqual(['433 MHz', 'Metal, clamp-in'])
  expect(partForm.parse(partValues({ ...draft, id: 1, units: 0 }))).toEqual(draft)
})

test.each([
  ['kind', 'constructor'],
  ['sku', 'new'],
  ['sku', 'A'],
  ['sku', 'A B'],
  ['name', 'A <b>'],
  ['price', '0'],
  ['price', '100,000.01'],
  ['cost', 'x'],
  ['sale', 'yes'],
  ['frequency', '434'],
  ['valve', ''],
  ['valve', 'toString'],
])('%s can’t be %j', (field, value) => {
  const { error } = partForm.safeParse({ ...typed, [field]: value })
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
})

test('sensors don’t fit vehicles without sensors in their wheels, and the shop confirms others', () => {
  const results = (['direct', 'indirect', 'none', null] as const).map(
    (tpms) => partKindOf('tpms-sensor')?.fit({ tpms }).result,
  )
  expect(results).toEqual(['unknown', 'does-not-fit', 'does-not-fit', 'unknown'])
  expect(partKindOf('tpms-sensor')?.fit(null).text).toBe('The shop confirms the sensor')
})

test('fields of kinds have names that differ from each other and from those all parts have', () => {
  const keys = partKinds.flatMap(({ fields }) => fields.map(({ key }) => key))
  expect(new Set(keys).size).toBe(keys.length)
  expect(Object.keys(partColumns)).toEqual([
    'sku',
    'kind',
    'brand',
    'name',
    'price',
    'cost',
    'sale',
    'version',
    ...keys,
  ])
})
