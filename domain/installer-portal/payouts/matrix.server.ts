/** Payout rates, read by date, and changed from a future date. */
import { payBandText, payJobs, type PayRate } from './matrix.ts'
import { endRate, insertRate, lockRatesFrom, selectRates } from './matrix.sql.server.ts'
import type { RateInput } from './pay-forms.ts'
import { recordAct, requireFreshOrScope, type Actor } from '#domain/kernel/staff/staff.server.ts'
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
 * Sets the payout per tire from a date; the previous rate ends on it. Idempotent. Refuses with `not-allowed`,
 * `not-fresh`, `not-in-future` (also if that day has started at any shop), and `planned-already` if another change of
 * the same rate is scheduled.
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
      const permitted = await requireFreshOrScope(tx, by, 'pay.matrix', at)
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
