/** What is said about a delay, in its email and on its page. */
import type { DelayNotice } from '#domain/orders/delays.sql.server.ts'
import { bookingText, dayText } from '#domain/orders/order-labels.ts'
import type { OrderView } from '#domain/orders/order-view.sql.server.ts'
import { phoneText } from '#platform/phone-text.ts'

export type DelayWords = { delay: string; appointment: string; silence: string; isMoved: boolean }

/** The delay, what became of the appointment (empty without one), and what silence means. */
export function delayWords(order: OrderView, notice: DelayNotice): DelayWords {
  const { promisedOn, revisedOn } = notice
  const news = revisedOn
    ? `The carrier now expects to deliver them on ${dayText(revisedOn)}.`
    : 'We cannot name a new day yet.'
  return {
    delay: `We promised your tires for ${dayText(promisedOn)}. They will be late. ${news}`,
    appointment: appointmentWords(order, notice),
    silence: silenceWords(notice),
    isMoved: notice.appointment === 'moved',
  }
}

function appointmentWords({ shop, booking, timeZone }: OrderView, { appointment }: DelayNotice): string {
  if (!shop || appointment === 'none') return ''
  if (booking?.state === 'confirmed') {
    const time = bookingText(booking, timeZone)
    return appointment === 'moved'
      ? `The tires will not be there in time for your appointment at ${shop.name}, so we moved it: ${time}.`
      : `Your appointment at ${shop.name} stands: ${time}.`
  }
  return `The tires will not be there in time for your appointment at ${shop.name}, so we released it. Pick a new time, or call them at ${phoneText(shop.phone)}.`
}

function silenceWords({ onSilence, answerBy }: DelayNotice): string {
  return onSilence === 'wait'
    ? 'If we do not hear from you, we keep your order.'
    : `If we do not hear from you by the end of ${dayText(answerBy)}, we cancel your order and refund what has not arrived.`
}
