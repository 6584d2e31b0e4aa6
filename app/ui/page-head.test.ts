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

test('a page has its title, one canonical address and the same address in shared links', () => {
  expect(pageHead(matches, page)).toEqual(
    expect.arrayContaining([
      { title: 'Terms · Sidewall' },
      { tagName: 'link', rel: 'canonical', href: 'https://tires.example/sales' },
      { property: 'og:url', content: 'https://tires.example/sales' },
    ]),
  )
})

test('a page to be left out says so and has no canonical address', () => {
  const head = JSON.stringify(pageHead(matches, { ...page, isIndexed: false }))
  expect(head).toContain('noindex, follow')
  expect(head).not.toContain('canonical')
})
