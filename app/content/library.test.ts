import { expect, test } from 'vitest'
import { fillConstants } from './constants.server.ts'
import { findArticle, listArticles, readArticle } from './library.server.ts'

test('the terms of sale say the numbers the code uses', async () => {
  const page = await readArticle('policies', 'terms-of-sale')
  expect(page.html).toContain('for 30 minutes after placing it')
  expect(page.html).toContain('within 30 days of delivery')
  expect(page.html).toContain('up to $400 per tire in the first year')
})

test('every page of the library is of its form and leaves no constant open', async () => {
  for (const collection of ['policies', 'pages', 'learn', 'press', 'guides', 'car-talk'] as const)
    for (const { path, html } of await listArticles(collection))
      expect({ path, isOpen: html.includes('{{') }).toEqual({ path, isOpen: false })
})

test('a page that is not there is not found', async () => {
  expect(await findArticle('policies', '../mail/order-shipped')).toBeUndefined()
})

test('copy that names a constant which does not exist is refused', () => {
  expect(() => fillConstants('within {{returnDaze}} days', 'content/x.md')).toThrow(
    'content/x.md asks for returnDaze, which is no constant.',
  )
})
