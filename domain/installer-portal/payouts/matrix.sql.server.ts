/** Queries for payout rates. */
import { sql } from 'kysely'
import type { Job } from '#domain/scheduling/installers/installers.ts'
import type { PayRate } from './matrix.ts'
import type { Database, Tx } from '#platform/db.ts'

const rateColumns = sql`id, job, state_code as state, rim_from_in as "rimFromIn", rim_to_in as "rimToIn", cents,
  lower(valid)::text as "startsOn", upper(valid)::text as "endsOn"`

/** Lists the rates that apply on a day or later. */
export async function selectRates(db: Database, day: Temporal.PlainDate): Promise<PayRate[]> {
  const result = await sql<PayRate>`
    select ${rateColumns} from pay_rate where upper_inf(valid) or upper(valid) > ${day}::date
    order by state_code nulls first, job, rim_from_in, lower(valid)`.execute(db)
  return result.rows
}

/** Selects and locks rates in effect on or after a day for one kind of job, band and state, in order. */
export async function lockRatesFrom(
  tx: Tx,
  {
    job,
    state,
    band,
    day,
  }: { job: Job; state: string | null; band: readonly [number, number]; day: Temporal.PlainDate },
): Promise<PayRate[]> {
  const result = await sql<PayRate>`
    select ${rateColumns} from pay_rate
    where job = ${job} and state_code is not distinct from ${state}::text and numrange(rim_from_in, rim_to_in, '[]') && numrange(${band[0]}::numeric, ${band[1]}::numeric, '[]')
      and (upper_inf(valid) or upper(valid) > ${day}::date)
    order by lower(valid) for update`.execute(tx)
  return result.rows
}

export async function endRate(tx: Tx, id: string, day: Temporal.PlainDate): Promise<void> {
  await sql`update pay_rate set valid = daterange(lower(valid), ${day}::date) where id = ${id}::uuid`.execute(tx)
}

export async function insertRate(
  tx: Tx,
  rate: {
    id: string
    job: Job
    state: string | null
    band: readonly [number, number]
    cents: number
    startsOn: Temporal.PlainDate
    at: Temporal.Instant
    by: string
  },
): Promise<void> {
  await sql`
    insert into pay_rate (id, job, state_code, rim_from_in, rim_to_in, cents, valid, made_at, made_by)
    values (${rate.id}, ${rate.job}, ${rate.state}, ${rate.band[0]}, ${rate.band[1]}, ${rate.cents},
      daterange(${rate.startsOn}::date, null), ${rate.at}, ${rate.by})`.execute(tx)
}
