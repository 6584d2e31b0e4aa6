/** The cart in the specification's own words and shapes (section 3), for programs that read it. Amounts are cents. */
import type { CartAppointment } from '#domain/booking/booking.ts'
import { articleName, type Cart } from './cart.ts'

export type CartContents = {
  cartId: string
  estimatedFetTaxInCents: number
  shippingCostInCents: number
  lines: CartContentsLine[]
  appointment: CartAppointment | null
}

export type CartContentsLine = {
  name: string
  productId: number
  price: { salePriceInCents: number }
  quantity: number
  roadHazardCostInCents: number
  /** 1 means that coverage is selected. */
  roadHazardState: 0 | 1
  siteProductPromotion: {
    couponAmountType: 'Flat Amount' | 'Buy3Get1' | 'Free' | 'Percentage'
    couponAmount: number
    alreadyAppliedIntoCart: boolean
    linkToTRCProm: boolean
  }[]
}

/** The cart as the specification names it. `coverageCents` prices replacement coverage for one tire of a unit price. */
export function cartContents(
  cart: Pick<Cart, 'id' | 'lines'>,
  parts: { coverageCents: (unitCents: number) => number; shippingCents: number; appointment: CartAppointment | null },
): CartContents {
  return {
    cartId: cart.id,
    estimatedFetTaxInCents: cart.lines.reduce((sum, line) => sum + line.fetUnitCents * line.quantity, 0),
    shippingCostInCents: parts.shippingCents,
    lines: cart.lines.map((line) => ({
      name: articleName(line.article),
      productId: line.itemId,
      price: { salePriceInCents: line.unitCents },
      quantity: line.quantity,
      roadHazardCostInCents: parts.coverageCents(line.unitCents) * line.quantity,
      roadHazardState: line.coverage ? 1 : 0,
      siteProductPromotion: line.article.promotions.map((promotion) => ({
        couponAmountType: promotion.kind,
        couponAmount: promotion.amount,
        alreadyAppliedIntoCart: promotion.alreadyApplied,
        linkToTRCProm: promotion.linkToCoverage,
      })),
    })),
    appointment: parts.appointment,
  }
}
