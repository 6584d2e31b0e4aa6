/**
 * Carts that a military exchange's app fills through the API for its customers. They use the exchange's price, and only
 * the exchange can order them, with an order-request document about the cart.
 */
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  quoteCart,
  readDetails,
  type PlaceOrderDeps,
  type QuoteProblem,
} from '#domain/ordering/checkout/checkout.server.ts'
import type { SavedContact } from '#domain/ordering/checkout/checkout.server.ts'
import { salesTaxText } from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { CxmlParty } from '#platform/cxml.ts'
import type { Database } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { writeOrderRequest } from './order-request.ts'
import { purchaseItems } from './purchase-items.ts'
import type { PurchasingSystem } from './systems.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** The exchange and customer a cart belongs to. */
export type ExchangeCart = { id: string; companyId: string; customerId: string }

/** Records the exchange customer a new cart was created for. */
export async function noteExchangeCart(
  { db, clock }: Deps,
  cartId: string,
  { companyId, customerId }: Omit<ExchangeCart, 'id'>,
): Promise<void> {
  await db
    .insertInto('exchange_cart')
    .values({ cart_id: cartId, id: newId(), company_id: companyId, customer_id: customerId, made_at: clock.now() })
    .execute()
}

/** Returns a cart's exchange and customer; undefined if it isn't from an exchange. */
export async function findExchangeCart({ db }: Pick<Deps, 'db'>, cartId: string): Promise<ExchangeCart | undefined> {
  const row = await db
    .selectFrom('exchange_cart')
    .select(['id', 'company_id', 'customer_id'])
    .where('cart_id', '=', cartId)
    .executeTakeFirst()
  return row && { id: row.id, companyId: row.company_id, customerId: row.customer_id }
}

/**
 * The cart that an order's document was made of, of a visit or of an exchange's customer, by what its lines name it by.
 */
export async function findOrigin(
  { db }: Pick<Deps, 'db'>,
  companyId: string,
  origin: string | null,
): Promise<{ cartId: string | null; customerId: string | null } | undefined> {
  if (origin === null || !isId(origin)) return undefined
  const visits = db
    .selectFrom('punchout_session')
    .select(['cart_id', 'customer_id'])
    .where('id', '=', origin)
    .where('company_id', '=', companyId)
  const carts = db
    .selectFrom('exchange_cart')
    .select(['cart_id', 'customer_id'])
    .where('id', '=', origin)
    .where('company_id', '=', companyId)
  const row = await visits.unionAll(carts).executeTakeFirst()
  return row && { cartId: row.cart_id, customerId: row.customer_id }
}

/** What is missing of a cart that is to be ordered. */
export type OrderRequestRefusal =
  | Refused<'incomplete', { step: 'shipping' | 'contact' | 'time' }>
  | Refused<'problem', { problems: QuoteProblem[] }>

export type OrderRequested = { document: string; totalCents: number; taxCents: number }

/**
 * Writes the OrderRequest of a cart as the exchange sends it to /cxml: the exchange is billed, no sales tax, its
 * customer is named. It carries no secret; the exchange puts its own in, if its customer may buy.
 */
export async function requestOrder(
  deps: PlaceOrderDeps & Deps,
  cart: Cart,
  {
    system,
    origin,
    to,
    orderId,
    costCenter,
  }: { system: PurchasingSystem; origin: ExchangeCart; to: CxmlParty; orderId: string; costCenter: string | null },
): Promise<Outcome<OrderRequested, OrderRequestRefusal>> {
  const { contact } = await readDetails(deps, cart.id)
  if (cart.fulfillment !== 'home' && cart.fulfillment !== 'shop') return refused('incomplete', { step: 'shipping' })
  if (!contact) return refused('incomplete', { step: 'contact' })
  const [quote, time] = await Promise.all([quoteCart(deps, cart, contact), findChosenTime(deps, cart.id)])
  const { breakdown, shop, problems } = quote
  if (problems.length > 0 || !breakdown) return refused('problem', { problems })
  const isInstalled = cart.fulfillment === 'shop'
  if (isInstalled && (!shop || !time)) return refused('incomplete', { step: 'time' })
  const skus = new Map(cart.lines.map(({ itemId, article }) => [itemId, article.sku]))
  const items = purchaseItems(breakdown, (itemId) => skus.get(itemId) ?? '')
  const at = deps.clock.now()
  const { taxCents } = breakdown.totals
  const document = writeOrderRequest({
    payloadId: `${newId()}@sidewall`,
    at,
    system,
    to,
    orderId,
    costCenter,
    origin,
    items,
    taxCents,
    taxText: salesTaxText(breakdown.tax),
    contact: shipToOf(contact),
    installation:
      isInstalled && shop && time ? { shopCode: shop.code, at: time.booking.start, timeZone: shop.timeZone } : null,
  })
  return ok({
    document,
    taxCents,
    totalCents: items.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0),
  })
}

function shipToOf({ firstName, lastName, company, address1, address2, city, state, zip, vehicleNote }: SavedContact) {
  return {
    name: company ?? `${firstName} ${lastName}`,
    deliverTo: `${firstName} ${lastName}`,
    street: [address1, ...(address2 ? [address2] : [])],
    city,
    state,
    zip,
    vehicle: vehicleNote,
  }
}
