/**
 * Minimum advertised prices (MAP). A price below a tire's MAP is charged, but not advertised. Everything outside the cart
 * shows the MAP, and "See price in cart" where there is room for it.
 */
import type { Item } from './items.ts'
import { savingOn, unitsOfSet, type Price, type PriceBook, type Priced } from './promotion.ts'

/** What pages say next to a price that is lower in the cart. */
export const priceInCartText = 'See price in cart'

/** Whether a shown price of one tire is below its MAP, both in cents without excise tax. False without a MAP. */
export function isBelowMap(eachCents: number, mapCents: number | null | undefined): boolean {
  return typeof mapCents === 'number' && eachCents < mapCents
}

/**
 * Returns the price tag as it may be advertised. One below the MAP shows the MAP without its promotion, and has the
 * price that the cart charges as `charged`. Promotions count as for a set of four. An account's own price is not
 * advertised, so it stays.
 */
export function advertisedPrice(item: Pick<Item, 'retailCents' | 'mapCents'>, price: Price): Price {
  const { mapCents } = item
  if (typeof mapCents !== 'number' || price.label !== null) return price
  const savedCents = price.promotion ? savingOn(price.promotion, item.retailCents, unitsOfSet) / unitsOfSet : 0
  if (!isBelowMap(item.retailCents - savedCents, mapCents)) return price
  return {
    ...price,
    unitCents: mapCents + price.fetCents,
    wasCents: null,
    promotion: null,
    promotions: [],
    charged: price,
  }
}

/** The book with its tags as they may be advertised; `charged` is the book itself. */
export function advertisedBook(book: PriceBook): PriceBook {
  return {
    ...book,
    charged: book,
    priceOf: (item: Priced, units?: number) => advertisedPrice(item, book.priceOf(item, units)),
    pricesOfPair(front, rear) {
      const [first, second] = book.pricesOfPair(front, rear)
      return [advertisedPrice(front, first), advertisedPrice(rear, second)]
    },
  }
}
