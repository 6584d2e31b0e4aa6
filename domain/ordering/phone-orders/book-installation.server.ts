/** Installation times that staff hold for a quote's customer, in the cart that the quote's link opens. */
import { findCallerCart, findQuotedCart, readCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  chooseFulfillment,
  installationFor,
  listShopChoices,
  quoteCart,
  type InstallationRefusal,
  type PlaceOrderDeps,
  type ShopChoice,
} from '#domain/ordering/checkout/checkout.server.ts'
import {
  findChosenTime,
  holdSlot,
  type Calendars,
  type HoldRefusal,
} from '#domain/scheduling/booking/booking.server.ts'
import type { Booking, Choice, ChosenTime } from '#domain/scheduling/booking/booking.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import type { Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import { createBuyer, type PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import {
  isSameTires,
  openQuoteAsStaff,
  type Quote,
  type StaffOpenRefusal,
} from '#domain/ordering/quotes/quotes.server.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = Omit<PlaceOrderDeps, 'buyer'> &
  Omit<Parameters<typeof listShopChoices>[0], 'buyer'> & { priceLists: PriceLists; calendars: Calendars }

/** A quote's open cart, with the price in cents, the chosen time, and the next free times of shops and vans. */
export type PhoneCart = {
  isInstalled: boolean
  totalCents: number | null
  shopName: string | null
  chosen: ChosenTime | undefined
  choices: readonly ShopChoice[]
}

/**
 * Reads the open cart of a quote's customer; undefined before staff or the account open it, and for a customer without
 * an account after they open the link.
 */
export async function readPhoneCart(
  deps: Deps,
  quote: Pick<Quote, 'id' | 'accountId' | 'zip'>,
  contact: Contact | null,
): Promise<PhoneCart | undefined> {
  const { accountId } = quote
  const cartId =
    accountId === null
      ? await findCallerCart(deps.db, quote.id)
      : await findQuotedCart(deps.db, { quoteId: quote.id, accountId, browserCartId: undefined })
  const store = { ...deps, buyer: createBuyer(deps, async () => accountId ?? undefined) }
  const cart = cartId === undefined ? undefined : await readCart(store, cartId)
  if (!cart) return undefined
  const zip = cart.zip ?? quote.zip
  const listed = async (kind: 'shop' | 'van') => {
    const found = zip === null ? undefined : await listShopChoices(store, cart, { zip, kind })
    return found?.ok ? found.value : []
  }
  const [{ breakdown }, chosen, shops, vans] = await Promise.all([
    quoteCart(store, cart, contact, { method: 'net-terms' }),
    findChosenTime(deps, cart.id),
    listed('shop'),
    listed('van'),
  ])
  const shop = chosen && (await findShop(deps, { id: chosen.booking.shopId }))
  return {
    isInstalled: isInstallation(cart.fulfillment),
    totalCents: breakdown?.totals.totalCents ?? null,
    shopName: shop?.name ?? null,
    chosen,
    choices: [...shops, ...vans],
  }
}

export type OpenPhoneCartRefusal = Refused<'not-allowed'> | StaffOpenRefusal

/** Opens the cart of a sent quote's customer for staff. Idempotent. */
export function openPhoneCart(
  deps: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  quoteId: number,
): Promise<Outcome<{ cartId: string; accountId: string | null; lines: Quote['lines'] }, OpenPhoneCartRefusal>> {
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    return permitted.ok ? openQuoteAsStaff(tx, quoteId, at) : permitted
  })
}

export type BookRefusal =
  | OpenPhoneCartRefusal
  /** The account changed the tires in its cart. */
  | Refused<'changed'>
  | Refused<'no-cart'>
  | HoldRefusal
  | InstallationRefusal

/**
 * Holds a time at a shop or van in the cart of a sent quote's customer, and sets that shop on the cart, which changes
 * its price. The hold lasts as long as a shopper's, and repeating the call holds a lapsed time again. Refuses as the
 * shopper's pages do, and releases no earlier hold then. The limits on live holds count those of the customer's account,
 * and those of the staff member for callers without one.
 */
export async function bookInstallation(
  deps: Deps,
  by: Actor,
  { quoteId, shopId, choice }: { quoteId: number; shopId: number; choice: Choice },
): Promise<Outcome<Booking, BookRefusal>> {
  const opened = await openPhoneCart(deps, by, quoteId)
  if (!opened.ok) return opened
  const { cartId, accountId, lines } = opened.value
  const store = { ...deps, buyer: createBuyer(deps, async () => accountId ?? undefined) }
  const [cart, shop] = await Promise.all([readCart(store, cartId), findShop(deps, { id: shopId })])
  if (!cart) return refused('no-cart')
  if (!isSameTires(lines, cart.lines)) return refused('changed')
  if (!shop) return refused('shop-not-found')
  return hold(store, cart, { shop, choice, heldBy: `staff:${by.name}` })
}

async function hold(
  store: Deps & Pick<PlaceOrderDeps, 'buyer'>,
  cart: Cart,
  { shop, choice, heldBy }: { shop: { id: number; kind: 'shop' | 'van' }; choice: Choice; heldBy: string },
): Promise<Outcome<Booking, BookRefusal>> {
  const target = await installationFor(store, cart, shop.id)
  if (!target.ok) return target
  const held = await holdSlot(store, {
    cartId: cart.id,
    shopId: shop.id,
    choice,
    heldBy,
    ...target.value,
    actor: 'staff',
    ...(cart.zip && { zip: cart.zip }),
  })
  if (!held.ok) return held
  const fulfillment = shop.kind === 'van' ? 'mobile' : 'shop'
  const chosen = await chooseFulfillment(store, cart, { fulfillment, shopId: shop.id })
  return chosen.ok ? held : chosen
}
