/** What the email and the page of a delay say. */
import type { DelayNotice } from './delays.sql.server.ts'
import { installationState, timesOpening, timesOpeningText, type PickMoment } from './installation.ts'
import { bookingText, dayText } from './order-labels.ts'
import type { OrderView } from './order-view.sql.server.ts'

/** `waiting`: tires have not arrived. `arrived`: all have. `ended`: the order was canceled or returned. */
export type DelayState = 'waiting' | 'arrived' | 'ended'

export type DelayWords = {
  state: DelayState
  heading: string
  delay: string
  /** The appointment's outcome, or an empty string without an appointment. */
  appointment: string
  /** The default outcome without an answer, or an empty string if no answer is needed. */
  silence: string
}

const headings: Record<DelayState, string> = {
  waiting: 'Your tires will be late.',
  arrived: 'Your tires have arrived.',
  ended: 'Your order will not be delivered.',
}

/** Returns the state of a late order from its parcels, regardless of the day in the customer's notification. */
export function delayStateOf({ state, shipments }: Pick<OrderView, 'state' | 'shipments'>): DelayState {
  if (state === 'canceled' || state === 'returned') return 'ended'
  const states = shipments
    .map((shipment) => shipment.state)
    .filter((each) => each !== 'canceled' && each !== 'returned')
  if (states.length === 0) return 'ended'
  return states.every((each) => each === 'delivered') ? 'arrived' : 'waiting'
}

/** Returns the text about a delay at a moment. */
export function delayWords(order: OrderView, notice: DelayNotice, moment: PickMoment): DelayWords {
  const state = delayStateOf(order)
  return {
    state,
    heading: headings[state],
    delay: delaySentence(order, notice, state),
    appointment: appointmentSentence(order, notice, { state, moment }),
    silence: state === 'waiting' ? silenceSentence(notice) : '',
  }
}

function delaySentence(order: OrderView, { promisedOn, revisedOn }: DelayNotice, state: DelayState): string {
  const promised = `We promised your tires for ${dayText(promisedOn)}.`
  if (state === 'ended') return promised
  if (state === 'waiting') {
    const news = revisedOn
      ? `The carrier now expects to deliver them on ${dayText(revisedOn)}.`
      : 'We cannot name a new day yet.'
    return `${promised} They will be late. ${news}`
  }
  const last = order.shipments
    .flatMap(({ deliveredAt }) => deliveredAt ?? [])
    .toSorted((one, other) => Temporal.Instant.compare(one, other))
    .at(-1)
  return last ? `${promised} They arrived on ${dayText(last.toZonedDateTimeISO(order.timeZone))}.` : promised
}

function appointmentSentence(
  order: OrderView,
  notice: DelayNotice,
  { state, moment }: { state: DelayState; moment: PickMoment },
): string {
  const { shop, booking, timeZone } = order
  if (!shop || !booking || notice.appointment === 'none') return ''
  const time = bookingText(booking, timeZone)
  const isLate = state === 'waiting' ? `The tires will not be there in time for your appointment at ${shop.name}` : ''
  switch (installationState(order)) {
    case 'none':
      return ''
    case 'done':
      return `Installed at ${shop.name}: ${time}.`
    case 'missed':
      return `Your appointment at ${shop.name} was missed: ${time}.`
    case 'booked':
      if (notice.appointment !== 'moved') return `Your appointment at ${shop.name}: ${time}.`
      return isLate ? `${isLate}, so we moved it: ${time}.` : `We moved your appointment at ${shop.name}: ${time}.`
    case 'unbooked': {
      const later = timesOpeningText(timesOpening(order, moment), shop.name)
      const released = isLate ? `${isLate}, so we released it.` : `No time is booked at ${shop.name}.`
      return `${released} ${later || 'You can pick a new time.'}`
    }
  }
}

function silenceSentence({ onSilence, answerBy }: DelayNotice): string {
  return onSilence === 'wait'
    ? 'If we do not hear from you, we keep your order.'
    : `If we do not hear from you by the end of ${dayText(answerBy)}, we’ll cancel your order and refund the items that haven’t arrived.`
}
