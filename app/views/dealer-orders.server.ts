/** What a shop sees of the orders in its branded store. */
import { selectDealerOrders } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { BookingState } from '#domain/scheduling/booking/booking.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

export type StoreOrdersView = {
  figures: { words: string; count: number }[]
  rows: { number: string; who: string; placed: string; tires: string[]; plan: string | null; job: string }[]
}

const jobWords: Readonly<Record<BookingState, string>> = {
  held: 'held',
  confirmed: 'booked',
  done: 'done',
  'no-show': 'no-show',
  canceled: 'canceled',
  expired: 'expired',
}

const days = 30
const mostShown = 50

/** Reads the newest orders, and figures of the last days. Times are the shop's. */
export async function readStoreOrders(
  { db, clock }: Pick<Application, 'db' | 'clock'>,
  { shopId, timeZone }: { shopId: number; timeZone: string },
): Promise<StoreOrdersView> {
  const since = clock.now().subtract({ hours: 24 * days })
  const { orders, figures } = await selectDealerOrders(db, { shopId, since, limit: mostShown })
  return {
    figures: [
      { words: `orders in ${countOf(days, 'day')}`, count: figures.orders },
      { words: 'tires', count: figures.tires },
      { words: 'with your plan', count: figures.plans },
      { words: 'jobs done', count: figures.jobsDone },
    ],
    rows: orders.map(({ orderId, placedAt, state, firstName, lastInitial, tires, hasPlan, job }) => ({
      number: orderNumber(orderId),
      who: `${firstName} ${lastInitial}.`,
      placed: timeText(placedAt, timeZone),
      tires: tires.map(({ quantity, description }) => `${quantity} × ${description}`),
      plan: hasPlan ? 'Road hazard plan' : null,
      job:
        state === 'canceled'
          ? 'Canceled'
          : job
            ? `${timeText(job.start, timeZone)}, ${jobWords[job.state]}`
            : 'Not installed at your shop',
    })),
  }
}
