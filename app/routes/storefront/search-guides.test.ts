import { expect, test } from 'vitest'
import { findGuides } from './search-guides.server.ts'

test.each([
  ['load index', 'Load index'],
  ['what is a load index', 'Load index'],
  ['how to read a sidewall', 'sidewall'],
  ['rotat', 'otat'],
])('%j finds something to read', async (typed, words) => {
  expect((await findGuides(typed, 'own')).some(({ label }) => label.includes(words))).toBe(true)
})

test.each(['', 'tires', 'how to', 'kestrel', '2256517', 'zzz load index', '<script>'])(
  '%j finds no guides',
  async (typed) => {
    expect(await findGuides(typed, 'own')).toEqual([])
  },
)

test('no input finds more than a few', async () => {
  for (const typed of ['load', 'tread', 'speed rating', 'winter'])
    expect((await findGuides(typed, 'own')).length).toBeLessThanOrEqual(4)
})
