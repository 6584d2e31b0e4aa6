import { expect, test } from 'vitest'
import { zoneForm } from './shipping-plan-form.ts'

test.for([
  ['967, 995-999', ['967', '995-999']],
  ['995 – 999 967', ['967', '995-999']],
  ['00601;  00602 -00699', ['00601', '00602-00699']],
] as const)('ZIP codes of a zone can be entered as %s', ([text, zips]) => {
  const { zips: read } = zoneForm.shape
  expect(read.parse(text)).toEqual(zips)
})
