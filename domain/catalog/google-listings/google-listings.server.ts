/** Listings at Google Merchant Center, for the worker and the back office. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { ListingSummary, ListingView } from './google-listings.ts'
import {
  countListings,
  renewAllListings,
  selectListings,
  selectRun,
  updatePause,
  type ListingRow,
} from './google-listings.sql.server.ts'
import type { MerchantCenter } from './merchant-center.port.ts'
import { callDayOf } from './send-listings.server.ts'

export { sendListings, type ListingSource } from './send-listings.server.ts'

type Deps = {
  db: Database
  clock: Clock
  merchantCenter: MerchantCenter | null
  config: { merchant: Pick<NonNullable<Config['merchant']>, 'dailyCalls'> | null }
}

/** A page of listings by item number. */
export async function listListings(
  { db }: Pick<Deps, 'db'>,
  query: { view: ListingView; after: number },
  limit: number,
): Promise<{ listings: ListingRow[]; next: number | null }> {
  const found = await selectListings(db, query, limit + 1)
  const listings = found.slice(0, limit)
  return { listings, next: found.length > limit ? (listings.at(-1)?.itemId ?? null) : null }
}

/** Progress of sending, and null without an account at Google. */
export async function readListingSummary({
  db,
  clock,
  config: { merchant },
}: Omit<Deps, 'merchantCenter'>): Promise<ListingSummary | null> {
  if (!merchant) return null
  const [counts, run] = await Promise.all([countListings(db), selectRun(db)])
  const now = clock.now()
  const { resumeAt, problem, callsOn } = run
  const isPaused = resumeAt !== null && problem !== null && Temporal.Instant.compare(now, resumeAt) < 0
  return {
    ...counts,
    limit: merchant.dailyCalls,
    calls: callsOn === callDayOf(now).toString() ? run.calls : 0,
    pause: isPaused ? { resumeAt, problem } : null,
  }
}

/** Sends every listing again, now. Returns their number. Refuses `off` without an account at Google. */
export async function sendAllAgain(
  { db, clock, merchantCenter }: Omit<Deps, 'config'>,
  by: Actor,
): Promise<Outcome<{ count: number }, Refused<'not-allowed'> | Refused<'off'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'catalog.edit', at)
    if (!permitted.ok) return permitted
    if (!merchantCenter) return refused('off')
    const count = await renewAllListings(tx)
    await updatePause(tx, null)
    await enqueue(tx, 'send-google-listings', { isSecond: true }, { key: 'send-google-listings' })
    await recordAct(tx, { by, act: 'google-listings.sent-again', subject: 'all', after: { listings: count }, at })
    return ok({ count })
  })
}
