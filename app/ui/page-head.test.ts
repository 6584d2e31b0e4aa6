import { expect, test } from 'vitest'
import { pageHead } from './page-head.ts'

const matches = [
  {
    id: 'root',
    loaderData: { store: { name: 'Sidewall', origin: 'https://tires.example', picture: '/pictures/share/store.png' } },
  },
  undefined,
]
const page = { title: 'Terms', description: 'What you agree to.', path: '/sales' }

test('a page has its title, one canonical URL and the same URL in shared links', () => {
  expect(pageHead(matches, page)).toEqual(
    expect.arrayContaining([
      { title: 'Terms · Sidewall' },
      { tagName: 'link', rel: 'canonical', href: 'https://tires.example/sales' },
      { property: 'og:url', content: 'https://tires.example/sales' },
    ]),
  )
})

test('an unindexed page is marked noindex and has no canonical URL', () => {
  const head = JSON.stringify(pageHead(matches, { ...page, isIndexed: false }))
  expect(head).toContain('noindex, follow')
  expect(head).not.toContain('canonical')
})
