/** The appointment page's messages after an action, and for refusals. */
import { noticeText } from '#domain/scheduling/booking/booking.ts'
import { phoneText } from '#platform/phone-text.ts'
import { bookingMessages } from './booking.ts'

/** After an act that succeeded, by the word in the address. */
export const appointmentNews = {
  coming: 'Thank you. We told the shop that you’re coming.',
  moved: 'Your new time is booked. The calendar file is in your email.',
  late: 'We told the shop that you’re running late.',
  skipped: 'We told the shop that you’re not coming today.',
  rated: 'Thank you. Your rating counts for the shop from now on.',
  waiting: 'You are on the list. We email you when an earlier time gets free.',
  left: 'You left the waitlist. Your appointment doesn’t change.',
  changed: 'Your order is changed. The details are in your email.',
} as const
export type AppointmentNews = keyof typeof appointmentNews

/** What happened, then what to do, for every reason an act on an appointment is refused. */
export const appointmentMessages = {
  ...bookingMessages,
  stale: 'This appointment was just updated. Review the details below.',
  'not-now': 'It’s too late to do this online. Call the shop.',
  'no-day': 'The carrier has not named a new day for your tires yet. We email you times as soon as it has.',
  'pick-time': 'Pick one of the times shown.',
  'price-changed': 'The price changed. Review the new price below.',
  'free-now': 'An earlier time is free right now. It is one of these.',
  'no-days': 'Pick days before your appointment, the first one first.',
  'no-parts': 'Pick at least one time of day.',
  'list-full': 'Many people wait for a time at this shop already. Try again tomorrow.',
  'offer-over': 'This offer has expired. If the time is still available, it’s listed below.',
  'offer-lost': 'That time was just booked. Your appointment hasn’t changed, and you’re still on the waitlist.',
  shipped: 'Your tires are on their way to the shop, so you can no longer change this online. Call us for help.',
} as const

/** Appointments of services without tires. */
export const serviceMessages = {
  canceledOnOrder: 'To cancel this service, open its order.',
  refused: 'Pick another time below, or cancel the order for a full refund.',
} as const

/** The ways on for a customer who does not want to wait for a time. */
export function otherWays(phone: string): string {
  return `If you'd rather not wait, cancel with the link in our email about the delay, or call us at ${phone}: we can ship the tires to you instead.`
}

/** What to do where the shop has no free time left; `hasOthers`: other shops are on the page. */
export function fullMessage({
  shopName,
  phone,
  hasOthers,
  isService,
}: {
  shopName: string
  phone: string
  hasOthers: boolean
  isService: boolean
}): string {
  const rest = hasOthers ? `pick another shop below, or call ${shopName}` : `call ${shopName}`
  const when = isService ? '' : ' after your tires arrive'
  return `${shopName} has no free times yet${when}. More times open every day. You can also ${rest} at ${phone}.`
}

/**
 * Returns why a shopper can no longer cancel the installation or change its shop without calling: the shop's notice
 * period has started.
 */
export function noticeOverMessage({ shop, noticeMinutes }: { shop: NamedShop | null; noticeMinutes: number }): string {
  const when = noticeMinutes === 0 ? 'it begins' : `${noticeText(noticeMinutes)} before it starts`
  const rule = `An installation can be canceled here until ${when}.`
  return shop
    ? `${rule} Call ${shop.name} at ${phoneText(shop.phone)} and they help you.`
    : `${rule} Call the shop and they help you.`
}
type NamedShop = { name: string; phone: string }
