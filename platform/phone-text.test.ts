import { expect, test } from 'vitest'
import { internationalPhone, phoneText } from './phone-text.ts'

test.for([
  ['3125550142', '(312) 555-0142', '+1-312-555-0142'],
  ['312-555-0142', '(312) 555-0142', '+1-312-555-0142'],
  ['(312) 555-0142', '(312) 555-0142', '+1-312-555-0142'],
  ['+1 312.555.0142', '(312) 555-0142', '+1-312-555-0142'],
  ['+13125550142', '(312) 555-0142', '+1-312-555-0142'],
  ['+442079460958', '+44 2079460958', '+44-2079460958'],
  ['555-0142', '555-0142', '555-0142'],
  ['', '', ''],
] as const)('%s is shown as %s and given to programs as %s', ([phone, text, international]) => {
  expect(phoneText(phone)).toEqual(text)
  expect(internationalPhone(phone)).toEqual(international)
})
