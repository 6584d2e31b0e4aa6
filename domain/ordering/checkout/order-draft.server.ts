/** Builds the order draft from the priced cart and the entered details, in its stored form. */
import { tireCountOf, type Cart } from '#domain/payments/cart/cart.ts'
import type { CartVerdict } from './cart-verdict.server.ts'
import type { SavedBilling, SavedContact } from './checkout.sql.server.ts'
import type { CartQuote, QuoteDeps } from './quote.server.ts'
import { parseArticleId } from '#domain/catalog/offers/offers.ts'
import { confirmWithinHours, rulesThatAsk } from '#domain/ordering/orders/orders.ts'
import type { OrderToScreen } from '#domain/ordering/fraud/fraud.server.ts'
import type { DraftLine, DraftShipment, OrderDraft, OrderMoney } from '#domain/ordering/orders/orders.server.ts'
import { lineName, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { newId } from '#platform/ids.ts'

/** Parts of an order in addition to its cart. */
export type OrderParts = {
  quote: CartQuote
  breakdown: PriceBreakdown
  contact: SavedContact
  billing: SavedBilling
  verdict: CartVerdict | null
  /** The company it is bought for. */
  companyId: string | null
}

/**
 * Drafts the order of `cart` as of now; `buyerId` is the account that places it. Throws if a shipment has an article
 * without a price.
 */
export function draftOrder(
  deps: Pick<QuoteDeps, 'clock' | 'releaseAfterSeconds'>,
  cart: Cart,
  parts: OrderParts & { buyerId: string | null },
): OrderDraft {
  const { quote, breakdown, contact, billing, verdict, companyId, buyerId } = parts
  const now = deps.clock.now()
  const lines = draftLines(cart, breakdown, quote)
  const shop = quote.shop
  const counter = quote.carrierLocation ?? quote.warehouse
  const confirmation = confirmationOf(cart, parts, now)
  return {
    cartId: cart.id,
    customerId: newId(),
    buyerId,
    companyId,
    dealerShopId: cart.dealer?.shopId ?? null,
    email: contact.email,
    placedAt: now,
    cancelUntil: confirmation?.by ?? now.add({ seconds: deps.releaseAfterSeconds }),
    confirmation,
    termsAcceptedAt: now,
    fulfillment: cart.fulfillment ?? 'home',
    shopId: shop?.id ?? null,
    carrierLocationId: quote.carrierLocation?.id ?? null,
    pickupWarehouseId: quote.warehouse?.id ?? null,
    contact: { ...contact, phone: contact.phone.digits, phoneExtension: contact.phone.extension },
    shipTo: shop
      ? { name: shop.name, street: shop.street, city: shop.city, state: shop.state, zip: shop.zip }
      : counter
        ? { name: counter.name, street: counter.street, city: counter.city, state: counter.state, zip: counter.zip }
        : {
            name: `${contact.firstName} ${contact.lastName}`,
            street: [contact.address1, contact.address2].filter(Boolean).join(', '),
            city: contact.city,
            state: contact.state,
            zip: contact.zip,
          },
    vehicle: cart.vehicle,
    verdict,
    billing,
    breakdown,
    creditCents: quote.creditCents,
    lines,
    shipments: draftShipments(quote, lines),
    parts: quote.packed,
  }
}

/** Returns whether the shopper must confirm the order, and the deadline. The order can be canceled until then. */
function confirmationOf(
  cart: Cart,
  { breakdown, contact, billing, companyId }: OrderParts,
  now: Temporal.Instant,
): OrderDraft['confirmation'] {
  const rules = rulesThatAsk({
    fulfillment: cart.fulfillment ?? 'home',
    isForCompany: companyId !== null,
    tireCount: tireCountOf(cart),
    totalCents: breakdown.totals.totalCents,
    street: [contact.address1, contact.address2],
    shipTo: contact,
    billing,
  })
  return rules.length > 0 ? { rules, by: now.add({ hours: confirmWithinHours }) } : null
}

/** Order lines match pricing's lines. A tire on two axles stays one line, as priced. */
function draftLines(cart: Cart, breakdown: PriceBreakdown, { packed }: Pick<CartQuote, 'packed'>): DraftLine[] {
  const axles = Map.groupBy(cart.lines, (line) => line.itemId)
  return breakdown.lines.map((line, index) => {
    const itemId = line.kind === 'tire' && line.articleId !== null ? parseArticleId(line.articleId) : null
    const first = itemId === null ? undefined : axles.get(itemId)
    const partId = line.kind === 'part' && line.articleId !== null ? parseArticleId(line.articleId) : null
    return {
      lineNo: index + 1,
      kind: line.kind,
      itemId,
      partId,
      partWarehouseId: packed.find((part) => part.partId === partId)?.warehouseId ?? null,
      service: line.kind === 'service' ? line.articleId : null,
      coveragePlan: line.kind === 'coverage' ? (line.plan ?? 'replacement') : null,
      axle: first ? (first.length === 1 ? (first[0]?.axle ?? 'all') : 'all') : null,
      description: lineName(line),
      quantity: line.quantity,
      unitCents: line.unitCents,
      grossCents: line.grossCents,
      discountCents: line.grossCents - line.netCents,
      netCents: line.netCents,
      taxCents: line.taxCents,
      fetCents: line.fetCents,
      tireFeeCents: line.tireFeeCents,
    }
  })
}

function missingArticle(itemId: number): never {
  throw new Error(`The price has article ${itemId}, the cart does not.`)
}

function draftShipments(quote: CartQuote, lines: readonly DraftLine[]): DraftShipment[] {
  const lineOf = new Map(lines.filter((line) => line.itemId !== null).map((line) => [line.itemId, line.lineNo]))
  return (quote.delivery?.shipments ?? []).map((shipment) => ({
    id: newId(),
    warehouseId: shipment.warehouseId,
    promisedOn: shipment.arrivesOn.toString(),
    shipsBy: shipment.shipsBy,
    items: shipment.items.map((item) => ({ ...item, lineNo: lineOf.get(item.itemId) ?? missingArticle(item.itemId) })),
  }))
}

/** What the rules against fraud look at. */
export function screeningOf(
  draft: OrderDraft,
  cart: Cart,
  { money, factor }: { money: OrderMoney; factor: number },
): OrderToScreen {
  const { contact, shipTo } = draft
  return {
    paymentId: money.by === 'charge' ? money.paymentId : null,
    factor,
    cartId: draft.cartId,
    accountId: draft.buyerId,
    email: draft.email,
    street: shipTo.street,
    zip: shipTo.zip,
    billingZip: draft.billing.zip,
    at: draft.placedAt,
    isHome: draft.fulfillment === 'home',
    isForCompany: draft.companyId !== null,
    tires: tireCountOf(cart),
    totalCents: draft.breakdown.totals.totalCents,
    names: [contact.company, `${contact.firstName} ${contact.lastName}`, contact.address1, contact.address2],
  }
}
