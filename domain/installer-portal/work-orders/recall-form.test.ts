/** The recall form, with campaign numbers, and ranges by row. */
import { expect, test } from 'vitest'
import { parseCampaign, rangeText, readRanges, recallForm, tinKeyOf } from './recall-form.ts'

test.for([
  ['26T-004', '26T-004'],
  [' 26t004 ', '26T-004'],
  ['26T004000', '26T-004'],
  ['26V-004', undefined],
  ['26T-4', undefined],
  ['', undefined],
  ['9'.repeat(5_000), undefined],
])('%s is campaign %s', ([typed, campaign]) => {
  expect(parseCampaign(typed ?? '')).toBe(campaign)
})

test('ranges are read row by row, with names in the first row, empty codes and weeks without their zero', () => {
  const read = readRanges('Plant,Code,From,To\r\n7b3,KXYZ,3425,0226\n\n1A;;125;"5025"\n1A,,0125,5025\n')
  expect(read).toEqual({
    ok: true,
    value: [
      { plant: '7B3', code: 'KXYZ', fromWeek: 202_534, toWeek: 202_602 },
      { plant: '1A', code: '', fromWeek: 202_501, toWeek: 202_550 },
    ],
  })
  if (read.ok) expect(read.value.map(rangeText)[0]).toBe('Plant 7B3, code KXYZ, weeks 34/25 to 02/26')
})

test.for([
  ['', 'Enter at least one range.'],
  ['7B3,KXYZ,3425', 'Row 1: needs plant, code, week from and week to.'],
  ['7B3,,3425,0126,5', 'Row 1: needs plant, code, week from and week to.'],
  ['1A,,0125,5025\nI0,,0125,5025', 'Row 2: the plant has 2 or 3 letters and digits, without I, O and Q.'],
  ['1A,TOO-LONG,0125,5025', 'Row 1: the code has up to 6 letters and digits, without I, O and Q.'],
  ['1A,,5425,5025', 'Row 1: a week is written as on the tire, week and year: 3425.'],
  ['1A,,5025,4925', 'Row 1: the last week is before the first.'],
])('%j is refused: %s', ([typed, fault]) => {
  expect(readRanges(typed ?? '')).toEqual({ ok: false, faults: [fault] })
})

test('hundreds of bad rows are counted, not listed, and a huge text is not looked at', () => {
  const read = readRanges('x\n'.repeat(500))
  expect(read.ok ? [] : [read.faults.length, read.faults.at(-1)]).toEqual([13, 'And 488 more.'])
  expect(readRanges('1A,,0125,5025\n'.repeat(2_100))).toMatchObject({ ok: false })
  expect(readRanges('x'.repeat(200_001))).toMatchObject({ ok: false })
})

test('a TIN is looked up by plant, with three characters of 13 or two of a shorter one', () => {
  expect(tinKeyOf('7B3KXYZ923426')).toEqual({ plant: '7B3', rest: 'KXYZ92', madeWeek: 202_634 })
  expect(tinKeyOf('1ABCSDWL0226')).toEqual({ plant: '1A', rest: 'BCSDWL', madeWeek: 202_602 })
})

test('sizes are listed once each, and the campaign is written one way', () => {
  const typed = {
    campaign: '26t004',
    maker: 'Kestrel',
    line: ' ',
    sizes: '225/65r17, 225/65R17\n245/60R18',
    defect: 'x',
    remedy: 'y',
  }
  expect(recallForm.parse(typed)).toMatchObject({ campaign: '26T-004', line: null, sizes: ['225/65R17', '245/60R18'] })
  expect(recallForm.safeParse({ ...typed, campaign: 'x', remedy: ' ' }).success).toBe(false)
})
