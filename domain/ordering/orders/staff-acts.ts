/**
 * Staff actions on orders, excluding refunds, with the required permissions and refusal reasons. One table for the
 * pages, the use cases and the tests. Safe in the browser.
 */
import { bookingCan, noticeText, type Booking } from '#domain/scheduling/booking/booking.ts'
import type { OrderState, ShipmentState } from './orders.ts'
import { isPaidOnDelivery } from '#domain/payments/payments/payments.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'

/** Each act by its key. The key is also the last part of its page's address. */
export const staffOrderActs = {
  confirm: { name: 'Confirm', permission: 'orders.confirm' },
  question: { name: 'Ask to confirm', permission: 'orders.confirm' },
  'check-fit': { name: 'Record fit check', permission: 'orders.confirm' },
  address: { name: 'Change address', permission: 'orders.address' },
  appointment: { name: 'Move appointment', permission: 'orders.appointment' },
  place: { name: 'Change shop or delivery', permission: 'orders.change' },
  cancel: { name: 'Cancel order', permission: 'orders.cancel' },
  lines: { name: 'Cancel by line', permission: 'orders.cancel-lines' },
  resend: { name: 'Resend an email', permission: 'orders.emails' },
} as const satisfies Record<string, { name: string; permission: Permission }>

export type StaffOrderAct = keyof typeof staffOrderActs

export function isStaffOrderAct(key: string): key is StaffOrderAct {
  return Object.hasOwn(staffOrderActs, key)
}

/** What of an order decides which acts it allows. */
export type ActFacts = {
  state: OrderState
  confirmBy: Temporal.Instant | null
  releasedAt: Temporal.Instant | null
  cancelUntil: Temporal.Instant
  fulfillment: 'shop' | 'mobile' | 'home' | 'carrier-pickup' | 'warehouse-pickup'
  shipments: readonly { state: ShipmentState; trackingNumber: string | null }[]
  booking: Pick<Booking, 'state' | 'start' | 'noticeMinutes'> | null
  payment: { method: string; state: string } | null
  invoice: { state: string } | null
  /** Null for an order with a known fit. */
  fitCheck: { at: Temporal.Instant | null } | null
  /** Whether it is a service without tires. */
  isService: boolean
}

type Answer = { can: true } | { can: false; reason: string }

/** Whether `act` may be done to the order now, or why not and what to do instead. */
export function canActOn(order: ActFacts, act: StaffOrderAct, now: Temporal.Instant): Answer {
  switch (act) {
    case 'confirm':
      return order.state === 'needs-confirmation' ? yes : no(whyUnconfirmable[order.state])
    case 'question':
      return canQuestion(order)
    case 'check-fit':
      return canCheckFit(order)
    case 'address':
      return canChangeAddress(order)
    case 'appointment':
      return canMoveAppointment(order, now)
    case 'place':
      return canChangePlace(order, now)
    case 'cancel':
      return canStaffCancel(order)
    case 'lines': {
      const why = whyNoLines(order, now)
      return why === null ? yes : no(noLines[why])
    }
    case 'resend':
      return yes
  }
}

const whyUnconfirmable = {
  confirmed: 'This order is already confirmed.',
  canceled: over('canceled'),
  returned: over('returned'),
} as const

function canQuestion({ state, confirmBy, releasedAt, booking, shipments }: ActFacts): Answer {
  if (state === 'needs-confirmation') return no('We already asked the customer. Call them, or confirm it yourself.')
  if (state !== 'confirmed') return no(over(state))
  if (isDelivered(shipments)) return no(delivered)
  if (confirmBy !== null) return no('The customer has confirmed this order once. Call them, or cancel it.')
  if (releasedAt !== null)
    return no('This order is released for charging and shipping. Cancel it until a parcel ships.')
  if (booking?.state === 'confirmed')
    return no('An appointment cannot wait that long for an answer. Call the customer, or cancel the order.')
  return yes
}

function canCheckFit({ state, fitCheck }: ActFacts): Answer {
  if (state === 'canceled' || state === 'returned') return no(over(state))
  if (!fitCheck) return no('We know how these tires fit, or the order has no vehicle.')
  return fitCheck.at === null ? yes : no('The fit of this order was checked already.')
}

function canChangeAddress({ state, releasedAt, fulfillment, shipments }: ActFacts): Answer {
  if (state === 'canceled' || state === 'returned') return no(over(state))
  if (isDelivered(shipments)) return no(delivered)
  if (releasedAt !== null)
    return no(
      fulfillment === 'home'
        ? 'The labels are made from the address at release. Cancel the order until a parcel ships, or ask the carrier to redirect it.'
        : 'This order is released, so its address can no longer be changed.',
    )
  return yes
}

function canMoveAppointment({ state, booking }: ActFacts, now: Temporal.Instant): Answer {
  if (state === 'canceled' || state === 'returned') return no(over(state))
  if (!booking) return no('This order has no appointment because our shops aren’t installing the tires.')
  const permission = bookingCan.move(booking, now)
  if (permission.can) return yes
  return no(
    permission.why === 'too-late-to-change'
      ? `The appointment starts in less than ${noticeText(booking.noticeMinutes)}. Call the shop.`
      : 'This appointment is over or canceled. Call the customer, and book the work with the shop by phone.',
  )
}

/** Returns the refusal caused by shipped packages. Undefined if no packages have shipped. */
function shippedRefusal(shipments: ActFacts['shipments']): string | undefined {
  if (isDelivered(shipments)) return delivered
  const gone = goneParcel(shipments)
  if (gone?.state === 'delivered') return partlyDelivered(gone)
  return (
    gone &&
    `Package ${gone.trackingNumber ?? ''} has shipped. Ask the carrier to redirect it, or start a return once it is delivered.`
  )
}

function canChangePlace(order: ActFacts, now: Temporal.Instant): Answer {
  const { state, releasedAt, shipments, payment, invoice, booking } = order
  if (state === 'canceled' || state === 'returned') return no(over(state))
  if (order.isService)
    return no('A service stays at the shop that priced it. Move its time, or cancel the order and book another shop.')
  if (state === 'needs-confirmation')
    return no('The customer has not confirmed this order. Confirm it first, then change it.')
  if (invoice) return no('This order is on an invoice with a fixed amount. Cancel it, and the company can order again.')
  const shipped = shippedRefusal(shipments)
  if (shipped) return no(shipped)
  if (payment && isPaidOnDelivery(payment.method))
    return no(
      'This order is financed, and the contract amount can’t change. Cancel it, and the customer can order again.',
    )
  if (releasedAt !== null && payment?.state === 'authorized')
    return no('The card is being charged at this moment. Wait a minute, then try again.')
  if (booking?.state === 'confirmed' && Temporal.Instant.compare(booking.start, now) <= 0)
    return no('The appointment has started. Call the shop.')
  return yes
}

/** The reason an order's lines can't be canceled; `noLines` has the text for staff. */
export type NoLines =
  | 'canceled'
  | 'returned'
  | 'unconfirmed'
  | 'in-window'
  | 'service'
  | 'shipped'
  | 'delivered'
  | 'invoice-paid'

/** Returns why an order's lines can't be canceled at `now`, or null if any can, unless already refunded. */
export function whyNoLines(
  order: Pick<ActFacts, 'state' | 'releasedAt' | 'cancelUntil' | 'shipments' | 'invoice' | 'isService'>,
  now: Temporal.Instant,
): NoLines | null {
  const { state, releasedAt, cancelUntil, shipments, invoice, isService } = order
  if (state === 'canceled' || state === 'returned') return state
  if (state === 'needs-confirmation') return 'unconfirmed'
  if (releasedAt === null && Temporal.Instant.compare(now, cancelUntil) < 0) return 'in-window'
  if (isService) return 'service'
  if (!shipments.some((parcel) => parcel.state === 'processed' || parcel.state === 'pending-pickup'))
    return isDelivered(shipments) ? 'delivered' : 'shipped'
  return invoice?.state === 'paid' ? 'invoice-paid' : null
}

const invoicePaid = 'The company has paid the invoice. Ask finance to send the money back before the order is canceled.'

const delivered = 'The tires were delivered. Start a return.'

/** Texts for staff about why lines can't be canceled. */
export const noLines: Readonly<Record<NoLines, string>> = {
  canceled: over('canceled'),
  returned: over('returned'),
  unconfirmed: 'This order is not confirmed yet. Cancel the whole order, or confirm it first.',
  'in-window': 'During the cancellation window the whole order can be canceled. By line it can be canceled after that.',
  service: 'This order is one service. Cancel the whole order, or refund it.',
  shipped: 'Everything has shipped. Wait until it is delivered and start a return, or ask the carrier to send it back.',
  delivered,
  'invoice-paid': invoicePaid,
}

/** Whether staff can still cancel the whole order. They can until its first parcel ships. */
export function canStaffCancel(order: Omit<ActFacts, 'cancelUntil'>): Answer {
  const { state, releasedAt, shipments, payment, invoice } = order
  if (state === 'canceled' || state === 'returned') return no(over(state))
  const ended = endedService(order)
  if (ended !== null) return no(ended)
  if (isDelivered(shipments)) return no(delivered)
  const gone = goneParcel(shipments)
  if (gone?.state === 'delivered') return no(partlyDelivered(gone))
  if (gone)
    return no(
      `Parcel ${gone.trackingNumber ?? ''} has shipped. Wait until it is delivered and start a return, or ask the carrier to send it back.`,
    )
  // Between release and capture, the charge's outcome is unknown.
  if (releasedAt !== null && payment?.state === 'authorized' && !isPaidOnDelivery(payment.method))
    return no('The card is being charged at this moment. Wait a minute, then try again.')
  if (invoice?.state === 'paid') return no(invoicePaid)
  return yes
}

/** Why a service without tires can't be canceled after its appointment; null before, and for tires. */
function endedService({ isService, booking }: Pick<ActFacts, 'isService' | 'booking'>): string | null {
  if (!isService) return null
  if (booking?.state === 'done') return 'The work is done. Refund the order instead.'
  return booking?.state === 'no-show'
    ? 'The customer missed the appointment. Book another time, or refund the order.'
    : null
}

type Parcel = ActFacts['shipments'][number]

/** The first parcel on its way, or else the first one that has arrived. */
function goneParcel(shipments: readonly Parcel[]): Parcel | undefined {
  const gone = shipments.filter(({ state }) => hasShipped[state])
  return gone.find(({ state }) => state !== 'delivered') ?? gone[0]
}

function partlyDelivered({ trackingNumber }: Parcel): string {
  return `Parcel ${trackingNumber ?? ''} was delivered. Start a return for its tires; what has not shipped can be canceled by line.`
}

/** Whether every parcel that was not canceled has arrived, even if it came back since. */
function isDelivered(shipments: readonly Parcel[]): boolean {
  const sent = shipments.filter(({ state }) => state !== 'canceled')
  return sent.length > 0 && sent.every(({ state }) => state === 'delivered')
}

const hasShipped: Readonly<Record<ShipmentState, boolean>> = {
  processed: false,
  'pending-pickup': false,
  'in-transit': true,
  delivered: true,
  canceled: false,
  returned: true,
}

function over(state: 'canceled' | 'returned'): string {
  return state === 'canceled'
    ? 'This order is canceled. The customer can place a new one.'
    : 'This order was returned. The customer can place a new one.'
}

const yes = { can: true } as const

function no(reason: string): { can: false; reason: string } {
  return { can: false, reason }
}
