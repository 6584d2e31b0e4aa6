import { expect, test } from 'vitest'
import { stateCodeOf, usStates } from './us-states.ts'

test.each([
  ['TX', 'TX'],
  ['tx', 'TX'],
  ['US-TX', 'TX'],
  [' Texas ', 'TX'],
  ['NEW  YORK', 'NY'],
  ['District of Columbia', 'DC'],
  ['Washington, D.C.', 'DC'],
  ['U.S. Virgin Islands', 'VI'],
  ['Ontario', undefined],
  ['US-', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['x'.repeat(1_000), undefined],
])('%j is %s', (written, code) => {
  expect(stateCodeOf(written)).toBe(code)
})

test('every state is known by its code and its name', () => {
  for (const [code, name] of usStates) {
    expect(stateCodeOf(code)).toEqual(code)
    expect(stateCodeOf(name)).toEqual(code)
  }
})
