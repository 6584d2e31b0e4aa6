import { expect, test } from 'vitest'
import { makeLine } from './catalog.testing.ts'
import { facetRules } from './facets.ts'
import type { Offer } from './offer.ts'

test('types and categories come in the store’s display order, and brands by name', () => {
  const offers = [
    { line: makeLine({ type: { slug: 'a', name: 'A' }, typePosition: 2, categoryPosition: 7 }) },
    {
      line: makeLine({
        type: { slug: 'b', name: 'B' },
        typePosition: 1,
        category: { slug: 'z', name: 'Z' },
        categoryPosition: 3,
        brand: { id: 2, slug: 'corvane', name: 'Corvane', tier: 'mid' },
      }),
    },
  ] as unknown as Offer[]
  const orderOf = (name: 'type' | 'category' | 'brand', values: string[]) => {
    const [rule] = facetRules(offers, [name])
    return values
      .map((value) => ({ value, label: value }))
      .sort((a, b) => rule?.order(a, b) ?? 0)
      .map(({ value }) => value)
  }
  expect(orderOf('type', ['a', 'b'])).toEqual(['b', 'a'])
  expect(orderOf('category', ['touring-all-season', 'z'])).toEqual(['z', 'touring-all-season'])
  expect(orderOf('brand', ['kestrel', 'corvane'])).toEqual(['corvane', 'kestrel'])
})
