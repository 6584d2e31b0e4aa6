import { expect, test } from 'vitest'
import { compareWithKept, readFindings } from './test-only-code.ts'

const moveBooking = { file: 'domain/scheduling/booking/booking.server.ts', kind: 'exports', name: 'moveBooking' }
const kept = [{ name: 'moveBooking', files: ['domain/scheduling/booking/booking.server.ts'], waitsFor: 'late parcels' }]

test('listed findings aren’t reported', () => {
  expect(compareWithKept([moveBooking], kept)).toEqual([])
})

test('what only tests use is found, be it an export, a file or a package', () => {
  const findings = [
    moveBooking,
    { file: 'domain/scheduling/booking/booking.ts', kind: 'exports', name: 'moveBooking' },
    { file: 'domain/scheduling/booking/calm.ts', kind: 'files', name: 'domain/scheduling/booking/calm.ts' },
    { file: 'package.json', kind: 'dependencies', name: 'fast-check' },
  ]
  expect(compareWithKept(findings, kept).map((line) => line.split('. ')[0])).toEqual([
    'domain/scheduling/booking/booking.ts exports moveBooking only for tests',
    'domain/scheduling/booking/calm.ts is used only by tests',
    'package.json needs fast-check only for tests (dependencies).',
  ])
})

test('unneeded list entries are reported', () => {
  expect(compareWithKept([], kept)).toEqual([
    'moveBooking of domain/scheduling/booking/booking.server.ts is used or removed. Take it off the list in tools/test-only-code.ts.',
  ])
})

test('parses a report by file and rejects other input', () => {
  const report = { issues: [{ file: moveBooking.file, exports: [{ name: 'moveBooking', line: 278 }], files: [] }] }
  expect(readFindings(`A note before it\n${JSON.stringify(report)}\n`)).toEqual([moveBooking])
  expect(readFindings('{"issues":[]}')).toEqual([])
  expect(readFindings('ERROR: Error loading knip.json')).toBeUndefined()
})
