import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { fillConstants } from './constants.server.ts'
import { findArticle, readArticle, readCollection } from './library.server.ts'

test('the terms of sale state the numbers the code uses', async () => {
  const page = await readArticle('policies', 'terms-of-sale', 'own')
  expect(page.html).toContain('for 30 minutes after placing it')
  expect(page.html).toContain('within 30 days of delivery')
  expect(page.html).toContain('up to $400 per tire in the first year')
})

test('every page in the library matches its schema and has all constants filled in', async () => {
  for (const collection of ['policies', 'pages', 'learn', 'press', 'guides', 'car-talk'] as const)
    for (const store of ['own', 'branded'] as const)
      for (const { path, title, description, html } of await readCollection(collection, { store, warn: expect.fail }))
        expect({ path, isOpen: `${title}${description}${html}`.includes('{{') }).toEqual({ path, isOpen: false })
})

test('a missing page is not found', async () => {
  expect(await findArticle('policies', '../mail/order-shipped', 'own')).toBeUndefined()
})

test('copy that names an unknown constant is refused', () => {
  expect(() => fillConstants('within {{returnDaze}} days', 'content/x.md')).toThrow(
    'content/x.md refers to returnDaze, which isn’t a constant.',
  )
})

test('a file with CRLF line ends and a byte order mark is read like any other', async () => {
  const page =
    '---\ntitle: Press\ndescription: A description of the page.\nupdated: 2026-11-01\nrelated:\n  - { label: Tires, path: /tires }\n---\nText.\n'
  await using folder = await createTemporaryFolder({
    'policies/unix.md': page,
    'policies/windows.md': `\uFEFF${page.replaceAll('\n', '\r\n')}`,
  })

  const [first, second] = await readCollection('policies', { store: 'own', folder: folder.path, warn: expect.fail })
  expect({ ...first, path: '', slug: '' }).toEqual({ ...second, path: '', slug: '' })
})

test('an unusable file is left out with a warning, and its neighbors stay', async () => {
  await using folder = await createTemporaryFolder({
    'policies/good.md':
      '---\ntitle: Press\ndescription: A description of the page.\nupdated: 2026-11-01\nrelated:\n  - { label: Tires, path: /tires }\n---\nText.\n',
    'policies/bad.md': 'No front matter',
  })
  const warnings: string[] = []

  const pages = await readCollection('policies', {
    store: 'own',
    folder: folder.path,
    warn: (problem) => void warnings.push(problem),
  })

  expect(pages.map(({ slug }) => slug)).toEqual(['good'])
  expect(warnings).toEqual(['Error: content/policies/bad.md has no front matter.'])
})
