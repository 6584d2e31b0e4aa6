/** The checkout steps before payment (fulfillment, contact, services, and billing). */
import { outsideAreaMessage, vanTooFarMessage } from '#content/messages/booking.ts'
import { homeDeliveryMessages } from '#content/messages/delivery.ts'
import { fieldMessages } from '#content/messages/fields.ts'
import { isInstallation, refuseHomeDelivery } from '#domain/supply/delivery/delivery.ts'
import { tireCountOf, type Cart, type Fulfillment } from '#domain/payments/cart/cart.ts'
import { setFulfillment, setServices } from '#domain/payments/cart/cart.server.ts'
import {
  addressFingerprint,
  adviseOnAddress,
  findShopAt,
  type AddressAdvice,
  type AddressDeps,
} from './check-address.server.ts'
import { refuseInstallation, type InstallationRefusal } from './cart-verdict.server.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { billingForm, type Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import {
  selectDetails,
  upsertBilling,
  upsertContact,
  type SavedBilling,
  type SavedDetails,
  type SavedContact,
} from './checkout.sql.server.ts'
import { canAddRoadside } from './services.ts'
import { setVanStop } from '#domain/scheduling/booking/booking.server.ts'
import { vanServes } from '#domain/scheduling/installers/installers.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { Place } from '#domain/kernel/places/places.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { z } from 'zod'
import type { QuoteDeps } from './quote.server.ts'

export { readFleetVehicle, saveFleetVehicle, type FleetVehicle } from './fleet-vehicle.server.ts'
export {
  judgeCart,
  judgeCartSets,
  refuseInstallation,
  summarizeSets,
  type CartVerdict,
  type InstallationRefusal,
  type JudgedSet,
} from './cart-verdict.server.ts'
export { addressFingerprint, type AddressDeps } from './check-address.server.ts'
export { findShownPrice, readCartNews, readChangeNotes, readReleaseNotes, type CartNews } from './cart-news.server.ts'
export { fittedVehicle } from './fitted-vehicle.server.ts'
export { findOtherTimes, type OtherTimes } from './other-times.server.ts'
export { settleHold, type ReleasedTime, type ReleaseReason } from './settle-hold.server.ts'
export { quoteByMethod } from './method-quotes.server.ts'
export { createVisitorTerms } from './visitor-terms.server.ts'
export { orderToPay } from './order-to-pay.ts'
export {
  findTermsCustomer,
  payBy,
  payOnTerms,
  readCreditLine,
  readProviderTerms,
  type ProviderTerms,
} from './net-terms.server.ts'
export {
  placeOrder,
  type MissingStep,
  type PlaceOrderDeps,
  type PlaceOrderInput,
  type PlaceOrderRefusal,
} from './place-order.server.ts'
export {
  installationFor,
  listShopChoices,
  readShopMonth,
  type ShopChoice,
  type ShopMonth,
} from './shop-choices.server.ts'
export {
  bookableServices,
  bookedUnits,
  findBookableService,
  serviceDays,
  type BookableService,
} from './service-carts.server.ts'
export { readCheckout, readEntered, type Checkout, type Entered } from './read-checkout.server.ts'
export { agreementKey, readAgreedTime, type AgreedPart } from './agreement.server.ts'
export { quoteCart, type CartQuote, type QuoteProblem } from './quote.server.ts'
export { exportCarts, forgetDetailsOf, forgetDetailsOfCarts, forgetOldContacts } from './kept-details.sql.server.ts'
export type { SavedBilling, SavedContact } from './checkout.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Returns contact and billing as far as the shopper entered them. */
export function readDetails(
  { db }: Pick<Deps, 'db'>,
  cartId: string,
): Promise<{ contact: SavedContact | null; billing: SavedBilling | null }> {
  return selectDetails(db, cartId)
}

/** The destination of a cart. At most one ID is set. */
export type CartDestination = Pick<Cart, 'shopId' | 'carrierLocationId' | 'pickupWarehouseId'> & {
  fulfillment: Fulfillment
}

/**
 * Sets the fulfillment. The shop or van may stay open while the shopper browses the list. Refuses `outside-area` for a
 * van that does not serve the cart's ZIP, `does-not-fit` for the installation of tires that do not fit the cart's
 * vehicle (fitment rule FR46), and `no-cart` when the cart does not exist, is ordered, or books a service, which stays
 * at a shop. Returns the cart's new destination.
 */
export async function chooseFulfillment(
  { db, clock, catalog }: Deps & { catalog: Catalog },
  cart: Pick<Cart, 'id' | 'zip' | 'vehicle' | 'lines' | 'fulfillment' | 'services'>,
  choice: {
    fulfillment: Fulfillment
    shopId?: number | null
    carrierLocationId?: number | null
    pickupWarehouseId?: number | null
  },
): Promise<Outcome<CartDestination, Refused<'no-cart'> | Refused<'outside-area'> | InstallationRefusal>> {
  if (!suitsService(cart, choice)) return refused('no-cart')
  const unfit = await refuseInstallation({ db, clock, catalog }, cart, choice.fulfillment)
  if (unfit) return unfit
  const shopId = choice.fulfillment === 'shop' || choice.fulfillment === 'mobile' ? (choice.shopId ?? null) : null
  if (
    choice.fulfillment === 'mobile' &&
    shopId !== null &&
    !(cart.zip && (await vanServes({ db }, { shopId, zip: cart.zip })))
  )
    return refused('outside-area')
  const carrierLocationId = choice.fulfillment === 'carrier-pickup' ? (choice.carrierLocationId ?? null) : null
  const pickupWarehouseId = choice.fulfillment === 'warehouse-pickup' ? (choice.pickupWarehouseId ?? null) : null
  const destination = { fulfillment: choice.fulfillment, shopId, carrierLocationId, pickupWarehouseId }
  return (await setFulfillment(db, cart.id, destination, clock.now())) ? ok(destination) : refused('no-cart')
}

/** Whether a cart may have this fulfillment; a service stays at a shop. */
function suitsService(
  { services }: Pick<Cart, 'services'>,
  { fulfillment, shopId = null }: { fulfillment: Fulfillment; shopId?: number | null },
): boolean {
  return services.length === 0 || (fulfillment === 'shop' && shopId !== null)
}

/** Confirmations from the shopper, each with the key of the confirmed address. */
export type KeptAddress = { address?: string | null; shop?: string | null }
export type ContactRefusal =
  | Refused<'field', { name: 'zip' | 'state' | 'vehicleNote'; message: string }>
  | Refused<'address-unsure', AddressAdvice>
  | Refused<'address-of-shop', { shop: { id: number; name: string }; key: string }>

/**
 * Stores who receives the order. `contactForm` has checked the fields' format; here the ZIP code must exist and lie in
 * the state. For shipped tires, the carrier must deliver to the address and the van of the reserved time must reach it.
 * The shopper must confirm an address a driver may not find (`address-unsure`) or one that belongs to a shop
 * (`address-of-shop`) by sending its key (specification, sections 3 and 5). `details` are the previously entered
 * details, if the caller has read them. Returns the updated details.
 */
export async function saveContact(
  deps: Deps & AddressDeps,
  cart: Pick<Cart, 'id' | 'fulfillment' | 'shopId' | 'vehicle'>,
  contact: Contact,
  { details, ...kept }: KeptAddress & { details?: SavedDetails } = {},
): Promise<Outcome<SavedDetails, ContactRefusal>> {
  const { db, clock } = deps
  const isInstalled = isInstallation(cart.fulfillment)
  if (isInstalled && !cart.vehicle && !contact.vehicleNote)
    return refused('field', { name: 'vehicleNote', message: fieldMessages.vehicle })
  const place = await findPlace(db, contact.zip)
  if (!place) return refused('field', { name: 'zip', message: fieldMessages.zip })
  if (place.state !== contact.state)
    return refused('field', {
      name: 'state',
      message: `${place.zip} is in ${place.city}, ${place.state}. Please enter state`,
    })
  const undelivered = await refuseDelivery(deps, cart, place)
  if (undelivered) return undelivered
  const before = details ?? (await selectDetails(db, cart.id))
  const asked = await askAboutAddress(deps, cart, { contact, before: before.contact, place, kept })
  if (asked) return asked
  if (cart.fulfillment === 'mobile' && !(await setVanStop({ db }, { cartId: cart.id, zip: contact.zip })).ok)
    return refused('field', { name: 'zip', message: vanTooFarMessage })
  return ok({ billing: before.billing, contact: await upsertContact(db, cart.id, contact, clock.now()) })
}

/** Returns why tires can't be delivered to a place, either because of the carrier or the chosen van. */
async function refuseDelivery(
  { db }: Pick<Deps, 'db'>,
  { fulfillment, shopId }: Pick<Cart, 'fulfillment' | 'shopId'>,
  place: Place,
): Promise<ContactRefusal | undefined> {
  if (fulfillment !== 'home' && fulfillment !== 'mobile') return undefined
  const refusal = refuseHomeDelivery(place)
  if (refusal) return refused('field', { name: 'zip', message: homeDeliveryMessages[refusal] })
  const isOutside =
    fulfillment === 'mobile' && shopId !== null && !(await vanServes({ db }, { shopId, zip: place.zip }))
  return isOutside ? refused('field', { name: 'zip', message: outsideAreaMessage }) : undefined
}

async function askAboutAddress(
  deps: AddressDeps,
  cart: Pick<Cart, 'id' | 'fulfillment'>,
  { contact, before, place, kept }: { contact: Contact; before: Contact | null; place: Place; kept: KeptAddress },
): Promise<ContactRefusal | undefined> {
  const key = addressFingerprint(contact)
  if (before && addressFingerprint(before) === key) return undefined
  if (kept.address !== key) {
    const isDelivered = cart.fulfillment === 'home' || cart.fulfillment === 'mobile'
    const { firstName, lastName, address1, address2, city, state, zip } = contact
    const address = { address1, address2, city, state, zip }
    const advice = await adviseOnAddress(deps, { address, name: `${firstName} ${lastName}`, place, isDelivered })
    if (advice) return refused('address-unsure', advice)
  }
  if (cart.fulfillment !== 'home' || kept.shop === key) return undefined
  const shop = await findShopAt(deps, contact)
  return shop && refused('address-of-shop', { shop, key })
}

/**
 * Stores the choice of coverage and roadside. Roadside is dropped when its requirements are not met; `canAddRoadside`
 * gives the reason.
 */
export async function chooseServices(
  { db, clock, businessTerms }: Deps & Pick<QuoteDeps, 'businessTerms'>,
  cart: Cart,
  choice: { coverage: boolean; roadside: boolean },
): Promise<boolean> {
  const isInstalled = isInstallation(cart.fulfillment)
  const roadside =
    choice.roadside && canAddRoadside({ tireCount: tireCountOf(cart), isInstalled }, businessTerms.current).can
  return setServices(
    db,
    cart.id,
    { coveredItems: choice.coverage ? cart.lines.map((line) => line.itemId) : [], roadside },
    clock.now(),
  )
}

/** Stores who pays, and returns it. */
export async function saveBilling(
  { db, clock }: Deps,
  cartId: string,
  billing: z.output<typeof billingForm>,
  contact: SavedContact,
): Promise<SavedBilling> {
  const saved: SavedBilling =
    billing.sameAsShipping === '1'
      ? {
          sameAsShipping: true,
          name: `${contact.firstName} ${contact.lastName}`,
          address1: contact.address1,
          address2: contact.address2,
          city: contact.city,
          state: contact.state,
          zip: contact.zip,
          phone: contact.phone.digits,
          phoneType: contact.phoneType,
          poNumber: billing.poNumber,
        }
      : {
          sameAsShipping: false,
          name: billing.billingName,
          address1: billing.billingAddress1,
          address2: billing.billingAddress2,
          city: billing.billingCity,
          state: billing.billingState,
          zip: billing.billingZip,
          phone: billing.billingPhone.digits,
          phoneType: billing.billingPhoneType,
          poNumber: billing.poNumber,
        }
  await upsertBilling(db, cartId, saved, clock.now())
  return saved
}

/** Stores only the PO number, if billing details exist. */
export async function savePoNumber({ db, clock }: Deps, cartId: string, poNumber: string | null): Promise<void> {
  const { billing } = await selectDetails(db, cartId)
  if (billing) await upsertBilling(db, cartId, { ...billing, poNumber }, clock.now())
}
