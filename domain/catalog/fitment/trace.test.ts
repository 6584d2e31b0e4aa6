import { expect, test } from 'vitest'
import { judge } from './fixtures/cases.ts'
import { traceRules } from './fitment.ts'
import { rulesForListedVehicle, rulesForSet } from './rules.ts'

const trace = (given: Parameters<typeof judge>[0]) =>
  traceRules(judge(given)).map(({ rule, axle, level }) => `${rule} ${axle} ${level}`)

test('a fit lists every passed rule and no failed one', () => {
  const all = trace({ listed: '235/60R18 103H', offered: '235/60R18 103H' })
  expect(all).toEqual(
    expect.arrayContaining(['FR1 set fits', 'FR5 set fits', 'FR6 set fits', 'FR10 set fits', 'FR18 set fits']),
  )
  expect(all.filter((line) => !line.endsWith(' fits'))).toEqual([])
})

test('failures come first, with their axle, and never count as passed', () => {
  const all = trace({
    listed: '245/35R19 89Y',
    listedRear: '305/30R20 99Y',
    offered: '245/35R19 89Y',
    rear: '305/30R20 95Y',
  })
  expect(all[0]).toBe('FR10 rear does_not_fit')
  expect(all).not.toContain('FR10 set fits')
  expect(all).toContain('FR18 set fits')
})

test('a failure common to both axles is listed once', () => {
  const all = trace({ listed: '225/65R17 102H', offered: '255/50R19 103W' })
  expect(all.filter((line) => line.startsWith('FR5'))).toEqual(['FR5 set does_not_fit'])
  expect(
    trace({ listed: '245/35R19 89Y', listedRear: '305/30R20 99Y', offered: '225/45R18 91Y' }).filter((line) =>
      line.startsWith('FR5'),
    ),
  ).toEqual(['FR5 front does_not_fit', 'FR5 rear does_not_fit'])
})

test('for an open vehicle only rules passed in every configuration count', () => {
  const { passed } = judge({ listed: '235/60R18 103H', offered: '235/60R18 103H' })
  const [configuration] = judge({ listed: '235/60R18 103H' }).input.requirement.configurations
  const [other] = judge({ listed: '225/65R17 102H' }).input.requirement.configurations
  if (!configuration || !other) return expect.fail('No worlds.')
  const open = judge({
    listed: '235/60R18 103H',
    offered: '235/60R18 103H',
    vehicle: { configurations: [configuration, other] },
  })
  expect(passed).toContain('FR5')
  expect(open.passed).not.toContain('FR5')
  expect(open.passed).toContain('FR10')
})

test('every rule of the tables has a description', () => {
  const findings = [...rulesForListedVehicle, ...rulesForSet].map(([rule]) => ({
    rule,
    axle: 'set' as const,
    level: 'unknown' as const,
    text: '',
    short: '',
  }))
  for (const { rule, checked } of traceRules({ findings, passed: [] })) expect(checked, rule).not.toBe(rule)
})
