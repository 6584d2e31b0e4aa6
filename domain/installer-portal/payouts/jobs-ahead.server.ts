/** A shop's upcoming jobs this week with their earnings, and its payout rates. */
import type { Job } from '#domain/scheduling/installers/installers.ts'
import { findPaidShop } from '#domain/scheduling/installers/installers.server.ts'
import { listShopJobs, type ShopJob } from '#domain/ordering/orders/orders.server.ts'
import { readEarnings, type JobEarnings } from './job-pay.server.ts'
import { payBands, payBandText, payJobs, rateFor } from './matrix.ts'
import { selectRates } from './matrix.sql.server.ts'
import { weekDays, weekOf } from './statement.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock }
type PlacedShop = { shopId: number; timeZone: string }

/** A job that is still to be done, with what it earns. */
export type JobAhead = Pick<ShopJob, 'bookingId' | 'orderId' | 'firstName' | 'lastInitial' | 'vehicle' | 'start'> & {
  earnings: JobEarnings
}

/** Lists this week's booked, unpaid jobs in the shop's time zone, by start. */
export async function listJobsAhead(deps: Deps, shop: PlacedShop): Promise<JobAhead[]> {
  const { shopId, timeZone } = shop
  const { from, until } = weekDays(weekOf(deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()))
  const [start, end] = [from, until].map((day) => day.toZonedDateTime(timeZone).toInstant())
  if (!start || !end) throw new Error('A week needs a start and an end.')
  const booked = (await listShopJobs(deps.db, { shopId, from: start, to: end })).filter(
    ({ state, orderState }) => state === 'confirmed' && orderState === 'confirmed',
  )
  const days = booked.map((job) => ({
    bookingId: job.bookingId,
    day: job.start.toZonedDateTimeISO(timeZone).toPlainDate(),
  }))
  const earnings = await readEarnings(deps, shop, days)
  return booked.flatMap((job) => {
    const earned = earnings.get(job.bookingId)
    return earned && earned.paid === null ? [{ ...job, earnings: earned }] : []
  })
}

/** A shop's current payout rates per tire, in cents by rim band and kind of job. */
export type ShopRates = { band: string; cents: { job: Job; cents: number | null }[] }[]

/** Reads the payout rates that apply to a shop today, of its state or of all states. */
export async function readShopRates({ db, clock }: Deps, { shopId, timeZone }: PlacedShop): Promise<ShopRates> {
  const day = clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const shop = await findPaidShop(db, { shopId })
  const rates = await selectRates(db, day)
  return payBands.map((band) => ({
    band: payBandText(band),
    cents: payJobs.map(({ job }) => ({
      job,
      cents: (shop && rateFor(rates, { job, rimIn: band[0], state: shop.state, day })?.cents) ?? null,
    })),
  }))
}
