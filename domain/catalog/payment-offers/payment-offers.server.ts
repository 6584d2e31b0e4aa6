/** Payment method discounts for the first order with the store card, and for lender promotions. */
import { selectDeepestCut } from '#domain/catalog/catalog/catalog.server.ts'
import {
  authorizeConcession,
  inConcessionTransaction,
  type ConcessionRefusal,
} from '#domain/kernel/concessions/concessions.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { TenderOffer } from '#domain/pricing/pricing/pricing.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { isPayLater, payLaterState, storeCardOffer, type PayLaterDraft, type PayLaterOffer } from './payment-offers.ts'
import {
  insertOffer,
  insertStoreCardUse,
  lockOffer,
  selectIsFirst,
  selectOfferOfForm,
  selectOffers,
  selectRunningOffer,
  updateEnd,
} from './payment-offers.sql.server.ts'

export { cancelStoreCardUse } from './payment-offers.sql.server.ts'

type Deps = { db: Database; clock: Clock }
const offersListed = 100

/** Returns the discount of the cart's payment method on the whole order; null without a discount. */
export async function offerTender(
  { db, clock, businessTerms }: Deps & { businessTerms: Pick<LiveTerms, 'current'> },
  { id: cartId, paymentMethod: method }: Pick<Cart, 'id'> & { paymentMethod: string },
  accountId: string | null,
): Promise<TenderOffer | null> {
  if (method === 'store-card')
    return (await selectIsFirst(db, { cartId, accountId })) ? noneAtZero(storeCardOffer(businessTerms.current)) : null
  if (!isPayLater(method)) return null
  const offer = await selectRunningOffer(db, method, clock.now())
  return offer ? { kind: 'pay-later', ratePpm: offer.percent * 10_000, fundedBy: offer.fundedBy } : null
}

/** Returns null for an offer of zero cents. */
function noneAtZero(offer: TenderOffer): TenderOffer | null {
  return offer.ratePpm === 0 ? null : offer
}

/**
 * Claims the store card discount for the order being placed, in the transaction of `db`. False if an order of the same
 * account or email has claimed it, so only one of two concurrent orders gets it.
 */
export function claimStoreCardOffer(
  { db, clock }: { db: Tx; clock: Clock },
  { orderId, accountId }: { orderId: number; accountId: string | null },
): Promise<boolean> {
  return insertStoreCardUse(db, { orderId, accountId, at: clock.now() })
}

/** Lists the offers that run or will, then those that ended last. */
export function listPayLaterOffers({ db, clock }: Deps): Promise<PayLaterOffer[]> {
  return selectOffers(db, clock.now(), offersListed)
}

/**
 * Schedules an offer, and returns its id; the same form makes one only. Refuses a start in the past, an end that is not
 * after the start, and a time in which the way to pay has another offer (`taken`). An offer beyond the limits of one person
 * is `requested`, until a second person schedules the same.
 */
export async function schedulePayLater(
  { db, clock }: Deps,
  by: Actor,
  draft: PayLaterDraft,
): Promise<
  Outcome<
    { state: 'scheduled'; id: number } | { state: 'requested' },
    | Refused<'not-allowed'>
    | Refused<'starts-in-past'>
    | Refused<'ends-before-start'>
    | Refused<'taken'>
    | ConcessionRefusal
  >
> {
  return inConcessionTransaction(db, async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    // The form has minute precision, and the current minute counts as now.
    if (Temporal.Instant.compare(draft.startsAt, at.subtract({ minutes: 1 })) < 0) return refused('starts-in-past')
    if (Temporal.Instant.compare(draft.endsAt, draft.startsAt) <= 0) return refused('ends-before-start')
    const earlier = await selectOfferOfForm(tx, draft.formKey)
    if (earlier !== undefined) return ok({ state: 'scheduled', id: earlier })
    const { method, percent, fundedBy, startsAt, endsAt } = draft
    const after = { method, percent, fundedBy, startsAt: startsAt.toString(), endsAt: endsAt.toString() }
    const decided = await authorizeConcession(tx, {
      kind: 'payment-offer',
      // The same offer, scheduled by any actor.
      reference: `${method} ${percent} ${after.startsAt} ${after.endsAt}`,
      by,
      amountCents: 0,
      cut: await selectDeepestCut(tx, { ...everyTire, kind: 'Percentage', amount: percent }),
      at,
    })
    if (!decided.ok) return decided
    if (decided.value.state === 'requested') {
      await recordAct(tx, { by, act: 'payment-offer.requested', subject: `payment offer on ${method}`, after, at })
      return ok({ state: 'requested' })
    }
    const added = await insertOffer(tx, { ...draft, by: by.name, at })
    if (!added) return refused('taken')
    const { id, isNew } = added
    if (!isNew) return ok({ state: 'scheduled', id })
    const subject = `payment offer ${id}`
    const { authorization } = decided.value
    await recordAct(tx, { by, act: 'payment-offer.scheduled', authorization, subject, after, at })
    return ok({ state: 'scheduled', id })
  })
}

const everyTire = {
  per: 'tire',
  minimumCents: null,
  itemId: null,
  lineId: null,
  brandId: null,
  filterId: null,
} as const

/** Ends an offer now; one that is scheduled never starts. Refuses one that has ended (`other-state`). */
export async function endPayLater(
  { db, clock }: Deps,
  by: Actor,
  { id, reason }: { id: number; reason: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'> | Refused<'other-state'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    const offer = await lockOffer(tx, id)
    if (!offer) return refused('gone')
    if (payLaterState(offer, at) === 'ended') return refused('other-state')
    await updateEnd(tx, offer, at)
    const before = { endsAt: offer.endsAt.toString() }
    await recordAct(tx, { by, act: 'payment-offer.ended', subject: `payment offer ${id}`, before, reason, at })
    return ok(null)
  })
}
