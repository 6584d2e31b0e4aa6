import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTireKey, mostCompared, parseTireKeys, type TireKeys } from './comparison.ts'

test.each([
  ['', [], {}],
  ['101', ['101'], {}],
  ['101,102-103', ['101', '102-103'], {}],
  ['101,101,102', ['101', '102'], { hadRepeats: true }],
  ['1,2,3,4,5,6', ['1', '2', '3', '4', '5'], { hadTooMany: true }],
  ['1,2,3,4,5,5', ['1', '2', '3', '4', '5'], { hadRepeats: true }],
  ['0,01,-1,1-,x,1.5,1-2-3,7', ['7'], { hadOthers: true }],
])('reads %o', (text, keys, told) => {
  expect(parseTireKeys(text)).toEqual({ keys, hadRepeats: false, hadTooMany: false, hadOthers: false, ...told })
})

test('adds at the end; refuses a duplicate and a sixth', () => {
  expect(addTireKey(['1'], '2-3')).toEqual({ ok: true, value: ['1', '2-3'] })
  expect(addTireKey(['1', '2'], '1')).toMatchObject({ ok: false, reason: 'duplicate' })
  expect(addTireKey(['1', '2', '3', '4', '5'], '6')).toMatchObject({ ok: false, reason: 'maximum' })
  expect(addTireKey(['1', '2', '3', '4', '5'], '5')).toMatchObject({ ok: false, reason: 'duplicate' })
})

test('reading and adding give at most five distinct keys, which parse back unchanged', () => {
  const isSound = (keys: TireKeys) => {
    expect(keys.length).toBeLessThanOrEqual(mostCompared)
    expect(new Set(keys).size).toBe(keys.length)
    expect(parseTireKeys(keys.join(',')).keys).toEqual(keys)
  }
  fc.assert(fc.property(fc.string(), (text) => isSound(parseTireKeys(text).keys)))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 8 })), (ids) => {
      isSound(
        ids.reduce<TireKeys>((keys, id) => {
          const added = addTireKey(keys, String(id))
          return added.ok ? added.value : keys
        }, []),
      )
    }),
  )
})
