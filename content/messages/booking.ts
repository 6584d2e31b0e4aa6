/** Messages about times and appointments. */
import { slotText } from '#content/messages/times.ts'
import type { ReleasedTime, ReleaseReason } from '#domain/ordering/checkout/checkout.server.ts'

/** Neither shipping nor installation at a shop was chosen. */
export const noShopMessage = 'Please select a shop or change shipping option.'

/** No pickup point was chosen. */
export const noPickupPointMessage = 'Please select a FedEx location'

/** The selected location has closed or no longer holds packages. */
export const pickupPointGoneMessage = 'This FedEx location no longer holds packages. Please select another one.'

/** No warehouse was chosen. */
export const noWarehouseMessage = 'Please select a warehouse.'

/** The warehouse no longer has all the tires. */
export const warehouseShortMessage = 'This warehouse no longer has all your tires. Select another way to get them.'

/** FedEx is unavailable, and the ZIP code isn't cached. */
export const pickupAwayMessage =
  'FedEx does not answer right now. Try again in a few minutes, or have the tires shipped to a shop or to you.'

/** The van does not serve this ZIP. */
export const outsideAreaMessage = "This zip code is outside the selected installer's serviceable area."

/** The van serves this ZIP, but is too far away at that time. */
export const vanTooFarMessage =
  'The van cannot get there from its other stops in time. Pick another time for this address, or another van.'

/** The schedule was submitted without a time. */
export const noTimeMessage = 'Please select a time slot.'

/** What happened, then what to do, for every reason a booking is refused. */
export const bookingMessages = {
  'shop-not-found': 'This shop no longer takes appointments. Pick another shop.',
  'shop-not-capable': 'This shop doesn’t install this type of tire. Choose another shop.',
  'outside-area': outsideAreaMessage,
  'slot-taken': 'Someone else took that time. These are the next free ones.',
  'out-of-stock': 'Another customer just took some of these tires. Try again, or pick another tire.',
  'outside-hours': 'The shop does not work at that time. Pick one of the times shown.',
  'too-soon': 'Your tires are not at the shop by then. Pick a later time.',
  'too-short': 'Your time is too short for the tires in your cart now. Pick another one.',
  'too-late': 'That day is too far ahead. Pick an earlier day.',
  'too-many-holds': 'You are holding several times already. Finish one of them, or wait until they run out.',
  'too-many-holds-of-network': 'Many times are being held from your network right now. Try again in a few minutes.',
  'no-hold': 'No time is held for you. Pick one.',
  'too-many-extensions': 'This time cannot be held any longer. Finish your order, or pick it again.',
  'slot-lost': 'Your time ran out and someone else took it. Pick another one; your cart is unchanged.',
  'not-found': 'We cannot find this appointment. Pick a new time.',
  'not-confirmed': 'This appointment is over or canceled. Pick a new time.',
  'too-late-to-change': 'Your appointment is too close to be changed here. Call the shop to change it.',
  'already-over': 'This appointment is over or canceled already.',
} as const

/** A shop stopped offering a service without tires. */
export const serviceGoneMessage = 'This shop no longer offers this service. Choose another one.'

/** The same for a service without tires, where they differ. */
const serviceBookingMessages: Readonly<Partial<Record<keyof typeof bookingMessages, string>>> = {
  'shop-not-found': 'This shop no longer takes appointments.',
  'shop-not-capable': serviceGoneMessage,
  'too-soon': 'The shop needs more notice. Pick a later time.',
}

/** Returns why a time isn't held for tires or for a service without them. */
export function holdMessage(reason: keyof typeof bookingMessages, { isService }: { isService: boolean }): string {
  return (isService ? serviceBookingMessages[reason] : undefined) ?? bookingMessages[reason]
}

/** A cart has tires, and a service is booked without them. */
export const cartHasTiresMessage =
  'Your cart has tires. Order them first, or take them out of the cart. Then book the service.'

/** Why the store released a held time, and what to do. */
export const releaseMessages = {
  'no-tires': 'Your cart has no tires.',
  'does-not-fit': 'The tires in your cart do not fit your vehicle, so the shop cannot install them.',
  'shop-not-found': bookingMessages['shop-not-found'],
  'shop-not-capable': bookingMessages['shop-not-capable'],
  'too-soon': bookingMessages['too-soon'],
  'too-short': bookingMessages['too-short'],
} as const satisfies Record<ReleaseReason, string>

/** "Tue, Dec 1, 7:00 AM is no longer reserved for you. Your tires are not at the shop by then. Pick a later time." */
export function releasedText({ reason, start, timeZone, window }: ReleasedTime): string {
  return `${slotText({ start, window }, timeZone)} is no longer reserved for you. ${releaseMessages[reason]}`
}

export type BookingRefusal = keyof typeof bookingMessages

/** Why a booking was refused, from an address; undefined for any other text. */
export function bookingRefusalOf(text: string | null): BookingRefusal | undefined {
  return text !== null && Object.hasOwn(bookingMessages, text) ? (text as BookingRefusal) : undefined
}
