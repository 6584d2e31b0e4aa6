import { expect, test } from 'vitest'
import { dollars, optionalText, ticked } from './form-fields.ts'

test('an amount is parsed as people type it, and empty or excessive ones are rejected', () => {
  const field = dollars('Enter an amount.', 1_000_000)
  for (const [typed, cents] of [
    ['149.99', 14_999],
    ['82.5', 8_250],
    ['$ 1,049.99', 104_999],
    [' $10,000 ', 1_000_000],
  ] as const)
    expect(field.parse(typed), typed).toBe(cents)
  for (const typed of ['', '0', '0.00', '-5', '10,000.01', '1.234', '1,04', 'ten', undefined])
    expect(field.safeParse(typed).error?.issues, String(typed)).toMatchObject([{ message: 'Enter an amount.' }])
})

test('an empty text is null, a long one is refused by its limit', () => {
  const field = optionalText(2_000)
  expect([undefined, '', '  ', ' a b '].map((typed) => field.parse(typed))).toEqual([null, null, null, 'a b'])
  expect(field.safeParse('x'.repeat(2_001)).error?.issues).toMatchObject([
    { message: 'Please keep this under 2,000 characters.' },
  ])
})

test('a box is checked by the value 1 alone', () => {
  expect([undefined, '', '0', 'on', '1'].map((typed) => ticked().parse(typed))).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
})
