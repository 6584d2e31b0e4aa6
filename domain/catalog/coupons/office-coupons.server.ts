/** Coupons in the office. */
import { selectDeepestCut, selectReduced, type ReducedTire } from '#domain/catalog/catalog/catalog.server.ts'
import { filterParts } from '#domain/catalog/catalog/catalog.ts'
import {
  authorizeConcession,
  findConcessionRequest,
  inConcessionTransaction,
  type ConcessionRefusal,
  type ConcessionRequest,
} from '#domain/kernel/concessions/concessions.server.ts'
import {
  draftsOf,
  findSubject,
  priceTestCart,
  reducedShown,
  runningAt,
  testedAt,
  type CartTest,
  type NotADraft,
  type Subject,
  type SubjectRefusal,
  type TestDeps,
  type TestedCart,
  type TestRefusal,
} from '#domain/catalog/promotions/promotions.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  couponOffer,
  couponStateAt,
  isFreeService,
  type CouponChange,
  type CouponDraft,
  type CouponState,
  type FreeService,
} from './coupons.ts'
import {
  deleteCoupon,
  hasVersion,
  insertCoupon,
  lockCoupon,
  selectCoupon,
  selectCouponsIn,
  updateCoupon,
  updateCouponEnd,
  updateSchedule,
  withdrawSchedule,
  type OfficeCoupon,
} from './coupons.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>
type Place = { at: Temporal.Instant; id: number }

const couponsPerPage = 50

/** Lists a page of coupons by state; `next` is the cursor of the following page, or null on the last one. */
export async function listCoupons(
  { db, clock }: Deps,
  { state, after }: { state: CouponState; after: Place | null },
): Promise<{ coupons: OfficeCoupon[]; next: Place | null }> {
  const now = clock.now()
  const found = await selectCouponsIn(db, state, { now, after, limit: couponsPerPage + 1 })
  const coupons = found.slice(0, couponsPerPage)
  const last = found.length > couponsPerPage ? coupons.at(-1) : undefined
  return { coupons, next: last ? { at: last.endsAt ?? now, id: last.id } : null }
}

/** Finds a coupon or draft by its id, as the address has it. */
export async function findCoupon({ db }: Pick<Deps, 'db'>, key: string): Promise<OfficeCoupon | undefined> {
  return /^\d{1,9}$/.test(key) ? selectCoupon(db, Number(key)) : undefined
}

/**
 * Makes a draft, and returns its id; the same form makes one only. Refuses `no-subject` for tires that the catalog does
 * not have, `not-free` for a Free coupon without one tire or service, and `no-original` for an unknown coupon to replace.
 */
export async function draftCoupon(
  { db, clock }: Deps,
  by: Actor,
  draft: CouponDraft,
): Promise<Outcome<number, NotAllowed | CouponSubjectRefusal | Refused<'no-original'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    const on = await findCouponSubject(tx, draft)
    if (!on.ok) return on
    if (draft.replaces !== null && !(await lockCoupon(tx, draft.replaces))) return refused('no-original')
    return ok(await addDraft(tx, by, { draft, on: on.value, at }))
  })
}

/** Adds a draft in a permitted actor’s transaction and returns its id. A form that already made one gets that id. */
export async function addDraft(
  tx: Tx,
  by: Actor,
  { draft, on, at }: { draft: CouponDraft; on: CouponSubject; at: Temporal.Instant },
): Promise<number> {
  const { id, isNew } = await insertCoupon(tx, { ...draft, ...on, by: by.name, at })
  if (!isNew) return id
  const { formKey: _, ...after } = draft
  await recordAct(tx, { by, act: 'coupon.drafted', subject: `coupon ${id}`, after, at })
  return id
}

type CouponSubject = Subject & { service: FreeService | null }
export type CouponSubjectRefusal = SubjectRefusal | Refused<'not-free'>

export const couponDrafts = draftsOf({
  kind: 'coupon',
  noun: 'coupon',
  lock: lockCoupon,
  isDraft: (coupon) => coupon.startsAt === null,
  async save(tx, { id }, change: CouponChange) {
    const on = await findCouponSubject(tx, change)
    if (!on.ok) return on
    await updateCoupon(tx, id, { ...change, ...on.value })
    return ok(null)
  },
  remove: deleteCoupon,
  recorded: {
    name: ({ code, name }) => ({ code, name }),
    before: ({ code, name, kind, amount }) => ({ code, name, kind, amount }),
    after: (terms) => terms,
  },
})

export async function findCouponSubject(
  tx: Tx,
  draft: Omit<CouponChange, 'version'>,
): Promise<Outcome<CouponSubject, CouponSubjectRefusal>> {
  const service = draft.kind === 'Free' && isFreeService(draft.subject) ? draft.subject : null
  const on = await findSubject(tx, { ...draft, subject: service === null ? draft.subject : '' })
  if (!on.ok) return on
  const narrowed = filterParts.find((part) => draft[part] !== null)
  if (service !== null && narrowed) return refused('filter-of-one', narrowed)
  return draft.kind === 'Free' && service === null && on.value.itemId === null
    ? refused('not-free')
    : ok({ ...on.value, service })
}

/** Lists ten tires with their prices before and after the coupon, and counts all of them. A free service has no tires. */
export async function listReducedByCoupon(
  { db }: Pick<Deps, 'db'>,
  coupon: OfficeCoupon,
): Promise<{ count: number; tires: ReducedTire[] }> {
  if (coupon.service !== null) return { count: 0, tires: [] }
  return selectReduced(db, { ...coupon, per: 'order' }, { limit: reducedShown })
}

type ScheduleRefusal =
  | NotADraft
  | Refused<'starts-in-past'>
  | Refused<'ends-before-start'>
  | Refused<'original-not-begun'>
  | Refused<'code-taken'>
  | ConcessionRefusal

/**
 * Schedules a draft. The coupon it replaces ends when this one starts. Refuses a draft that was changed since it was read, a start in the past, an end that is not
 * after the start, a replaced coupon that would not have started by then, and a code that another coupon has in that time.
 * A coupon beyond the limits of one person stays a draft, `requested`, until a second person schedules it.
 */
export async function scheduleCoupon(
  { db, clock }: Deps,
  by: Actor,
  {
    id,
    version,
    startsAt,
    endsAt,
  }: { id: number; version: number; startsAt: Temporal.Instant; endsAt: Temporal.Instant },
): Promise<Outcome<{ state: 'scheduled' | 'requested' }, ScheduleRefusal>> {
  try {
    return await inConcessionTransaction(db, async (tx) => {
      const at = clock.now()
      const locked = await couponDrafts.lock(tx, by, { id, version }, at)
      if (!locked.ok) return locked
      const coupon = locked.value
      if (Temporal.Instant.compare(startsAt, at) < 0) return refused('starts-in-past')
      if (Temporal.Instant.compare(endsAt, startsAt) <= 0) return refused('ends-before-start')
      const after = { startsAt: startsAt.toString(), endsAt: endsAt.toString(), replaces: coupon.replacesId }
      const about = { by, subject: `coupon ${id}`, after, at }
      const cut = coupon.service === null ? await selectDeepestCut(tx, { ...coupon, per: 'order' }) : null
      const reference = String(id)
      const decided = await authorizeConcession(tx, { kind: 'coupon', reference, by, amountCents: 0, cut, at })
      if (!decided.ok) return decided
      if (decided.value.state === 'requested') {
        await recordAct(tx, { ...about, act: 'coupon.requested' })
        return ok({ state: 'requested' })
      }
      if (coupon.replacesId !== null && !(await endReplaced(tx, coupon.replacesId, startsAt)))
        return refused('original-not-begun')
      await updateSchedule(tx, coupon, { startsAt, endsAt })
      await recordAct(tx, { ...about, act: 'coupon.scheduled', authorization: decided.value.authorization })
      return ok({ state: 'scheduled' })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'coupon_code_once_at_a_time') return refused('code-taken')
    throw error
  }
}

/** Finds the approval that was requested for a draft; undefined without one. */
export function findCouponRequest({ db }: Pick<Deps, 'db'>, id: number): Promise<ConcessionRequest | undefined> {
  return findConcessionRequest(db, 'coupon', String(id))
}

/** Ends the coupon at the start of its new version, if it still runs then; false if it would not have started. */
async function endReplaced(tx: Tx, id: number, at: Temporal.Instant): Promise<boolean> {
  const original = await lockCoupon(tx, id)
  if (!original?.startsAt || !original.endsAt || Temporal.Instant.compare(original.startsAt, at) >= 0) return false
  if (Temporal.Instant.compare(original.endsAt, at) > 0) await updateCouponEnd(tx, id, at)
  return true
}

/**
 * Ends a running coupon now, or withdraws a scheduled one and returns it to draft. Refuses one that has ended, and to
 * withdraw one that a draft is a new version of (`has-version`).
 */
export async function endCoupon(
  { db, clock }: Deps,
  by: Actor,
  { id, reason }: { id: number; reason: string },
): Promise<
  Outcome<{ isWithdrawn: boolean }, NotAllowed | Refused<'gone'> | Refused<'other-state'> | Refused<'has-version'>>
> {
  return db.transaction().execute(async (tx) => {
    const coupon = await lockCoupon(tx, id)
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    if (!coupon) return refused('gone')
    const subject = `coupon ${id}`
    const before = { endsAt: coupon.endsAt?.toString() ?? null }
    const state = couponStateAt(coupon, at)
    // A coupon that starts this instant has no time to have run in.
    if (state === 'running' && !coupon.startsAt?.equals(at)) {
      await updateCouponEnd(tx, id, at)
      await recordAct(tx, { by, act: 'coupon.ended', subject, before, after: { endsAt: at.toString() }, reason, at })
      return ok({ isWithdrawn: false })
    }
    if (state !== 'scheduled') return refused('other-state')
    if (await hasVersion(tx, id)) return refused('has-version')
    await withdrawSchedule(tx, id)
    await recordAct(tx, { by, act: 'coupon.withdrawn', subject, before, reason, at })
    return ok({ isWithdrawn: true })
  })
}

/** Prices a cart at the coupon's start, or now, with and without it, with the promotions that run then. */
export async function testCoupon(
  deps: TestDeps,
  coupon: OfficeCoupon,
  tested: TestedCart,
): Promise<Outcome<CartTest, TestRefusal>> {
  const at = testedAt(coupon.startsAt, deps.catalog.clock.now())
  const promotions = await runningAt(deps.catalog, at)
  return priceTestCart(deps, tested, {
    at,
    without: { promotions },
    with: {
      promotions,
      programs: async (articles) => {
        const itemIds = articles.map(({ itemId }) => itemId)
        return [couponOffer((await selectCoupon(deps.catalog.db, coupon.id, itemIds)) ?? coupon, articles)]
      },
    },
  })
}
