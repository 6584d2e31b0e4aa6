import { expect, test } from 'vitest'
import { listTerms } from './dictionary.server.ts'

test('the dictionary has at least 80 terms in order, and everything they refer to exists', async () => {
  const terms = await listTerms()
  expect(terms.length).toBeGreaterThanOrEqual(80)
  expect(terms[0]?.term).toBe('3PMSF')
  expect(terms.at(-1)?.term).toBe('ZR')
  const ids = new Set(terms.map(({ id }) => id))
  for (const { term, see } of terms) for (const { id } of see) expect(ids.has(id), term).toBe(true)
})

test('a term links to its article', async () => {
  const rotation = (await listTerms()).find(({ id }) => id === 'rotation')
  expect(rotation?.read).toEqual({
    title: 'Tire rotation: when, and which pattern',
    path: 'learn/care-and-safety/tire-rotation',
  })
})
