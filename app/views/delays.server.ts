/** A delay as its page shows it. */
import { delayMessages } from '#content/messages/delays.ts'
import type { Choice } from '#domain/booking/booking.ts'
import { dayText, delayWords, timeText } from '#domain/orders/orders.ts'
import { findDelay, type OrderView } from '#domain/orders/orders.server.ts'
import type { Shop } from '#shop'

export type DelayPage = {
  delay: string
  appointment: string
  silence: string
  /** What was answered before; null if nothing was. */
  answered: string | null
  isOpen: boolean
  shop: string
  times: { value: string; text: string }[]
}

/** What the shopper of an order can read and answer; null for an order that was never late. */
export async function delayPageView(shop: Shop, order: OrderView): Promise<DelayPage | null> {
  const found = await findDelay(shop, order)
  if (!found) return null
  const { notice, isOpen, times } = found
  const { delay, appointment, silence } = delayWords(order, notice)
  return {
    delay,
    appointment,
    silence,
    answered: notice.answer && (notice.staffSince ? delayMessages.leftToStaff : answers[notice.answer]),
    isOpen,
    shop: order.shop?.name ?? '',
    times: times.map((choice) => ({ value: valueOf(choice), text: textOf(choice, order.timeZone) })),
  }
}

const answers = { wait: delayMessages.waiting, move: delayMessages.moved, cancel: delayMessages.canceled }
const windows = { AM: 'morning', PM: 'afternoon', EVE: 'evening' }

function valueOf(choice: Choice): string {
  return 'start' in choice ? choice.start.toString() : `${choice.date.toString()}|${choice.window}`
}

function textOf(choice: Choice, timeZone: string): string {
  return 'start' in choice
    ? timeText(choice.start, timeZone)
    : `${dayText(choice.date)}, leave the car in the ${windows[choice.window]}`
}
