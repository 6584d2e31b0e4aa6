import { expect, test } from 'vitest'
import { judgeFitment, type Level } from '#domain/catalog/fitment/fitment.ts'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { withProvided, type ProvidedSizes } from './provided-options.server.ts'
import { combineLists, type OptionOfList } from './size-lists.ts'
import { requirementFor, type FitmentOption, type Vehicle } from './vehicles.ts'

const crv: Vehicle = {
  id: 1,
  year: 2019,
  make: 'Honda',
  model: 'CR-V',
  trim: 'EX',
  makeSlug: 'honda',
  modelSlug: 'cr-v',
  trimSlug: 'ex',
  vehicleClass: 'suv',
  drive: 'fwd',
}
const licensed = { 2: { name: 'SizeData', date: '2026-10-05' }, 3: { name: 'FitBase', date: '2026-11-02' } }

let nextId = 1
/** "235/60R18 103H" in a list; "weak" ones follow a "?". */
function option(listId: 1 | 2 | 3, text: string): OptionOfList {
  const [size = '', load = '', speed = ''] = /^(\S+) (\d*)(\S*?)\??$/.exec(text)?.slice(1) ?? []
  const tire = { size, loadIndex: load === '' ? null : Number(load), speed: speed || null }
  const list = listId === 1 ? undefined : licensed[listId]
  return {
    id: nextId++,
    front: tire,
    rear: tire,
    isStaggered: false,
    source: text.endsWith('?') ? 'weak' : 'catalog',
    listId,
    ...(list && { list }),
  }
}

const shown = ({ front, source, list }: FitmentOption) =>
  `${front.size} ${front.loadIndex ?? ''}${front.speed ?? ''} ${source} ${list?.name ?? 'open'}`

const verdictOn = (options: readonly OptionOfList[], tire: string): Level =>
  judgeFitment({
    requirement: requirementFor([{ vehicle: crv, fitments: combineLists(options) }], {
      fitmentId: null,
      confirmed: false,
      label: null,
    }),
    candidate: { front: { ...parseTire(tire), loadClass: undefined }, rear: undefined },
    context: { quantity: 4 },
  }).verdict

const cases: readonly [string, OptionOfList[], string[], string, Level][] = [
  [
    'one list counts as it is',
    [option(1, '235/60R18 103H'), option(1, '235/65R17 104H?')],
    ['235/60R18 103H catalog open', '235/65R17 104H weak open'],
    '235/60R18 103H',
    'unknown',
  ],
  [
    'lists that agree count as one, named by the licensed one',
    [option(1, '235/60R18 103H?'), option(2, '235/60R18 103H')],
    ['235/60R18 103H catalog SizeData'],
    '235/60R18 103H',
    'fits_with_conditions',
  ],
  [
    'the higher load index and speed count, whichever list has them',
    [option(1, '235/60R18 107H'), option(2, '235/60R18 103V')],
    ['235/60R18 107V catalog SizeData'],
    '235/60R18 103V',
    'does_not_fit',
  ],
  [
    'a tire that meets the stricter requirement is listed',
    [option(1, '235/60R18 107H'), option(2, '235/60R18 103V')],
    ['235/60R18 107V catalog SizeData'],
    '235/60R18 107V',
    'fits_with_conditions',
  ],
  [
    'a missing value is filled, not a reason to doubt',
    [option(1, '235/60R18 103H'), option(2, '235/60R18 ')],
    ['235/60R18 103H catalog SizeData'],
    '235/60R18 100H',
    'does_not_fit',
  ],
  [
    'lists with different sizes make both uncertain',
    [option(1, '235/60R18 103H'), option(2, '235/65R17 104H')],
    ['235/65R17 104H weak SizeData', '235/60R18 103H weak open'],
    '235/60R18 103H',
    'unknown',
  ],
  [
    'a size that one of three lists lacks is uncertain',
    [option(1, '235/60R18 103H'), option(2, '235/60R18 103H'), option(3, '235/65R17 104H')],
    ['235/65R17 104H weak FitBase', '235/60R18 103H weak SizeData'],
    '235/60R18 103H',
    'unknown',
  ],
  [
    'the later of two licensed lists names the option',
    [option(2, '235/60R18 103H'), option(3, '235/60R18 103H')],
    ['235/60R18 103H catalog FitBase'],
    '235/60R18 103H',
    'fits_with_conditions',
  ],
  [
    'lists that are both weak stay weak',
    [option(1, '235/60R18 103H?'), option(2, '235/60R18 103H?')],
    ['235/60R18 103H weak SizeData'],
    '235/60R18 103H',
    'unknown',
  ],
  [
    'ZR without a letter is the strictest speed',
    [option(1, '235/60R18 103ZR'), option(2, '235/60R18 103H')],
    ['235/60R18 103ZR catalog SizeData'],
    '235/60R18 103H',
    'unknown',
  ],
]

test.each(cases)('%s', (_case, options, expected, tire, verdict) => {
  expect(combineLists(options).map(shown)).toEqual(expected)
  expect(combineLists(options.toReversed()).map(shown).toSorted()).toEqual(expected.toSorted())
  expect(verdictOn(options, tire)).toBe(verdict)
})

test('a verdict from a licensed list names the list and its date', () => {
  const source = (options: readonly OptionOfList[]) =>
    requirementFor([{ vehicle: crv, fitments: combineLists(options) }], {
      fitmentId: null,
      confirmed: false,
      label: null,
    }).sourceDate
  expect(source([option(1, '235/60R18 103H')])).toBe('November 2026')
  expect(source([option(2, '235/60R18 103H'), option(1, '235/60R18 103H')])).toBe('SizeData, October 5, 2026')
})

/** "ex lx: 235/60R18 103H" as a provider lists it. */
function provided(...texts: readonly string[]): ProvidedSizes {
  const options = texts.map((text) => {
    const [trims = '', tire = ''] = text.split(': ')
    const { front, rear } = option(1, tire)
    return { trims: trims.split(' ').filter(Boolean), front, rear }
  })
  return { provider: 'wheel-size', date: '2026-11-20', options }
}

const open = () => option(1, '235/60R18 103H')
const providerCases: readonly [string, OptionOfList[], ProvidedSizes, string, string[]][] = [
  ['the stricter value counts', [open()], provided('ex: 235/60R18 107V'), 'ex', ['235/60R18 107V catalog Wheel-Size']],
  [
    'a weak row that it confirms counts as checked',
    [option(1, '235/60R18 103H?')],
    provided('ex: 235/60R18 103H'),
    'ex',
    ['235/60R18 103H catalog Wheel-Size'],
  ],
  [
    'a size that it lacks is uncertain',
    [open()],
    provided('ex: 235/65R17 104H'),
    'ex',
    ['235/65R17 104H weak Wheel-Size', '235/60R18 103H weak open'],
  ],
  ['another trim doesn’t count', [open()], provided('lx: 235/65R17 104H'), 'ex', ['235/60R18 103H catalog open']],
  ['sizes without a trim don’t count', [open()], provided(': 235/65R17 104H'), 'ex', ['235/60R18 103H catalog open']],
  [
    'a model that is listed as a whole has the sizes of all trims, each once',
    [open()],
    provided('ex: 235/60R18 103H', 'lx: 235/60R18 103V', ': 235/60R18 '),
    'all',
    ['235/60R18 103V catalog Wheel-Size'],
  ],
  ['an empty answer changes nothing', [open()], provided(), 'ex', ['235/60R18 103H catalog open']],
  [
    'a later licensed list names the size',
    [open(), { ...option(3, '235/60R18 103H'), list: { name: 'FitBase', date: '2026-11-21' } }],
    provided('ex: 235/60R18 107H'),
    'ex',
    ['235/60R18 107H catalog FitBase'],
  ],
]

test.each(providerCases)('a provider’s list: %s', (_case, options, list, trim, expected) => {
  expect(combineLists(withProvided(options, list, trim)).map(shown)).toEqual(expected)
})

test('a provider’s size has the ID of the same stored size, or always the same new one', () => {
  const stored = open()
  const list = provided('ex: 235/60R18 103H', 'ex: 235/65R17 104H')
  const ids = () => combineLists(withProvided([stored], list, 'ex')).map(({ id }) => id)
  expect(ids()).toContain(stored.id)
  expect(ids()).toEqual(ids())
  expect(Math.max(...ids())).toBeGreaterThan(2 ** 30)
  expect(Math.max(...ids())).toBeLessThan(2 ** 31)
})

test('a requirement has the wheel data that all engines and sizes share, and a label has none for its size', () => {
  const wheels = (torqueLbFt: number, frontPsi = 35) => ({
    frontPsi,
    rearPsi: frontPsi,
    frontOffsetMm: null,
    rearOffsetMm: null,
    boltPattern: '5x114.3',
    hubBoreMm: null,
    tpms: null,
    torqueLbFt,
  })
  const tire = (size: string) => ({ size, loadIndex: 103, speed: 'H' })
  const requirement = (
    all: readonly [size: string, torqueLbFt: number, psi?: number][],
    label: string | null = null,
  ) => {
    const options = all.map(([size, torque, psi]) => ({
      trims: ['ex'],
      front: tire(size),
      rear: tire(size),
      wheels: wheels(torque, psi),
    }))
    const provided: ProvidedSizes = { provider: 'wheel-size', date: '2026-11-03', options }
    const fitments = combineLists(withProvided([option(1, '235/60R18 103H')], provided, 'ex'))
    const settled = { fitmentId: null, confirmed: false, label: label === null ? null : { front: label, rear: label } }
    return requirementFor([{ vehicle: crv, fitments }], settled).wheels
  }
  const shared = { boltPattern: '5x114.3', sources: [{ name: 'Wheel-Size', date: '2026-11-03' }] }
  expect(requirement([['235/60R18', 80]])).toMatchObject({ ...shared, torqueLbFt: 80, frontPsi: 35 })
  expect(
    requirement([
      ['235/60R18', 80],
      ['235/60R18', 98],
    ]),
  ).toMatchObject({ ...shared, torqueLbFt: null, frontPsi: 35 })
  expect(requirement([['235/60R18', 80]], '245/60R18 105H')).toMatchObject({
    ...shared,
    torqueLbFt: 80,
    frontPsi: null,
  })
  // The open list has a size that the provider lacks, so the car may have another wheel.
  expect(requirement([['235/65R17', 80]])).toBeUndefined()
})
