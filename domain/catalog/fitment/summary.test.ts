import { expect, test } from 'vitest'
import { readTireString, readVectors } from './fixtures/vectors.ts'
import { judgeFitment, summarizeVerdict } from './fitment.ts'
import type { Context, Requirement } from './terms.ts'

const vectors = readVectors()

function summarize(
  listed: string,
  offered: string,
  more: Partial<Requirement> = {},
  context: Context = { quantity: 4 },
  vehicleName = '2021 RAV4 XLE',
) {
  const requirement = readTireString(listed)
  const verdict = judgeFitment({
    requirement: {
      source: 'placard',
      vehicleClass: 'suv',
      drive: 'fwd',
      configurations: [{ front: requirement, rear: requirement }],
      ...more,
    },
    candidate: { front: readTireString(offered) },
    context,
  })
  return summarizeVerdict(verdict, { vehicleName })
}

const vector = (id: string, vehicleName?: string) => {
  const { input } = vectors.find((row) => row.id === id) ?? expect.fail(id)
  return summarizeVerdict(judgeFitment(input), { vehicleName })
}

test('fits', () => {
  expect(summarize('225/65R17 102H', '225/65R17 102H')).toEqual({
    verdict: 'fits',
    icon: 'y',
    factorySize: undefined,
    card: 'Fits front and rear',
    headline: 'Fits your 2021 RAV4 XLE, front and rear',
    lines: ['Fits. Matches the label you confirmed: size, load 102, speed H, front and rear.'],
    notes: [],
    labelQuestion: undefined,
    axles: [
      {
        label: 'Size',
        requirements: '225/65R17',
        front: { text: 'Same', state: 'ok' },
        rear: { text: 'Same', state: 'ok' },
      },
      { label: 'Load', requirements: '102', front: { text: '102', state: 'ok' }, rear: { text: '102', state: 'ok' } },
      { label: 'Speed', requirements: 'H', front: { text: 'H', state: 'ok' }, rear: { text: 'H', state: 'ok' } },
    ],
  })
})

test('listed, not confirmed yet', () => {
  const listed = summarize('225/65R17 102H', '225/65R17 102H', { source: 'catalog' }, undefined, 'RAV4')
  expect(listed.icon).toBe('c')
  expect(listed.card).toBe('Factory size for your RAV4; confirm it once on your door label')
  expect(listed.headline).toBe(listed.card)
  expect(listed.factorySize).toBe('Factory size for your RAV4')
  expect(listed.labelQuestion).toBe(
    "Open the driver's door. On the label find size for FRONT and REAR, e.g. 225/65R17. Does it say 225/65R17 front and 225/65R17 rear? Are these the wheels it came with?",
  )
  expect(listed.axles.every(({ front, rear }) => front?.state === 'ok' && rear?.state === 'ok')).toBe(true)
})

test('a conditionally listed tire shows both facts', () => {
  const { card, headline, lines, factorySize } = summarize(
    '225/65R17 102H',
    '225/65R17 102T winter 3PMSF',
    { source: 'catalog' },
    undefined,
    'RAV4',
  )
  expect(card).toBe('Listed for your RAV4 in winter: keep under 118 mph; confirm on the door label')
  expect(headline).toBe('Listed for your RAV4. Fits if:')
  expect(factorySize).toBeUndefined()
  expect(lines).toEqual([
    'Winter tires: never above 118 mph. Put the sticker on the dash. Fit all four.',
    "Listed for your vehicle. Confirm on the driver's door label.",
  ])
})

test('shows all conditions separately, including winter speed', () => {
  expect(summarize('225/65R17 102H', '225/65R17 102T winter 3PMSF').card).toBe('Fits in winter: keep under 118 mph')
  expect(vector('FV022').card).toBe('Fits if the shop sets a higher pressure and you keep under 112 mph')
  expect(vector('FV022').lines).toHaveLength(2)
  expect(vector('FV106').card).toBe('Fits if the shop checks clearance')
  expect(vector('FV127').card).toBe(
    'Fits if all four match within 4/32 inch of tread, with the new pair on the rear axle',
  )
  expect(vector('FV129', 'Camry').headline).toBe('Fits your Camry if:')
})

test('does_not_fit shows the strongest reason first, with the axle if only one fails', () => {
  const slow = summarize('225/65R17 102H', '225/65R17 102T')
  expect(slow.icon).toBe('n')
  expect(slow.card).toBe('Does not fit: rated T, needs H')
  expect(slow.lines).toEqual([
    'Rated to 118 mph; your SUV needs 130 mph.',
    "We won't install this on your 2021 RAV4 XLE.",
  ])
  expect(vector('FV002', 'Corvette')).toMatchObject({
    card: 'Does not fit in the rear: carries 1,323 lb, needs 1,709 lb',
    headline: 'Does not fit your Corvette in the rear: carries 1,323 lb, needs 1,709 lb',
  })
  expect(vector('FV017').card).toBe('Does not fit in front: carries 1,709 lb, needs 1,764 lb')
  expect(vector('FV054').lines[0]).toBe('Carries 1,874 lb; your tires must carry 1,929 lb.')
  expect(vector('FV068').lines[0]).toBe('This tire is for 17 inch wheels; yours are 18.')
  expect(vector('FV007').card).toBe("Does not fit: run-flat and regular tires don't mix")
})

test('unknown: one question, amber, never a check', () => {
  const open = vector('FV067')
  expect(open).toMatchObject({
    verdict: 'unknown',
    icon: 'c',
    card: "Can't say yet: which size is on your door label?",
    headline: "We can't say yet",
    lines: ['Your model came with 2 tire sizes. Which one is on your door label?'],
    labelQuestion: undefined,
  })
  expect(open.axles[0]).toEqual({
    label: 'Size',
    requirements: '235/60R18 or 235/65R17',
    front: { text: '235/60R18', state: 'check' },
    rear: { text: '235/60R18', state: 'check' },
  })
  expect(vector('FV009').card).toBe("Can't say yet: front or rear pair?")
})

test('the axle table of a staggered set shows which axle fails and why', () => {
  expect(vector('FV002').axles).toEqual([
    {
      label: 'Size',
      requirements: '245/35R19 front, 305/30R20 rear',
      front: { text: 'Same', state: 'ok' },
      rear: { text: 'Same', state: 'ok' },
    },
    {
      label: 'Load',
      requirements: '89 front, 99 rear',
      front: { text: '89', state: 'ok' },
      rear: { text: '90', state: 'no' },
    },
    { label: 'Speed', requirements: 'Y', front: { text: 'Y', state: 'ok' }, rear: { text: 'Y', state: 'ok' } },
  ])
})

test('the axle table omits unchanged axles and marks unknowns', () => {
  expect(vector('FV008').axles[0]).toEqual({
    label: 'Size',
    requirements: '245/35R19 front, 305/30R20 rear',
    front: undefined,
    rear: { text: 'Same', state: 'ok' },
  })
  expect(vector('FV074').axles[1]).toEqual({
    label: 'Load',
    requirements: '103',
    front: { text: 'not known', state: 'check' },
    rear: { text: 'not known', state: 'check' },
  })
  expect(vector('FV078').axles[0]).toEqual({
    label: 'Size',
    requirements: 'not known',
    front: { text: '235/60R18', state: 'check' },
    rear: { text: '235/60R18', state: 'check' },
  })
  expect(vector('FV147').axles[1]?.requirements).toBe('107/105')
  expect(vector('FV074').axles[2]?.front).toEqual({ text: 'H', state: 'ok' })
  expect(vector('FV067').axles[1]?.front).toEqual({ text: '103', state: 'check' })
  expect(vector('FV067').axles[2]?.front).toEqual({ text: 'H', state: 'ok' })
})

test('a size counts as the same only if listed', () => {
  const [size] = summarize('?', '225/65R17 102H', { source: 'none', configurations: [] }).axles
  expect(size).toMatchObject({ label: 'Size', requirements: 'not known', front: { text: '225/65R17', state: 'check' } })
})

test('special positions and incomplete labels', () => {
  expect(vector('FV103')).toMatchObject({
    card: 'Fits as your spare',
    lines: ['Fits. Matches the label you confirmed: size, load 110, speed M, as your spare.'],
  })
  expect(vector('FV073').lines).toEqual(['Fits. Matches every label your vehicle may have, front and rear.'])
  expect(summarize('ST225/75R15 113? LR=D', 'ST225/75R15 113? LR=D', { vehicleClass: 'trailer' }).lines).toEqual([
    'Fits. Matches the label you confirmed: size, load 113, front and rear.',
  ])
  expect(vector('FV137').notes).toEqual(['Not an EV-specific tire: range and noise may differ.'])
  const dual = '195/75R16C 107/105R LR=D'
  expect(summarize(dual, dual, { vehicleClass: 'van', dualRearWheels: true }, { quantity: 4, axle: 'rear' }).card).toBe(
    'Fits the rear axle',
  )
})

test('every acceptance table row has a summary that follows the rule book', () => {
  for (const { id, input } of vectors) {
    const summary = summarizeVerdict(judgeFitment(input), { vehicleName: 'RAV4' })
    const all = [summary.card, summary.headline, ...summary.lines].join(' ')
    expect(all, id).not.toMatch(/should fit|universal|compatible|invalid|undefined|NaN|null/)
    expect(summary.icon === 'y', id).toBe(summary.verdict === 'fits')
    expect(summary.lines.length, id).toBeGreaterThan(0)
    expect(summary.card, id).not.toMatch(/[: ]$/)
  }
})
