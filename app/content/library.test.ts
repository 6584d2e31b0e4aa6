import { expect, test } from 'vitest'
import { fillConstants } from './constants.server.ts'
import { findArticle, listArticles, readArticle } from './library.server.ts'

test('the terms of sale state the numbers the code uses', async () => {
  const page = await readArticle('policies', 'terms-of-sale')
  expect(page.html).toContain('for 30 minutes after placing it')
  expect(page.html).toContain('within 30 days of delivery')
  expect(page.html).toContain('up to $400 per tire in the first year')
})

test('every page in the library matches its schema and has all constants filled in', async () => {
  for (const collection of ['policies', 'pages', 'learn', 'press', 'guides', 'car-talk'] as const)
    for (const { path, html } of await listArticles(collection))
      expect({ path, isOpen: html.includes('{{') }).toEqual({ path, isOpen: false })
})

test('a missing page is not found', async () => {
  expect(await findArticle('policies', '../mail/order-shipped')).toBeUndefined()
})

test('copy that names an unknown constant is refused', () => {
  expect(() => fillConstants('within {{returnDaze}} days', 'content/x.md')).toThrow(
    'content/x.md asks for returnDaze, which is no constant.',
  )
})
