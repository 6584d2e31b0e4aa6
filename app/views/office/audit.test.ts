import { expect, test } from 'vitest'
import { changeText } from './audit.ts'

test('a change shows its times in the store’s zone, and leaves out what is empty', () => {
  const record = { name: 'Fall', startsAt: '2026-11-21T13:13:42.07Z', endsAt: null, sizes: ['a', 'b'], isOpen: false }
  expect(changeText('after', record)).toBe(
    'after name Fall, startsAt Sat, Nov 21, 8:13 AM EST, sizes a, b, isOpen false',
  )
  expect(changeText('before', null)).toBe('')
  expect(changeText('before', { name: null })).toBe('')
})

test.for(['2026-13-45T99:99:99Z', '0000-00-00T00:00:00Z'])('a text that only looks like a time stays: %s', (name) => {
  expect(changeText('after', { name })).toBe(`after name ${name}`)
})
