/** Staff actions on an order, with the list for its page, and each action's page and handler. */
import { cancelLinesView, type CancelLinesView } from '#app/views/cancel-lines.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  bookingText,
  canActOn,
  cityLine,
  confirmWithinHours,
  progressWords,
  orderProgress,
  staffOrderActs,
  timeText,
  type StaffOrderAct,
} from '#domain/ordering/orders/orders.ts'
import { listResendable, offerOtherTimes, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { isResendable, type ResendableKind } from '#domain/messaging/messages/messages.ts'
import { slotText } from '#content/messages/times.ts'
import { dayText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { clockOf } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** An act as the order's page lists it; `whyNot` is null where it can be done. */
export type OrderActLink = {
  key: StaffOrderAct
  name: string
  permission: Permission
  path: string
  whyNot: string | null
}

/** Lists the acts that these roles may do, each with its page, or with why the order refuses it now. */
export function orderActs(order: OrderView, roles: readonly StaffRole[], now: Temporal.Instant): OrderActLink[] {
  return (Object.keys(staffOrderActs) as StaffOrderAct[])
    .filter((key) => staffCan(roles, staffOrderActs[key].permission))
    .map((key) => {
      const allowed = canActOn(order, key, now)
      return {
        key,
        ...staffOrderActs[key],
        path: officePaths.officeOrderAct(order.id, key),
        whyNot: allowed.can ? null : allowed.reason,
      }
    })
}

/** The acts on the common page; changing the place has its own. */
export type FormAct = Exclude<StaffOrderAct, 'place'>

/** `day` has the time zone. */
export type TimeGroup = { day: string; zone: string; times: { value: string; label: string }[] }

/** What the page of an act shows. */
export type OrderActView = {
  act: FormAct
  name: string
  number: string
  orderPath: string
  progress: string
  /** Why the order refuses it now; null shows the form. */
  whyNot: string | null
  before: string[]
  after: string[]
  address: { address1: string; address2: string; city: string; state: string; zip: string } | null
  times: TimeGroup[]
  mails: { id: string; label: string }[]
  /** Names this form, so that sending it twice is once. */
  once: string
  /** The lines that can be canceled; null for other actions. */
  lines: CancelLinesView | null
}

export async function readOrderAct(app: Application, order: OrderView, act: FormAct): Promise<OrderActView> {
  const allowed = canActOn(order, act, app.clock.now())
  const { address } = order
  const lines = act === 'lines' ? await cancelLinesView(app, order) : null
  return {
    act,
    name: staffOrderActs[act].name,
    number: orderNumber(order.id),
    orderPath: officePaths.officeOrder(order.id),
    progress: progressWords[orderProgress(order)],
    whyNot: !allowed.can ? allowed.reason : lines?.lines.length === 0 ? nothingToCancel : null,
    ...changeOf(order, act),
    address:
      act === 'address'
        ? {
            address1: address.line1,
            address2: address.line2 ?? '',
            city: address.city,
            state: address.state,
            zip: address.zip,
          }
        : null,
    times: act === 'appointment' && allowed.can ? await timesOf(app, order) : [],
    mails: act === 'resend' ? await mailsOf(app, order) : [],
    lines,
    once: newId(),
  }
}

/** What is before the act and what will be after it, in sentences. */
function changeOf(order: OrderView, act: FormAct): { before: string[]; after: string[] } {
  const due = formatCents(order.totalCents - order.creditCents)
  switch (act) {
    case 'confirm':
      return {
        before: [`Not confirmed. ${due} is authorized but not charged, and the order hasn’t shipped.`],
        after: [
          `Confirmed. The customer gets an email and can cancel for ${countOf(order.terms.cancelMinutes, 'minute')}.`,
          `Then ${due} is charged, and the parcels are announced.`,
        ],
      }
    case 'question':
      return {
        before: [`Releases automatically. ${due} is charged and labels are created at the end of the window.`],
        after: [
          `The customer gets an email and has ${countOf(confirmWithinHours, 'hour')} to confirm.`,
          'Until then, we don’t charge or ship. If the customer doesn’t reply, we cancel and refund the order.',
        ],
      }
    case 'check-fit':
      return {
        before: order.verdict?.sets.map(({ headline }) => headline) ?? [],
        after: [
          'The order leaves the fit checks. The customer isn’t notified. If the tires don’t fit, cancel the order.',
        ],
      }
    case 'address': {
      const { line1, line2, city, state, zip } = order.address
      return {
        before: [[line1, line2].filter(Boolean).join(', '), cityLine({ city, state, zip })],
        after: [
          order.fulfillment === 'home'
            ? 'The parcels go to the address you type. Lower taxes are not charged; higher ones are refused.'
            : 'Changes the customer’s address. The destination of the parcels doesn’t change.',
        ],
      }
    }
    case 'appointment':
      return {
        before: [order.booking ? bookingText(order.booking, order.timeZone) : 'No appointment.'],
        after: [`The time you choose at ${order.shop?.name ?? 'the shop'}. The customer gets an email with it.`],
      }
    case 'cancel':
      return {
        before: [chargedNow(order)],
        after: [
          givenBack(order),
          'Tires return to stock, the appointment is released, and the customer gets an email.',
        ],
      }
    case 'lines':
      return {
        before: [chargedNow(order)],
        after: [
          'We refund canceled items to the original payment method, including tax, fees, and services.',
          'Tires return to stock, the appointment gets shorter, and the customer gets an email. With the last tire the whole order is canceled.',
        ],
      }
    case 'resend':
      return { before: [], after: [`Sent to ${order.email}, with current details.`] }
  }
}

function chargedNow({ payment, totalCents, creditCents }: OrderView): string {
  const charged = payment?.capturedCents ?? 0
  return charged > 0
    ? `${formatCents(charged)} is charged.`
    : `${formatCents(totalCents - creditCents)} is not charged yet.`
}

/** What canceling does with the money of an order. */
function givenBack({ payment, invoice }: OrderView): string {
  if (invoice) return 'The invoice is canceled.'
  return payment && payment.capturedCents > 0
    ? `The rest of ${formatCents(payment.capturedCents)} is refunded to the card.`
    : 'The authorization is voided.'
}

const nothingToCancel = 'All unshipped items are already refunded.'

const daysOffered = 12

async function timesOf(app: Application, order: OrderView): Promise<TimeGroup[]> {
  return timeGroups(await offerOtherTimes(app, order), order.timeZone)
}

/** The free times of the next days, as the options of a form. */
export function timeGroups(offered: readonly OfferedDay[], timeZone: string): TimeGroup[] {
  const days = offered.filter(({ state }) => state === 'free').slice(0, daysOffered)
  return days.map(({ date, times, dropOffs }) => ({
    day: `${dayText(date)}, in ${clockOf(timeZone, date).zone}`,
    zone: clockOf(timeZone, date).zone,
    times: [
      ...times
        .filter(({ free }) => free)
        .map(({ start }) => ({ value: start.toString(), label: `${slotText({ start }, timeZone)}, wait` })),
      ...dropOffs
        .filter(({ free }) => free)
        .map(({ window }) => ({
          value: `${date.toString()}|${window}`,
          label: slotText({ date, window }, timeZone),
        })),
    ],
  }))
}

async function mailsOf(app: Application, order: OrderView): Promise<OrderActView['mails']> {
  return (await listResendable(app, order.id)).map(({ id, kind, queuedAt }) => ({
    id,
    label: `${isResendable(kind) ? mailNames[kind] : kind}, ${timeText(queuedAt, order.timeZone)}`,
  }))
}

const mailNames: Readonly<Record<ResendableKind, string>> = {
  'order-received': 'Order received',
  'order-unconfirmed': 'Please confirm',
  'order-unconfirmed-reminder': 'Please confirm, reminder',
  'order-unanswered': 'Canceled without an answer',
  'order-confirmed': 'Order confirmed',
  'order-shipped': 'On the way',
  'order-delivered': 'Delivered',
  'pickup-ready': 'Ready to pick up',
  'pickup-reminder': 'Awaiting pickup',
  'order-canceled': 'Order canceled',
  'order-refunded': 'Refund',
  'order-rescheduled': 'New appointment',
  'order-change-offered': 'Change to pay for',
  'order-changed': 'Order changed',
  'order-delayed': 'Delay',
  'order-delay-canceled': 'Canceled after a delay',
  'order-message': 'Message from staff',
  'job-refused': 'The shop could not install',
  'appointment-reminder': 'Appointment reminder',
  'appointment-next-week': 'Reminder a week before',
  'storage-ending': 'Storage ending',
  'return-labels': 'Return labels',
  'return-missing': 'Missing tires',
  'return-received': 'Returned tires received',
  'return-refunded': 'Return refund',
  'return-refused': 'Returned tire refused',
}
