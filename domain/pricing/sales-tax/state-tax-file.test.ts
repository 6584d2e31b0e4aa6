import { describe, expect, test } from 'vitest'
import { readStateTaxFile } from './read-state-taxes.server.ts'
import { maxStateTaxBytes, maxStateTaxRows, optionalStateTaxColumns, stateTaxColumns } from './state-tax-file.ts'

const header = [...stateTaxColumns, ...optionalStateTaxColumns].join(',')
const line = (more: Partial<Record<string, string>> = {}) =>
  Object.values({
    code: 'IL',
    rate: '6.25%',
    fee: '$2.50',
    feeName: '',
    taxed: '"Tires, Shipping"',
    checked: '2026-11-01',
    verified: 'yes',
    source: 'ST-8',
    starts: '',
    seen: '3',
    ...more,
  }).join(',')
const read = (...lines: string[]) => readStateTaxFile([header, ...lines].join('\r\n'))
const faultsOf = (...lines: string[]) => {
  const outcome = read(...lines)
  return outcome.ok ? [] : outcome.detail
}

test('a row has all fields of the form', () => {
  expect(read('', line(), line({ code: 'tx', taxed: '', fee: 'None', seen: '', starts: '2027-01-01' }))).toEqual({
    ok: true,
    value: [
      {
        line: 3,
        state: 'IL',
        seen: 3,
        draft: {
          ratePpm: 62_500,
          tireFee: [{ belowRimInches: null, cents: 250 }],
          tireFeeName: null,
          taxed: ['tire', 'shipping'],
          source: 'ST-8',
          checkedOn: '2026-11-01',
          isVerified: true,
          startsOn: null,
        },
      },
      expect.objectContaining({ line: 4, state: 'TX', seen: null }),
    ],
  })
})

describe('every error is reported by line and column', () => {
  test.for([
    [{ code: 'Illinois' }, 'Line 2, Code: Enter two letters such as TX.'],
    [{ rate: 'six' }, 'Line 2, State rate: Enter a percentage such as 6.25.'],
    [{ rate: '31' }, 'Line 2, State rate: Enter at most 30%.'],
    [{ fee: '2; 1' }, 'Line 2, Tire fee: Enter an amount such as 2.50, or $1.00 below 24 in; $2.00.'],
    [{ taxed: 'Wheels' }, expect.stringContaining('Line 2, Taxed: Use Tires, Installation labor')],
    [{ checked: '' }, 'Line 2, Checked: Enter the day that you checked it.'],
    [{ verified: 'maybe' }, 'Line 2, Verified: Enter yes or no.'],
    [{ source: '' }, 'Line 2, Source: Enter the page or law that you checked.'],
    [{ starts: '1/1/2027' }, 'Line 2, Starts: Choose a day.'],
    [{ seen: 'x' }, 'Line 2, Last change: Leave this as exported.'],
  ] as const)('%j', ([more, fault]) => {
    expect(faultsOf(line(more))).toEqual([fault])
  })

  test('two rows for one state and day', () => {
    expect(faultsOf(line(), line(), line({ starts: '2027-01-01' }))).toEqual([
      'Line 3: line 2 is for the same state and day.',
    ])
  })
})

test.for([
  ['"', ['The file can’t be read as CSV. Check its quotation marks.']],
  ['', [expect.stringContaining('The first line lacks the columns Code, State rate')]],
  [header, ['The file has no rows below its header.']],
  ['x'.repeat(maxStateTaxBytes + 1), ['The file is larger than 256 kB.']],
  [`${header}\n${`${line()}\n`.repeat(maxStateTaxRows + 1)}`, ['The file has more than 500 rows.']],
] as const)('rejects unreadable and oversized files', ([text, faults]) => {
  expect(readStateTaxFile(text)).toMatchObject({ ok: false, detail: faults })
})

test('removes the export’s formula guard', () => {
  expect(read(line({ source: `'=ST-8` }))).toMatchObject({ value: [{ draft: { source: '=ST-8' } }] })
})
