/** A shop's week from Monday, with shared data read once. */
import { listBays, listOwnJobs } from '#domain/scheduling/booking/booking.server.ts'
import { listDayHours, readShopTerms } from '#domain/scheduling/installers/installers.server.ts'
import { closedText } from '#domain/scheduling/installers/installers.ts'
import { listShopJobs } from '#domain/ordering/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { dayText, weekSpanText } from '#platform/day-text.ts'
import { layOutDay } from './day.ts'
import { layOutWeekDay, mondayOf, type ShopWeek } from './week.ts'

/** Reads the week of a day at a shop, on the shop's clock; this week if `asked` is null. */
export async function readShopWeek(
  { db, clock }: { db: Database; clock: Clock },
  { shopId, timeZone }: { shopId: number; timeZone: string },
  asked: Temporal.PlainDate | null,
): Promise<ShopWeek & { monday: Temporal.PlainDate }> {
  const now = clock.now()
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const shown = asked ?? today
  const monday = mondayOf(shown)
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).toInstant()
  const span = { shopId, from: startOf(monday), to: startOf(monday.add({ days: 7 })) }
  const [terms, dayHours, jobs, ownJobs, places] = await Promise.all([
    readShopTerms(db, shopId, monday),
    listDayHours(db, shopId, monday, 7),
    listShopJobs(db, span),
    listOwnJobs(db, span),
    listBays(db, shopId, span),
  ])
  let zone = ''
  const days = Array.from({ length: 7 }, (_, index) => {
    const day = monday.add({ days: index })
    const [from, to] = [startOf(day), startOf(day.add({ days: 1 }))]
    const hours = dayHours.get(day.toString())
    const shopDay = layOutDay(
      { places, hours: hours ? [hours] : [], timeZone },
      {
        day,
        now,
        jobs: jobs.filter(({ start }) => isIn(start, from, to)),
        ownJobs: ownJobs.filter(
          (job) => Temporal.Instant.compare(job.start, to) < 0 && Temporal.Instant.compare(job.end, from) > 0,
        ),
      },
    )
    zone = shopDay.zone
    const closure = terms?.closures.find(({ on }) => on === day.toString())
    return {
      on: day.toString(),
      weekday: dayText(day).slice(0, 3),
      dayOfMonth: day.day,
      title: dayText(day),
      closed: closure ? closedText(closure.reason) : hours ? null : 'Closed',
      isToday: day.equals(today),
      isShown: day.equals(shown),
      ...layOutWeekDay(shopDay),
    }
  })
  const sum = (count: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + count(day), 0)
  return {
    monday,
    title: weekSpanText(monday),
    zone,
    days,
    online: sum(({ online }) => online),
    own: sum(({ own }) => own),
    attention: sum(({ attention }) => attention),
  }
}

function isIn(at: Temporal.Instant, from: Temporal.Instant, to: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0
}
