/** Manufacturer rebates in the back office. Staff add, change and retire them. Rows are never deleted. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { slugOf } from '#platform/slug.ts'
import { findCatalogIds } from './catalog-ids.sql.server.ts'
import { announceCatalogChange } from './catalog-version.server.ts'
import { rebateStateAt, type RebateDraft } from './rebate-form.ts'
import {
  insertRebate,
  lockRebate,
  selectOfficeRebates,
  updateRebate,
  updateRetiredRebate,
  type OfficeRebate,
  type RebateRow,
} from './rebates.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type SaveRefusal = Refused<'not-allowed'> | Refused<'no-subject'> | Refused<'name-taken'>
type ChangeRefusal = Refused<'gone'> | Refused<'other-state'> | Refused<'changed-meanwhile'>

const rebatesPerPage = 50

/** Lists a page of rebates, newest first; `next` is the id of the following page's start. */
export async function listOfficeRebates(
  { db }: Pick<Deps, 'db'>,
  before: number | null,
): Promise<{ rebates: OfficeRebate[]; next: number | null }> {
  const found = await selectOfficeRebates(db, { before, limit: rebatesPerPage + 1 })
  const rebates = found.slice(0, rebatesPerPage)
  return { rebates, next: found.length > rebatesPerPage ? (rebates.at(-1)?.id ?? null) : null }
}

/** Returns the rebate with this id; undefined if not found. */
export async function findOfficeRebate({ db }: Pick<Deps, 'db'>, id: number): Promise<OfficeRebate | undefined> {
  return (await selectOfficeRebates(db, { id, limit: 1 }))[0]
}

/**
 * Adds a rebate and returns its id; its address follows from its name and stays. Refuses `not-allowed`, `no-subject`
 * for a brand or model that the catalog does not have, and `name-taken`. Shoppers see it within a second.
 */
export async function addRebate(
  { db, clock }: Deps,
  by: Actor,
  draft: RebateDraft,
): Promise<Outcome<{ id: number }, SaveRefusal>> {
  const at = clock.now()
  return refusingTaken(() =>
    db.transaction().execute(async (tx): Promise<Outcome<{ id: number }, SaveRefusal>> => {
      const row = await rowOf(tx, by, { draft, at })
      if (!row.ok) return row
      const id = await insertRebate(tx, rebateSlug(draft.name), row.value)
      await recordAct(tx, { by, act: 'rebate.added', subject: draft.name, after: recorded(draft), at })
      await announceCatalogChange(tx)
      return ok({ id })
    }),
  )
}

/**
 * Changes a rebate; its address stays. Refuses as `addRebate` does, `gone` for an unknown one, `other-state` for one
 * that was retired, and `changed-meanwhile` if its version is no longer the one that the form was filled from.
 */
export async function changeRebate(
  { db, clock }: Deps,
  by: Actor,
  id: number,
  draft: RebateDraft,
): Promise<Outcome<null, SaveRefusal | ChangeRefusal>> {
  const at = clock.now()
  return refusingTaken(() =>
    db.transaction().execute(async (tx): Promise<Outcome<null, SaveRefusal | ChangeRefusal>> => {
      const row = await rowOf(tx, by, { draft, at })
      if (!row.ok && row.reason === 'not-allowed') return row
      const before = await lockVersion(tx, id, draft.version)
      if (!before.ok) return before
      if (before.value.retiredAt !== null) return refused('other-state')
      if (!row.ok) return row
      await updateRebate(tx, { id, version: draft.version }, row.value)
      await recordAct(tx, {
        by,
        act: 'rebate.changed',
        subject: before.value.name,
        before: recorded(before.value),
        after: recorded(draft),
        at,
      })
      await announceCatalogChange(tx)
      return ok(null)
    }),
  )
}

/**
 * Retires a rebate. A running one ends now, and earlier purchases can still be claimed; a future one never starts.
 * Refuses `other-state` after purchases have ended.
 */
export async function retireRebate(
  { db, clock }: Deps,
  by: Actor,
  { id, version }: { id: number; version: number },
): Promise<Outcome<null, Refused<'not-allowed'> | ChangeRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    const before = await lockVersion(tx, id, version)
    if (!before.ok) return before
    const state = rebateStateAt(before.value, at)
    if (state !== 'running' && state !== 'scheduled') return refused('other-state')
    await updateRetiredRebate(tx, { id, version }, { by: by.name, at })
    await recordAct(tx, { by, act: 'rebate.retired', subject: before.value.name, before: { state }, at })
    await announceCatalogChange(tx)
    return ok(null)
  })
}

async function lockVersion(
  tx: Tx,
  id: number,
  version: number,
): Promise<Outcome<OfficeRebate, Refused<'gone'> | Refused<'changed-meanwhile'>>> {
  const locked = await lockRebate(tx, id)
  const [found] = await selectOfficeRebates(tx, { id, limit: 1 })
  if (locked === undefined || !found) return refused('gone')
  return locked === version ? ok(found) : refused('changed-meanwhile')
}

/** "kestrel-60-rebate" */
function rebateSlug(name: string): string {
  const slug = slugOf(name)
  return slug.endsWith('-rebate') ? slug : `${slug}-rebate`
}

async function refusingTaken<Value, Reason extends Refused<string>>(
  save: () => Promise<Outcome<Value, Reason>>,
): Promise<Outcome<Value, Reason | Refused<'name-taken'>>> {
  try {
    return await save()
  } catch (error) {
    const violated = violatedConstraint(error)
    if (violated === 'rebate_name_key' || violated === 'rebate_slug_key' || violated === 'promotion_slug_is_free')
      return refused('name-taken')
    throw error
  }
}

async function rowOf(
  tx: Tx,
  by: Actor,
  { draft, at }: { draft: RebateDraft; at: Temporal.Instant },
): Promise<Outcome<RebateRow, Refused<'not-allowed'> | Refused<'no-subject'>>> {
  const permitted = await requirePermission(tx, by, 'promotions.edit', at)
  if (!permitted.ok) return permitted
  const { subject, version: _version, ...terms } = draft
  const ids = await findCatalogIds(tx, { brand: [subject], line: [subject], size: [], item: [] })
  const [lineId = null, brandId = null] = [ids.line.get(subject), ids.brand.get(subject)]
  if (lineId === null && brandId === null) return refused('no-subject')
  return ok({ ...terms, lineId, brandId: lineId === null ? brandId : null, by: by.name, at })
}

type Recorded = Pick<
  OfficeRebate,
  'name' | 'amountCents' | 'units' | 'paidAs' | 'subject' | 'formUrl' | 'mailTo' | 'startsAt' | 'endsAt' | 'lastClaimOn'
>

function recorded(of: Recorded) {
  const { name, amountCents, units, paidAs, subject, formUrl, mailTo, startsAt, endsAt, lastClaimOn } = of
  const [starts, ends] = [startsAt.toString(), endsAt.toString()]
  return { name, amountCents, units, paidAs, subject, formUrl, mailTo, startsAt: starts, endsAt: ends, lastClaimOn }
}
