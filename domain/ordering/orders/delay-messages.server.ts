/** Contents of the emails about delays, read at the time of sending. */
import { paths } from '#content/paths.ts'
import type { MessageKind, MessageValues } from '#domain/messaging/messages/messages.ts'
import { mailTires } from './mail-tires.ts'
import { selectLastNotice } from './delays.sql.server.ts'
import { delayWords } from './delay-words.ts'
import { choiceValue } from '#domain/scheduling/booking/booking.ts'
import { offerNewTimes } from './delays.server.ts'
import { slotText } from '#content/messages/times.ts'
import { appointmentUrl } from './order-messages.server.ts'
import { orderKey } from './order-access.server.ts'
import { readOrder } from './order-view.sql.server.ts'
import { zoneName } from '#platform/time-text.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'

/** How many times an email offers. */
const mostLinks = 3

type Deps = {
  db: Database
  clock: Clock
  config: Pick<Config, 'web' | 'session' | 'store'>
  businessTerms: Pick<LiveTerms, 'current'>
}

/** Returns the values of an email about a delay. */
export async function delayMessageValues(
  { db, clock, config, businessTerms }: Deps,
  message: { kind: MessageKind; orderId: number | null },
): Promise<MessageValues> {
  const order = message.orderId === null ? undefined : await readOrder(db, message.orderId)
  const notice = order && (await selectLastNotice(db, order.id))
  if (!order || !notice) throw new Error(`The delay of order ${message.orderId} is not there.`)
  const { state, heading, delay, appointment, silence } = delayWords(order, notice, {
    now: clock.now(),
    terms: businessTerms.current,
  })
  const isLost = notice.appointment === 'moved' || notice.appointment === 'freed'
  const times = message.kind === 'order-delayed' && isLost ? await offerNewTimes({ db, clock }, order, mostLinks) : []
  const answerUrl =
    config.web.origin + paths.orderDelay(order.id, orderKey(config.session.secret, order.id, clock.now()))
  return {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    heading: heading.replace(/\.$/, ''),
    items: mailTires(config.web.origin, order),
    delay,
    appointment,
    silence,
    choices:
      state === 'waiting'
        ? 'You can keep waiting, reschedule, or cancel and get a refund for the items that haven’t arrived.'
        : '',
    answerLink: { links: [{ words: state === 'waiting' ? 'Wait, move or cancel' : 'See your order', url: answerUrl }] },
    timesIntro:
      times.length > 0
        ? `Take one of these times at ${order.shop?.name} with one tap. There’s no extra charge. Times are in ${zoneName(clock.now(), order.timeZone)}.`
        : '',
    times: {
      links: times.map((choice) => ({
        words: slotText(choice, order.timeZone),
        url: appointmentUrl({ clock, config }, order.id, choiceValue(choice)),
      })),
    },
    phone: config.store.phone,
  }
}
