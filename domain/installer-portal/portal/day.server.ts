/** A day of a shop, with its bays and opening hours. */
import { listBays, listOwnJobs } from '#domain/scheduling/booking/booking.server.ts'
import { readShopTerms } from '#domain/scheduling/installers/installers.server.ts'
import { closedText, weekdayNames } from '#domain/scheduling/installers/installers.ts'
import { listShopJobs } from '#domain/ordering/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { layOutDay, type ShopDay } from './day.ts'

/** Reads a day at a shop, on the shop's clock; today if `asked` is null. `closed` is why the shop is closed that day. */
export async function readShopDay(
  { db, clock }: { db: Database; clock: Clock },
  { shopId, timeZone }: { shopId: number; timeZone: string },
  asked: Temporal.PlainDate | null,
): Promise<{ day: Temporal.PlainDate; today: Temporal.PlainDate; closed: string | null; shopDay: ShopDay }> {
  const now = clock.now()
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const day = asked ?? today
  const [from, to] = [day, day.add({ days: 1 })].map((date) => date.toZonedDateTime(timeZone).toInstant())
  if (!from || !to) throw new Error('A day needs a start and an end.')
  const terms = await readShopTerms(db, shopId, day)
  const span = { shopId, from, to }
  const [jobs, ownJobs] = await Promise.all([listShopJobs(db, span), listOwnJobs(db, span)])
  const hours = terms?.hours ?? []
  const closure = terms?.closures.find(({ on }) => on === day.toString())
  return {
    day,
    today,
    closed: closure
      ? closedText(closure.reason)
      : hours.some(({ weekday }) => weekday === day.dayOfWeek)
        ? null
        : `Closed on ${weekdayNames[day.dayOfWeek - 1]}s`,
    shopDay: layOutDay({ places: await listBays(db, shopId, span), hours, timeZone }, { day, now, jobs, ownJobs }),
  }
}
