import { expect, test } from 'vitest'
import { silenceRule, slipOf } from './delays.ts'

const day = (text: string) => Temporal.PlainDate.from(`2026-${text}`)
const parcel = (promised: string, expected: string | null = null) => ({
  promisedOn: day(promised),
  expectedOn: expected === null ? null : day(expected),
})
const said = (slip: ReturnType<typeof slipOf>) =>
  slip && [slip.promisedOn.toString(), slip.revisedOn?.toString() ?? null]

test.for([
  ['the promise stands', [parcel('11-24', '11-23')], null, '11-22', undefined],
  ['the last promised day is not over', [parcel('11-24')], null, '11-24', undefined],
  ['the carrier expects it later', [parcel('11-24', '11-27')], null, '11-22', ['2026-11-24', '2026-11-27']],
  ['the promised day passed', [parcel('11-24')], null, '11-25', ['2026-11-24', null]],
  ['the expected day passed, too', [parcel('11-24', '11-24')], null, '11-26', ['2026-11-24', null]],
  [
    'one of two is late',
    [parcel('11-24', '11-23'), parcel('11-25', '11-28')],
    null,
    '11-22',
    ['2026-11-25', '2026-11-28'],
  ],
  ['two are late, one without a day', [parcel('11-23'), parcel('11-24', '11-28')], null, '11-25', ['2026-11-24', null]],
  ['the new day stands', [parcel('11-24', '11-27')], ['11-24', '11-27'], '11-27', undefined],
  ['the new day passed', [parcel('11-24', '11-27')], ['11-24', '11-27'], '11-28', ['2026-11-27', null]],
  ['later again', [parcel('11-24', '12-02')], ['11-24', '11-27'], '11-25', ['2026-11-27', '2026-12-02']],
  ['no day was named, and none is known', [parcel('11-24')], ['11-24', null], '12-20', undefined],
  [
    'no day was named, and now one is',
    [parcel('11-24', '12-02')],
    ['11-24', null],
    '11-26',
    ['2026-11-24', '2026-12-02'],
  ],
] as const)('%s', ([, parcels, last, today, slip]) => {
  const told = last && { promisedOn: day(last[0]), revisedOn: last[1] === null ? null : day(last[1]) }
  expect(said(slipOf(parcels, told, day(today)))).toEqual(slip)
})

test.for([
  ['a first delay of one day', 1, '11-24', '11-25', ['wait', '2026-11-25']],
  ['a first delay of 30 days', 1, '11-24', '12-24', ['wait', '2026-12-24']],
  ['a first delay of 31 days', 1, '11-24', '12-25', ['cancel', '2026-12-24']],
  ['a first delay without a day', 1, '11-24', null, ['cancel', '2026-12-24']],
  ['a second delay of one day', 2, '11-24', '11-25', ['cancel', '2026-12-01']],
  ['a third delay without a day', 3, '11-24', null, ['cancel', '2026-12-01']],
] as const)('silence on %s', ([, noticeNo, promised, revised, [onSilence, answerBy]]) => {
  const slip = { promisedOn: day(promised), revisedOn: revised === null ? null : day(revised) }
  const rule = silenceRule(slip, { noticeNo, toldOn: day('11-24') })
  expect(rule.onSilence).toEqual(onSilence)
  expect(rule.answerBy.toString()).toBe(answerBy)
})
