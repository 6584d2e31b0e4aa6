/** The pay matrix: read by the day, and changed from a day to come. */
import { payBandText, payJobs, type PayRate } from '#domain/payouts/matrix.ts'
import { endRate, insertRate, lockRatesFrom, selectRates } from '#domain/payouts/matrix.sql.server.ts'
import type { RateInput } from '#domain/payouts/pay-forms.ts'
import { recordAct, requireFreshPermission, type Actor } from '#domain/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

/** Lists the rates that apply on the store's day or later. */
export function readMatrix({ db, clock }: Deps): Promise<PayRate[]> {
  return selectRates(db, storeDay(clock.now()))
}

/**
 * Sets what a tire is paid from a day on; the rate before ends on it. Sent again it changes nothing. Refuses
 * `not-allowed`, `not-fresh`, `not-in-future` (also where any shop's day has begun), and `planned-already` while another change of the
 * same rate is to come.
 */
export async function setRate(
  { db, clock }: Deps,
  by: Actor,
  { job, band, state, amount: cents, startsOn }: RateInput,
): Promise<
  Outcome<null, Refused<'not-allowed'> | Refused<'not-fresh'> | Refused<'not-in-future'> | Refused<'planned-already'>>
> {
  const at = clock.now()
  if (Temporal.PlainDate.compare(startsOn, storeDay(at)) <= 0) return refused('not-in-future')
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requireFreshPermission(tx, by, 'pay.matrix', at)
      if (!permitted.ok) return permitted
      const rates = await lockRatesFrom(tx, { job, state, band, day: storeDay(at) })
      const planned = rates.filter((rate) => rate.startsOn > storeDay(at).toString())
      if (planned.some((rate) => rate.startsOn === startsOn.toString() && rate.cents === cents)) return ok(null)
      if (planned.length > 0) return refused('planned-already')
      const before = rates.at(-1)
      if (before) await endRate(tx, before.id, startsOn)
      await insertRate(tx, { id: newId(), job, state, band, cents, startsOn, at, by: by.name })
      await recordAct(tx, {
        by,
        act: 'pay-matrix.changed',
        fresh: permitted.value,
        subject: `${payJobs.find((each) => each.job === job)?.name}, rims ${payBandText(band)}${state === null ? '' : `, ${state}`}`,
        before: { cents: before?.cents ?? null },
        after: { cents, startsOn: startsOn.toString() },
        at,
      })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'pay_rate_once') return refused('planned-already')
    throw error
  }
}
