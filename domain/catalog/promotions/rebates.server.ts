/** Manufacturer rebates in the office. Drafts are edited and scheduled. After that, rebates only end. */
import {
  announceCatalogChange,
  deleteRebate,
  insertRebate,
  lockRebate,
  selectOfficeRebates,
  selectReduced,
  updateRebate,
  updateRebateCorrection,
  updateRebateSchedule,
  type OfficeRebate,
  type ReducedTire,
} from '#domain/catalog/catalog/catalog.server.ts'
import type { TireFilter } from '#domain/catalog/catalog/catalog.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { slugOf } from '#platform/slug.ts'
import { storeDay } from '#platform/store-zone.ts'
import { draftsOf, type NotADraft } from './draft-kind.server.ts'
import { findSubject, type SubjectRefusal } from './drafts.server.ts'
import { reducedShown } from './left-out.server.ts'
import { filterValues } from './offer-fields.ts'
import type { Subject } from './promotions.sql.server.ts'
import { rebateStateAt, type RebateChange, type RebateCorrection, type RebateDraft } from './rebate-form.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>
export type SaveRefusal = SubjectRefusal | Refused<'name-taken'>

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
 * Makes a draft, and returns its id. Refuses `no-subject` for a brand or model that the catalog doesn't have, unknown
 * parts of its filter, and `name-taken`.
 */
export async function draftRebate(
  { db, clock }: Deps,
  by: Actor,
  draft: RebateDraft,
): Promise<Outcome<number, NotAllowed | SaveRefusal>> {
  return refusingTaken(() =>
    db.transaction().execute(async (tx): Promise<Outcome<number, NotAllowed | SubjectRefusal>> => {
      const at = clock.now()
      const permitted = await requirePermission(tx, by, 'promotions.edit', at)
      if (!permitted.ok) return permitted
      return addRebate(tx, by, draft, at)
    }),
  )
}

/** Adds a draft in the transaction of a permitted actor, and returns its id. Throws a violated key of its name. */
export async function addRebate(
  tx: Tx,
  by: Actor,
  draft: RebateDraft,
  at: Temporal.Instant,
): Promise<Outcome<number, SubjectRefusal>> {
  const on = await findRebateSubject(tx, draft)
  if (!on.ok) return on
  const id = await insertRebate(tx, { ...draft, ...on.value, slug: rebateSlug(draft.name) }, { by: by.name, at })
  await recordAct(tx, { by, act: 'rebate.added', subject: `rebate ${id}`, after: recorded(draft, draft), at })
  return ok(id)
}

export const rebateDrafts = draftsOf({
  kind: 'rebate',
  noun: 'rebate',
  lock: lockRebate,
  isDraft: (rebate) => rebate.draft,
  async save(tx, rebate, change: RebateChange, by) {
    const on = await findRebateSubject(tx, change)
    if (!on.ok) return on
    await updateRebate(tx, rebate, { ...change, ...on.value, slug: rebateSlug(change.name) }, by)
    return ok(null)
  },
  remove: deleteRebate,
  recorded: {
    name: ({ name }) => ({ name }),
    before: (rebate) => recorded(rebate, rebate.filter),
    after: (terms) => recorded(terms, terms),
  },
})

/** Changes a draft, with its address. Refuses as `rebateDrafts.change` and `draftRebate` do. */
export function changeRebateDraft(
  deps: Deps,
  by: Actor,
  id: number,
  change: RebateChange,
): Promise<Outcome<null, NotADraft | SaveRefusal>> {
  return refusingTaken(() => rebateDrafts.change(deps, by, id, change))
}

/** Schedules a draft. Refuses as `rebateDrafts.lock` does, and `claims-over` after its last claim day. */
export async function scheduleRebate(
  { db, clock }: Deps,
  by: Actor,
  { id, version }: { id: number; version: number },
): Promise<Outcome<null, NotADraft | Refused<'claims-over'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const locked = await rebateDrafts.lock(tx, by, { id, version }, at)
    if (!locked.ok) return locked
    const rebate = locked.value
    if (rebateStateAt({ ...rebate, draft: false }, at) === 'ended') return refused('claims-over')
    await updateRebateSchedule(tx, rebate, 'schedule', { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'rebate.scheduled',
      subject: `rebate ${id}`,
      after: recorded(rebate, rebate.filter),
      at,
    })
    await announceCatalogChange(tx)
    return ok(null)
  })
}

type CorrectionRefusal = NotADraft | Refused<'ends-in-past'> | Refused<'claims-earlier', string>

/**
 * Corrects the name, claim address, and last days of a rebate that is running or still claimed. Its address stays. Refuses
 * `name-taken`, `ends-in-past` for a new last purchase day before today, and `claims-earlier` with the last claim day that
 * shoppers were shown. Refuses like drafts otherwise; `other-state` is one that hasn't started or is over.
 */
export function correctRebate(
  { db, clock }: Deps,
  by: Actor,
  id: number,
  change: RebateCorrection,
): Promise<Outcome<null, CorrectionRefusal | Refused<'name-taken'>>> {
  return refusingTaken(() =>
    db.transaction().execute(async (tx): Promise<Outcome<null, CorrectionRefusal>> => {
      const rebate = await lockRebate(tx, id)
      const at = clock.now()
      const permitted = await requirePermission(tx, by, 'promotions.edit', at)
      if (!permitted.ok) return permitted
      if (!rebate) return refused('gone')
      const state = rebateStateAt(rebate, at)
      if (state !== 'running' && state !== 'claimable') return refused('other-state')
      if (rebate.version !== change.version) return refused('changed-meanwhile')
      // One that was ended early ended within its last day.
      const isSameDay = lastDayOf(rebate.endsAt).equals(lastDayOf(change.endsAt))
      const endsAt = isSameDay ? rebate.endsAt : change.endsAt
      if (!isSameDay && Temporal.Instant.compare(endsAt, at) <= 0) return refused('ends-in-past')
      if (change.lastClaimOn < rebate.lastClaimOn) return refused('claims-earlier', rebate.lastClaimOn)
      const corrected = { ...rebate, ...change, endsAt }
      await updateRebateCorrection(tx, rebate, corrected, { by: by.name, at })
      const [before, after] = [correctable(rebate), correctable(corrected)]
      await recordAct(tx, { by, act: 'rebate.corrected', subject: `rebate ${id}`, before, after, at })
      await announceCatalogChange(tx)
      return ok(null)
    }),
  )
}

const lastDayOf = (endsAt: Temporal.Instant) => storeDay(endsAt.subtract({ nanoseconds: 1 }))

function correctable({ name, formUrl, mailTo, endsAt, lastClaimOn }: Omit<RebateCorrection, 'version'>) {
  return { name, formUrl, mailTo, endsAt: endsAt.toString(), lastClaimOn }
}

/**
 * Ends a running rebate now. Earlier purchases can still be claimed. Withdraws a scheduled one, and returns it to draft.
 * Refuses `gone`, and `other-state` for a draft and after purchases have ended.
 */
export async function endRebate(
  { db, clock }: Deps,
  by: Actor,
  { id, reason }: { id: number; reason: string },
): Promise<Outcome<{ isWithdrawn: boolean }, NotAllowed | Refused<'gone'> | Refused<'other-state'>>> {
  return db.transaction().execute(async (tx) => {
    const rebate = await lockRebate(tx, id)
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    if (!rebate) return refused('gone')
    const state = rebateStateAt(rebate, at)
    // A rebate that starts this instant has no time to have run in.
    const isWithdrawn = state === 'scheduled' || (state === 'running' && rebate.startsAt.equals(at))
    if (!isWithdrawn && state !== 'running') return refused('other-state')
    await updateRebateSchedule(tx, rebate, isWithdrawn ? 'withdraw' : 'end', { by: by.name, at })
    const before = { endsAt: rebate.endsAt.toString() }
    const act = isWithdrawn ? 'rebate.withdrawn' : 'rebate.retired'
    await recordAct(tx, { by, act, subject: `rebate ${id}`, before, reason, at })
    await announceCatalogChange(tx)
    return ok({ isWithdrawn })
  })
}

/**
 * Lists ten tires with their prices, and the prices after the rebate on as many as it is for, and counts all of them.
 */
export function listRebated(
  { db }: Pick<Deps, 'db'>,
  { amountCents, units, brandId, lineId, filterId }: OfficeRebate,
): Promise<{ count: number; tires: ReducedTire[] }> {
  const reduction = { kind: 'Flat Amount', amount: amountCents, per: 'order', units, minimumCents: null } as const
  return selectReduced(db, { ...reduction, itemId: null, lineId, brandId, filterId }, { limit: reducedShown })
}

/** "kestrel-60-rebate" */
export function rebateSlug(name: string): string {
  const slug = slugOf(name)
  return slug.endsWith('-rebate') ? slug : `${slug}-rebate`
}

export async function refusingTaken<Value, Reason extends Refused<string, unknown>>(
  save: () => Promise<Outcome<Value, Reason>>,
): Promise<Outcome<Value, Reason | Refused<'name-taken'>>> {
  try {
    return await save()
  } catch (error) {
    const violated = violatedConstraint(error)
    if (violated === 'rebate_name_key' || violated === 'rebate_slug_key') return refused('name-taken')
    throw error
  }
}

/** A manufacturer pays for its own brand or model. */
async function findRebateSubject(tx: Tx, draft: RebateDraft): Promise<Outcome<Subject, SubjectRefusal>> {
  const on = await findSubject(tx, draft)
  const hasBrand = !on.ok || on.value.lineId !== null || on.value.brandId !== null
  return hasBrand ? on : refused('no-subject')
}

type Recorded = Pick<
  RebateDraft,
  'name' | 'amountCents' | 'units' | 'paidAs' | 'subject' | 'formUrl' | 'mailTo' | 'startsAt' | 'endsAt' | 'lastClaimOn'
>

function recorded(of: Recorded, filter: TireFilter | null) {
  const { name, amountCents, units, paidAs, subject, formUrl, mailTo, startsAt, endsAt, lastClaimOn } = of
  const [starts, ends] = [startsAt.toString(), endsAt.toString()]
  const times = { startsAt: starts, endsAt: ends, lastClaimOn }
  return { name, amountCents, units, paidAs, subject, ...filterValues(filter), formUrl, mailTo, ...times }
}
