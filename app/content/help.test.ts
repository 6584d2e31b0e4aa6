/** Tests help center queries and their expected top results. */
import { expect, test } from 'vitest'
import { asReleased } from '#domain/kernel/content/content.ts'
import { editDistance, searchHelp } from './help.server.ts'

test.for([
  ['return tires', '/returns-and-refunds', 3],
  ['how do i send tires back', '/returns-and-refunds', 5],
  ['refund', '/faqs#when-do-i-get-my-money-back', 5],
  ['cancel order', '/faqs#can-i-cancel-my-order', 2],
  ['canceling', '/faqs#can-i-cancel-my-order', 5],
  ['free shipping', '/free-shipping', 3],
  ['shiping to hawaii', '/free-shipping', 3],
  ['delivery time', '/faqs#how-long-does-delivery-take', 6],
  ['military', '/military-discount', 3],
  ['veteran discount', '/military-discount', 4],
  ['nail in tire', '/tire-replacement-coverage', 6],
  ['roadside', '/roadside-assistance', 3],
  ['tow', '/roadside-assistance', 4],
  ['van come to my house', '/mobile-tire-installation', 4],
  ['move my appointment', '/faqs#can-i-move-or-cancel-my-appointment', 3],
  ['phone hours', '/faqs#when-do-people-answer-the-phone', 5],
  ['cookies', '/privacy-policy', 2],
  ['price match', '/price-guarantee', 4],
  ['UTQG', '/learn/', 4],
  ['rotation', '/learn/care-and-safety/tire-rotation', 8],
  ['3pmsf', '/learn/tire-news-information/tire-dictionary#3pmsf', 4],
  ['excise tax', '/faqs#why-do-i-pay-federal-excise-tax', 3],
] as const)('%s finds %s among the first %i', async ([query, path, among]) => {
  const found = (await searchHelp(query, asReleased, 'own')).map((hit) => hit.path)
  expect(
    found.slice(0, among).some((each) => each.startsWith(path)),
    found.join('\n'),
  ).toBe(true)
})

test.for(['', '   ', 'the of and', 'qqqqzzzz xxyyxxyy', '<script>', '🛞'])(
  "an unanswered question %o isn't a failure",
  async (query) => {
    expect(await searchHelp(query, asReleased, 'own')).toEqual([])
  },
)

test('query words are marked in a short excerpt that is otherwise unchanged', async () => {
  const [hit] = await searchHelp('handling fee', asReleased, 'own')
  const text = hit?.snippet.map((part) => part.text).join('') ?? ''
  expect(hit?.snippet.filter(({ isHit }) => isHit).map((part) => part.text.toLowerCase())).toContain('fee')
  expect(text.length).toBeLessThan(230)
})

test('one page does not fill the results', async () => {
  const pages = (await searchHelp('tires', asReleased, 'own'))
    .filter(({ kind }) => kind !== 'Question' && kind !== 'Dictionary')
    .map(({ path }) => path.split('#')[0])
  for (const page of pages) expect(pages.filter((other) => other === page).length).toBeLessThanOrEqual(2)
})

test.for([
  ['shiping', 'shipping', 1],
  ['rotaiton', 'rotation', 1],
  ['', 'abc', 3],
  ['same', 'same', 0],
] as const)('from %s to %s it is %i', ([a, b, distance]) => {
  expect(editDistance(a, b)).toBe(distance)
})
