import { expect, test } from 'vitest'
import { pack, unpack } from './packed.ts'

const view = { heading: '225/65R17 tires', cards: [{ path: '/a', was: null }] }

test('the server renders the same object its loader created', () => {
  expect(unpack(pack(view))).toBe(view)
})

test('the browser parses the same data from the text, once', () => {
  const sent = structuredClone(pack(view))
  expect(unpack(sent)).toEqual(view)
  expect(unpack(sent)).toBe(unpack(sent))
})
