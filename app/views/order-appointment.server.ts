/** The appointment on an order's page: time, place, claim code, calendar links, and where the shopper changes it. */
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { calendarLinks, claimCodeOf } from '#domain/scheduling/booking/booking.server.ts'
import { claimCodeText } from '#domain/scheduling/booking/booking.ts'
import { cityLine, installationState, installationTimeText } from '#domain/ordering/orders/orders.ts'
import { appointmentToken, orderAppointment, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Application } from '#application'
import type { Config } from '#platform/config.ts'

export type AppointmentView = {
  shop: string
  time: string
  place: string
  phone: string
  directions: string | null
  /** The shopper shows it at the shop when the work is done; null for read-only viewers, and once it is. */
  claimCode: string | null
  calendar: { label: string; href: string }[]
  /** The page that confirms, moves, or cancels it; null for read-only viewers. */
  manage: string | null
  /** The page that requests an earlier time. */
  earlier: string | null
}

/** Returns the appointment, or null without one. `key` is added to links; a read-only viewer gets no actions. */
export function appointmentView(
  { config, clock }: Pick<Application, 'config' | 'clock'>,
  { order, access, key }: { order: OrderView; access: 'own' | 'read'; key: string | undefined },
): AppointmentView | null {
  const appointment = orderAppointment({ config }, order)
  if (!appointment || !order.booking || !order.shop) return null
  const installation = installationState(order)
  if (installation === 'none') return null
  const isGone = installation === 'unbooked'
  const isVan = order.booking.kind === 'mobile'
  const place = appointment.visitAddress ?? `${order.shop.street}, ${cityLine(order.shop)}`
  const token = access === 'own' ? appointmentToken(config.session.secret, order.id, clock.now()) : null
  return {
    shop: order.shop.name,
    time: installationTimeText(order, order.timeZone),
    place: isVan ? `Comes to ${place}` : place,
    phone: phoneText(order.shop.phone),
    directions: isVan ? null : `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`,
    claimCode: access === 'own' ? openClaimCode(config, order.booking) : null,
    calendar: isGone ? [] : calendarChoices(appointment, paths.calendar(order.id, key)),
    ...actLinks(order, order.state === 'confirmed' ? token : null),
  }
}

/** Links that change the appointment; null without a token. */
function actLinks({ booking }: OrderView, token: string | null): Pick<AppointmentView, 'manage' | 'earlier'> {
  if (token === null) return { manage: null, earlier: null }
  const earlier = booking?.state === 'confirmed' ? serverPaths.appointment(token, { show: 'list' }) : null
  return { manage: serverPaths.appointment(token), earlier: earlier && `${earlier}#earlier` }
}

/** Links that add an appointment to a calendar. */
function calendarChoices(appointment: Parameters<typeof calendarLinks>[0], file: string): AppointmentView['calendar'] {
  const links = calendarLinks(appointment)
  return [
    { label: 'Calendar file', href: file },
    { label: 'Google', href: links.google },
    { label: 'Outlook', href: links.outlook },
    { label: 'Office 365', href: links.office365 },
    { label: 'Yahoo', href: links.yahoo },
  ]
}

/** Returns the claim code of a confirmed appointment. */
function openClaimCode({ session }: Config, { id, state }: NonNullable<OrderView['booking']>): string | null {
  return state === 'confirmed' ? claimCodeText(claimCodeOf(session.secret, id)) : null
}
