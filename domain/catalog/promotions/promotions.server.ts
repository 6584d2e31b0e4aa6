/** Promotions in the office. Drafts are edited, tested, and scheduled. After that, promotions are replaced and ended. */
import { sql } from 'kysely'
import {
  announceCatalogChange,
  deletePromotion,
  findMapPrice,
  insertExclusions,
  insertPromotion,
  listMapPrices,
  lockPromotedPrices,
  lockPromotion,
  selectDeepestCut,
  setMapPrices,
  tiresBelowMap,
  updatePromotionEnd,
  type MapPrice,
  type NewMapPrice,
  type PlannedReduction,
  type TireBelowMap,
} from '#domain/catalog/catalog/catalog.server.ts'
import {
  authorizeConcession,
  findConcessionRequest,
  inConcessionTransaction,
  type ConcessionRefusal,
  type ConcessionRequest,
} from '#domain/kernel/concessions/concessions.server.ts'
import { lockBelowMapRule } from '#domain/kernel/settings/settings.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { slugOf } from '#platform/slug.ts'
import { countOf } from '#platform/count-text.ts'
import { selectBelowMinimum } from './below-minimum.sql.server.ts'
import type { NotADraft } from './draft-kind.server.ts'
import { promotionDrafts } from './drafts.server.ts'
import {
  stateAt,
  type BelowMinimum,
  type MinimumPriceChange,
  type PromotionDraft,
  type PromotionState,
} from './promotions.ts'
import {
  isReplaced,
  lockPlan,
  lockPlanOf,
  selectDrafts,
  selectOfficePromotion,
  selectPlan,
  selectPromotionsIn,
  updatePlanPromotion,
  type OfficePromotion,
} from './promotions.sql.server.ts'

export {
  priceTestCart,
  testAccountPrices,
  runningAt,
  testedAt,
  testPromotion,
  type CartTest,
  type TestDeps,
  type TestedCart,
  type TestRefusal,
} from './test-cart.server.ts'
export { draftsOf, type NotADraft } from './draft-kind.server.ts'
export { draftPromotion, findSubject, promotionDrafts, type SubjectRefusal } from './drafts.server.ts'
export { listLeftOut, listPromoted, reducedShown } from './left-out.server.ts'
export { draftFault, importDrafts, type ImportedDrafts, type RowFault } from './import-drafts.server.ts'
export { importRebates } from './import-rebates.server.ts'
export {
  changeRebateDraft,
  correctRebate,
  draftRebate,
  endRebate,
  findOfficeRebate,
  listOfficeRebates,
  listRebated,
  rebateDrafts,
  scheduleRebate,
} from './rebates.server.ts'
export {
  belowMinimumQuery,
  changedPrices,
  selectAllBelowMinimum,
  selectBelowMinimum,
  type BelowMinimumTire,
} from './below-minimum.sql.server.ts'
export type { OfficePromotion, Subject } from './promotions.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>

const promotionsPerPage = 50

/** Lists a page of promotions by state; `next` is the cursor of the following page, or null on the last one. */
export async function listPromotions(
  { db, clock }: Deps,
  { state, after }: { state: PromotionState; after: { at: Temporal.Instant; id: number } | null },
): Promise<{ promotions: OfficePromotion[]; next: { at: Temporal.Instant; id: number } | null }> {
  const limit = promotionsPerPage + 1
  const now = clock.now()
  const found =
    state === 'draft'
      ? await selectDrafts(db, { before: after?.id ?? null, limit })
      : await selectPromotionsIn(db, state, { now, after, limit })
  const promotions = found.slice(0, promotionsPerPage)
  const last = found.length > promotionsPerPage ? promotions.at(-1) : undefined
  const id = last && (state === 'draft' ? last.planId : last.promotionId)
  return { promotions, next: last && id ? { at: last.endsAt ?? now, id } : null }
}

/** Finds a promotion by "p12" or a draft by "d12"; the key of a scheduled draft finds its promotion. */
export async function findPromotion({ db }: { db: Database }, key: string): Promise<OfficePromotion | undefined> {
  const [, kind, digits] = /^([dp])(\d{1,9})$/.exec(key) ?? []
  if (digits === undefined) return undefined
  if (kind === 'p') return selectOfficePromotion(db, Number(digits))
  const plan = await selectPlan(db, Number(digits))
  return plan?.promotionId ? selectOfficePromotion(db, plan.promotionId) : plan
}

type ScheduleRefusal =
  | NotADraft
  | Refused<'starts-in-past'>
  | Refused<'ends-before-start'>
  | Refused<'longer-than-a-day'>
  | Refused<'original-not-begun'>
  | Refused<'below-map', readonly TireBelowMap[]>
  | ConcessionRefusal

/**
 * Schedules a draft, and returns the promotion's id. The promotion it replaces ends when this one starts. Refuses a start
 * in the past, an end that is not after the start, a daily deal of more than a day, a draft that was changed since it was read, and a replaced promotion that would not have started by then
 * (`original-not-begun`: withdraw that one instead), and one that puts all its tires below their minimum advertised price;
 * of others it leaves such tires out, unless the store shows those prices in the cart.
 * A promotion beyond the limits of one person stays a draft, `requested`, until a second person schedules it.
 */
export async function schedulePromotion(
  { db, clock }: Deps,
  by: Actor,
  {
    planId,
    version,
    startsAt,
    endsAt,
  }: { planId: number; version: number; startsAt: Temporal.Instant; endsAt: Temporal.Instant },
): Promise<Outcome<{ state: 'scheduled'; promotionId: number } | { state: 'requested' }, ScheduleRefusal>> {
  return inConcessionTransaction(db, async (tx) => {
    const at = clock.now()
    const locked = await promotionDrafts.lock(tx, by, { id: planId, version }, at)
    if (!locked.ok) return locked
    const plan = locked.value
    const timed = checkTimes(plan, { startsAt, endsAt }, at)
    if (!timed.ok) return timed
    const isRefused = (await lockBelowMapRule(tx)) === 'refuse'
    if (isRefused) await lockPromotedPrices(tx, plan)
    const below = isRefused ? await tiresBelowMap(tx, plan) : { tires: [], hasOthers: true }
    if (!below.hasOthers) return refused('below-map', below.tires)
    const about = {
      by,
      after: { startsAt: startsAt.toString(), endsAt: endsAt.toString(), replaces: plan.replaces_id },
      at,
    }
    const decided = await authorizeConcession(tx, {
      kind: 'promotion',
      reference: String(planId),
      by,
      amountCents: 0,
      cut: await selectDeepestCut(tx, reductionOf(plan)),
      at,
    })
    if (!decided.ok) return decided
    if (decided.value.state === 'requested') {
      await recordAct(tx, { ...about, act: 'promotion.requested', subject: `promotion draft ${planId}` })
      return ok({ state: 'requested' })
    }
    if (plan.replaces_id !== null && !(await endReplaced(tx, plan.replaces_id, startsAt)))
      return refused('original-not-begun')
    const { name, headline, kind, amount, brand_id, product_line_id, item_id, filter_id, funded_by } = plan
    const promotionId = await insertPromotion(tx, {
      slug: `${slugOf(name)}-${planId}`,
      name,
      headline,
      kind,
      amount,
      brand_id,
      product_line_id,
      item_id,
      filter_id,
      funded_by,
      daily: plan.daily,
      link_to_coverage: plan.link_to_coverage,
      starts_at: startsAt,
      ends_at: endsAt,
    })
    await updatePlanPromotion(tx, { id: planId, promotionId })
    if (below.tires.length > 0) await insertExclusions(tx, promotionId, below.tires)
    const leftOut = below.tires.map(({ sku }) => sku)
    await recordAct(tx, {
      ...about,
      after: { ...about.after, ...(leftOut.length > 0 && { leftOut: leftOut.slice(0, 50).join(', ') }) },
      act: 'promotion.scheduled',
      authorization: decided.value.authorization,
      subject: `promotion ${promotionId}`,
    })
    return ok({ state: 'scheduled', promotionId })
  })
}

/** The day on which clocks go back has 25 hours. */
const hoursOfDailyDeal = 25

function checkTimes(
  { daily }: Pick<Plan, 'daily'>,
  { startsAt, endsAt }: { startsAt: Temporal.Instant; endsAt: Temporal.Instant },
  at: Temporal.Instant,
): Outcome<null, Refused<'starts-in-past'> | Refused<'ends-before-start'> | Refused<'longer-than-a-day'>> {
  if (Temporal.Instant.compare(startsAt, at) < 0) return refused('starts-in-past')
  if (Temporal.Instant.compare(endsAt, startsAt) <= 0) return refused('ends-before-start')
  const isTooLong = daily && Temporal.Instant.compare(endsAt, startsAt.add({ hours: hoursOfDailyDeal })) > 0
  return isTooLong ? refused('longer-than-a-day') : ok(null)
}

function reductionOf({ kind, amount, item_id, product_line_id, brand_id, filter_id }: Plan): PlannedReduction {
  const on = { itemId: item_id, lineId: product_line_id, brandId: brand_id, filterId: filter_id }
  return { ...on, kind: kind as PromotionDraft['kind'], amount, per: 'tire', minimumCents: null }
}

type Plan = NonNullable<Awaited<ReturnType<typeof lockPlan>>>

/** Finds the approval that was requested for a draft; undefined without one. */
export function findPromotionRequest({ db }: { db: Database }, planId: number): Promise<ConcessionRequest | undefined> {
  return findConcessionRequest(db, 'promotion', String(planId))
}

/** Ends the promotion at the start of its new version, if it still runs then; false if it would not have started. */
async function endReplaced(tx: Tx, id: number, at: Temporal.Instant): Promise<boolean> {
  const original = await lockPromotion(tx, id)
  if (!original || Temporal.Instant.compare(original.startsAt, at) >= 0) return false
  if (Temporal.Instant.compare(original.endsAt, at) > 0) await updatePromotionEnd(tx, { id, at })
  return true
}

/**
 * Ends a running promotion now, or withdraws a scheduled one, so that its plan becomes a draft again. Refuses one that
 * has ended, a scheduled one that was not made in the office, and one that a draft is a new version of (`has-version`).
 */
export async function endPromotion(
  { db, clock }: Deps,
  by: Actor,
  { promotionId, reason }: { promotionId: number; reason: string },
): Promise<
  Outcome<{ draftId: number | null }, NotAllowed | Refused<'gone'> | Refused<'other-state'> | Refused<'has-version'>>
> {
  return db.transaction().execute(async (tx) => {
    const planId = await lockPlanOf(tx, promotionId)
    const promotion = await lockPromotion(tx, promotionId)
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    if (!promotion) return refused('gone')
    const subject = `promotion ${promotionId}`
    const before = { endsAt: promotion.endsAt.toString() }
    const state = stateAt(promotion, at)
    // A promotion that starts this instant has no time to have run in.
    if (state === 'running' && !promotion.startsAt.equals(at)) {
      await updatePromotionEnd(tx, { id: promotionId, at })
      await recordAct(tx, { by, act: 'promotion.ended', subject, before, after: { endsAt: at.toString() }, reason, at })
      return ok({ draftId: null })
    }
    if (state !== 'scheduled' || planId === undefined) return refused('other-state')
    if (await isReplaced(tx, promotionId)) return refused('has-version')
    await updatePlanPromotion(tx, { id: planId, promotionId: null })
    await deletePromotion(tx, promotionId)
    await recordAct(tx, { by, act: 'promotion.withdrawn', subject, before, reason, at })
    return ok({ draftId: planId })
  })
}

/** How many tires below their minimum a refusal names. */
const mostBelowNamed = 20

/**
 * Sets or removes (null) tires' minimum advertised prices. Refuses unknown SKUs,
 * `changed-meanwhile` for a price with another `version`, and, unless `acceptsBelow`, minimums
 * above the retail price or undercut by a running or scheduled promotion, in either setting of prices below a minimum:
 * the manufacturer sets them, so they can be saved, and the tires are listed on Home. Refusals leave all minimums
 * unchanged. With `seen`, the latest version when the prices were entered, it leaves out tires that were set since, and
 * returns them as they are now, with the latest version.
 */
export async function setMinimumPrices(
  { db, clock }: Deps,
  by: Actor,
  {
    prices: typed,
    acceptsBelow,
    seen = null,
  }: { prices: readonly NewMapPrice[]; acceptsBelow: boolean; seen?: number | null },
): Promise<
  Outcome<{ changed: { sku: string; mapCents: number | null }[]; version: number }, NotAllowed | MinimumsRefusal>
> {
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'promotions.edit', clock.now())
      if (!permitted.ok) return permitted
      const { unknown, stale, version } = await setMapPrices(tx, typed, () => clock.now(), seen)
      if (unknown.length > 0) throw new RefusedMinimums(refused('no-tire', unknown))
      if (seen === null && stale.length > 0) throw new RefusedMinimums(refused('changed-meanwhile'))
      const prices = typed.filter(({ sku }) => !stale.some((tire) => tire.sku === sku))
      const outcome = ok({ changed: stale, version })
      if (prices.length === 0) return outcome
      const skus = prices.map(({ sku }) => sku)
      // The tires are locked, so that their retail prices stay as checked.
      const saved = sql`select id as item_id, retail_cents, map_cents from item where active and sku = any(${skus}::text[])`
      const below = await selectBelowMinimum(tx, saved, { at: clock.now(), limit: mostBelowNamed })
      if (below.count > 0 && !acceptsBelow) throw new RefusedMinimums(refused('below-minimum', below))
      const minimums = prices
        .slice(0, 50)
        .map(({ sku, mapCents }) => `${sku} ${mapCents === null ? 'none' : formatCents(mapCents)}`)
      const subject = countOf(prices.length, 'tire')
      const accepted = below.count > 0 ? { acceptedBelow: below.tires.map(({ sku }) => sku).join(', ') } : {}
      await recordAct(tx, {
        by,
        act: 'map-prices.set',
        subject,
        after: { prices: minimums.join(', '), ...accepted },
        at: clock.now(),
      })
      await announceCatalogChange(tx)
      return outcome
    })
  } catch (error) {
    if (error instanceof RefusedMinimums) return error.refusal
    throw error
  }
}

type MinimumsRefusal =
  | Refused<'no-tire', string[]>
  | Refused<'changed-meanwhile'>
  | Refused<'below-minimum', { count: number; tires: BelowMinimum[] }>

/** Carries a refusal out of a transaction that must be rolled back. */
class RefusedMinimums extends Error {
  readonly refusal: MinimumsRefusal
  constructor(refusal: MinimumsRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/** Sets or removes one tire's minimum advertised price. Refuses as `setMinimumPrices` does, and `gone` for an unknown tire. */
export async function setMinimumPrice(
  { db, clock }: Deps,
  by: Actor,
  itemId: number,
  { price, acceptsBelow, version }: MinimumPriceChange,
): Promise<Outcome<null, NotAllowed | Refused<'gone'> | MinimumsRefusal>> {
  const tire = await findMapPrice({ db }, itemId)
  if (!tire) return refused('gone')
  const prices = [{ sku: tire.sku, mapCents: price, version }]
  const saved = await setMinimumPrices({ db, clock }, by, { prices, acceptsBelow })
  return saved.ok ? ok(null) : saved
}

const mapPricesPerPage = 100

/** Lists a page of tires with a minimum advertised price, after the tire `after`; `next` is null on the last page. */
export async function listMinimumPrices(
  { db }: Pick<Deps, 'db'>,
  after: number | null,
): Promise<{ items: MapPrice[]; next: number | null }> {
  const found = await listMapPrices({ db }, { after: after ?? 0, limit: mapPricesPerPage + 1 })
  const items = found.slice(0, mapPricesPerPage)
  return { items, next: found.length > mapPricesPerPage ? (items.at(-1)?.itemId ?? null) : null }
}
