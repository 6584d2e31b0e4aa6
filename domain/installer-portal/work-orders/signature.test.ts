/** Signature strokes are limited to their field. */
import { expect, test } from 'vitest'
import { longestSignature, readSignature, signaturePath } from './signature.ts'

const drawn = '0,0 10,20 300,100;5,5 6,6 7,7 8,8 9,9'

test('strokes are stored and rendered as a path', () => {
  expect(readSignature(drawn)).toBe(drawn)
  expect(readSignature('')).toBeNull()
  expect(signaturePath('0,0 10,20;5,5 6,6')).toBe('M0 0L10 20M5 5L6 6')
})

test.for([
  '1,1 2,2 3,3',
  drawn.replace('300', '301'),
  drawn.replace('100', '101'),
  `${drawn} 1`,
  `${drawn} 1,2,3`,
  `${drawn};`,
  `${drawn} "><script>`,
  '1,1 '.repeat(longestSignature),
  '٣,١ '.repeat(9).trim(),
])('%s is no drawing', (typed) => {
  expect(readSignature(typed)).toBeUndefined()
})
