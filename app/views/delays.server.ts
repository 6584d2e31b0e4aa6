/** A delay as its page shows it. */
import { delayMessages } from '#content/messages/delays.ts'
import { serverPaths } from '#content/server-paths.ts'
import { choiceValue } from '#domain/scheduling/booking/booking.ts'
import { slotText } from '#content/messages/times.ts'
import { delayWords, installationState, timesOpening } from '#domain/ordering/orders/orders.ts'
import { zoneName } from '#platform/time-text.ts'
import { appointmentToken, findDelay, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { Application } from '#application'

export type DelayPage = {
  heading: string
  delay: string
  appointment: string
  silence: string
  /** The earlier answer, or null. */
  answered: string | null
  isOpen: boolean
  shop: string
  /** Of the shop's clock: "CST". */
  zone: string
  times: { value: string; text: string }[]
  /** Where a new time is taken instead of one that was released; null while there is one. */
  newTime: string | null
}

/** What the shopper of an order can read and answer; null for an order that was never late. */
export async function delayPageView(app: Application, order: OrderView): Promise<DelayPage | null> {
  const found = await findDelay(app, order)
  if (!found) return null
  const { notice, isOpen, times } = found
  const moment = { now: app.clock.now(), terms: app.businessTerms.current }
  const { heading, delay, appointment, silence } = delayWords(order, notice, moment)
  // Without a time that can be picked, the words say from which day on there is one.
  const canPick = installationState(order) === 'unbooked' && timesOpening(order, moment).kind === 'open'
  return {
    heading,
    delay,
    appointment,
    silence,
    answered: notice.answer && (notice.staffSince ? delayMessages.leftToStaff : answers[notice.answer]),
    isOpen,
    shop: order.shop?.name ?? '',
    newTime: canPick
      ? serverPaths.appointment(appointmentToken(app.config.session.secret, order.id, moment.now), {
          show: 'times',
        })
      : null,
    zone: zoneName(app.clock.now(), order.timeZone),
    times: times.map((choice) => ({ value: choiceValue(choice), text: slotText(choice, order.timeZone) })),
  }
}

const answers = { wait: delayMessages.waiting, move: delayMessages.moved, cancel: delayMessages.canceled }
