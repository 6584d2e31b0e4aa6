/** Tire registrations for recalls (49 CFR part 574). Lists them, and exports each to its manufacturer once. */
import { recordAct, requireFreshPermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  exportWaiting,
  selectExported,
  selectExports,
  selectRegistrationPage,
  selectWaitingMakers,
  type RegistrationExport,
  type TireRegistration,
  type WaitingMaker,
} from './tire-registrations.sql.server.ts'

type Deps = { db: Database; clock: Clock }
const perPage = 50
const mostMakers = 200

/** Lists a page of registrations, newest first; `next` is the cursor of the following page. */
export async function listTireRegistrations(
  { db }: Pick<Deps, 'db'>,
  { brand, isWaiting, before }: { brand: string | null; isWaiting: boolean; before: number | null },
): Promise<{ registrations: TireRegistration[]; next: number | null }> {
  const found = await selectRegistrationPage(db, { brand, isWaiting, before, count: perPage + 1 })
  const registrations = found.slice(0, perPage)
  return { registrations, next: found.length > perPage ? (registrations.at(-1)?.id ?? null) : null }
}

/** Makers that have yet to get registrations, longest waiting first. */
export function listWaitingMakers({ db }: Pick<Deps, 'db'>, limit = mostMakers): Promise<WaitingMaker[]> {
  return selectWaitingMakers(db, limit)
}

/** The last exports, newest first. */
export function listRegistrationExports({ db }: Pick<Deps, 'db'>): Promise<RegistrationExport[]> {
  return selectExports(db, perPage)
}

/**
 * Exports a manufacturer's pending registrations; each is in only one export. Refuses with `nothing-waits`, also for
 * the second of two concurrent requests.
 */
export function exportTireRegistrations(
  { db, clock }: Deps,
  by: Actor,
  { brand }: { brand: string },
): Promise<Outcome<{ no: number }, Refused<'not-allowed'> | Refused<'not-fresh'> | Refused<'nothing-waits'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requireFreshPermission(tx, by, 'tire-registrations.export', at)
    if (!permitted.ok) return permitted
    const made = await exportWaiting(tx, { brand, by: by.name, at })
    if (!made) return refused('nothing-waits')
    await recordAct(tx, {
      by,
      act: 'tire-registrations.exported',
      fresh: permitted.value,
      subject: `export ${made.no}`,
      after: { maker: brand, tires: made.tires },
      at,
    })
    return ok({ no: made.no })
  })
}

/**
 * Reads an export's rows for its file, and records in the audit log who downloaded it. Empty if the export doesn't
 * exist.
 */
export function readRegistrationExport(
  { db, clock }: Deps,
  by: Actor,
  no: number,
): Promise<Outcome<TireRegistration[], Refused<'not-allowed'> | Refused<'not-fresh'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requireFreshPermission(tx, by, 'tire-registrations.export', at)
    if (!permitted.ok) return permitted
    const rows = await selectExported(tx, no)
    if (rows.length > 0)
      await recordAct(tx, {
        by,
        act: 'tire-registrations.downloaded',
        fresh: permitted.value,
        subject: `export ${no}`,
        after: {},
        at,
      })
    return ok(rows)
  })
}
