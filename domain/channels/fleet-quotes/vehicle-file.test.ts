import { expect, test } from 'vitest'
import { mostFleetFileBytes, mostFleetVehicles } from './fleet-quotes.ts'
import { readListBytes, readVehicleList } from './vehicle-file.server.ts'

const accord = '1HGCM82633A004352'
const bmw = 'WBA3A5G59DNP26082'
const civic = '2HGES16565H591271'

const faultsOf = (text: string) => {
  const read = readVehicleList(text)
  return read.ok ? [] : read.detail
}

test.each([
  ['a header in any order', `Plate State,Unit #,License plate,VIN\nil,117,p44 9021,${accord}\n`],
  ['no header', `${accord},117,P449021,IL`],
  ['semicolons and a byte order mark', `\ufeffvin;unit;plate;state\r\n${accord};117;P44-9021;IL\r\n`],
  ['tabs, as pasted from a sheet', `VIN\tUnit\tPlate\tState\n${accord.toLowerCase()}\t117\tP449021\tIL`],
  ['columns we do not read', `Driver,VIN,Year,Unit,Plate,State\nRay,${accord},2003,117,P449021,IL`],
])('reads %s', (_, text) => {
  const read = readVehicleList(text)
  expect(read.ok && read.value.map(({ line: _line, ...row }) => row)).toEqual([
    { vin: accord, unit: '117', plate: 'P449021', plateState: 'IL' },
  ])
})

test('only the VIN is required, and lines have their original numbers', () => {
  const read = readVehicleList(`${accord}\n\n${bmw}\n`)
  expect(read.ok && read.value).toEqual([
    { line: 1, vin: accord, unit: null, plate: null, plateState: null },
    { line: 3, vin: bmw, unit: null, plate: null, plateState: null },
  ])
})

test('every fault is said by its line', () => {
  expect(
    faultsOf(`VIN,Unit,State\n${accord},1,IL\n1HGCM82633A004353,2,IL\nabc,3,IL\n${accord},4,IL\n${civic},5,Illinois`),
  ).toEqual([
    'Line 3: The VIN 1HGCM82633A004353 has a wrong check digit. Read it again.',
    'Line 4: “abc” is not a VIN of 17 characters without I, O and Q.',
    'Line 5: This VIN is on line 2, too.',
    'Line 6: Enter the two letters of the plate’s state, such as IL.',
  ])
})

test.each([
  ['', 'empty'],
  ['Unit,Plate\n1,2', 'named VIN'],
  ['VIN,Unit\n', 'no vehicle below'],
  [`${accord}\n`.repeat(mostFleetVehicles + 1), `more than ${mostFleetVehicles}`],
  [`${accord}${','.repeat(60)}`, 'columns'],
  [`VIN\n"${accord}`, 'cannot be read as CSV'],
  [`VIN\n${'x'.repeat(3_000)}`, 'cannot be read as CSV'],
])('refuses %#', (text, words) => {
  expect(faultsOf(text).join(' ')).toContain(words)
})

test('bytes are read as UTF-8 alone', () => {
  const words = (bytes: Uint8Array) => {
    const read = readListBytes(bytes)
    return read.ok ? read.value : read.detail.join(' ')
  }
  expect(words(new TextEncoder().encode('VIN\nä'))).toBe('VIN\nä')
  expect(words(new Uint8Array([0xff, 0xfe, 0x56, 0]))).toContain('UTF-16')
  expect(words(new Uint8Array([0x56, 0, 0x49]))).toContain('not a text file')
  expect(words(new Uint8Array([0x56, 0xe4, 0x49]))).toContain('not in UTF-8')
  expect(words(new Uint8Array(mostFleetFileBytes + 1))).toContain('larger than')
})
