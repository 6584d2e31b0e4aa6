/** The cart in the specification's names and shapes (section 3), for programs that read it. Amounts are in cents. */
import type { CartAppointment } from '#domain/scheduling/booking/booking.ts'
import { articleName, type Cart, type CartLine } from './cart.ts'

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
  /** 1 when coverage is selected. */
  roadHazardState: 0 | 1
  siteProductPromotion: {
    couponAmountType: 'Flat Amount' | 'Buy3Get1' | 'Free' | 'Percentage'
    couponAmount: number
    alreadyAppliedIntoCart: boolean
    linkToTRCProm: boolean
  }[]
}

/**
 * The cart as the specification names it. `unitCents` is a line's charged price per tire, before promotions and excise
 * tax. `coverageCents` is the price of replacement coverage per tire at that price. Lines plus `estimatedFetTaxInCents`
 * are the cost of the tires before promotions.
 */
export function cartContents(
  cart: Pick<Cart, 'id' | 'lines'>,
  parts: {
    unitCents: (line: CartLine) => number
    coverageCents: (unitCents: number) => number
    shippingCents: number
    appointment: CartAppointment | null
  },
): CartContents {
  return {
    cartId: cart.id,
    estimatedFetTaxInCents: cart.lines.reduce((sum, line) => sum + line.fetUnitCents * line.quantity, 0),
    shippingCostInCents: parts.shippingCents,
    lines: cart.lines.map((line) => ({
      name: articleName(line.article),
      productId: line.itemId,
      price: { salePriceInCents: parts.unitCents(line) },
      quantity: line.quantity,
      roadHazardCostInCents: parts.coverageCents(parts.unitCents(line)) * line.quantity,
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
