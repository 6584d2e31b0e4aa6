/** Staff edits of an order's destination, with preview and commit. */
import { bookingMessages } from '#content/messages/booking.ts'
import { holdWithin } from '#domain/scheduling/booking/booking.server.ts'
import { bookingCan, type Choice, type OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { lockShopTerms } from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import {
  findToActOn,
  hasLineRefunds,
  insertOrderNote,
  lockOrder,
  lockShipments,
  readOrder,
  recordOrderAct,
  type OrderView,
  type StaffActOutcome,
} from '#domain/ordering/orders/orders.server.ts'
import { canActOn } from '#domain/ordering/orders/orders.ts'
import { breakdownFingerprint } from '#domain/pricing/pricing/pricing.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { applyChange, reopenWindow } from './apply-change.server.ts'
import {
  changeRows,
  linkHours,
  type AskedPlace,
  type ChangeRow,
  type ChangeState,
  type Settlement,
} from './order-changes.ts'
import { previewSettlement, settlementFor } from './settle-difference.server.ts'
import { insertChange, selectChange, selectOpenChange, type OrderChange } from './order-changes.sql.server.ts'
import {
  lastOf,
  not,
  offerPlannedTimes,
  planChange,
  promisesAt,
  type NotPossible,
  type PlanDeps,
  type PlannedChange,
} from './plan-change.server.ts'

/** A change as it would be made. */
export type ChangePreview = {
  name: string
  timeZone: string
  rows: ChangeRow[]
  beforeCents: number
  afterCents: number
  settledBy: Settlement
  /** Identifies the price, so that an edit is made at the price that was shown. */
  agreedPrice: string
  arrivesOn: Temporal.PlainDate
  days: OfferedDay[]
  isInstalled: boolean
}

/**
 * Previews an edit without writing. With `isOnStore`, the store bears a higher price within its limits, such as after it
 * stopped the shop.
 */
export async function previewChange(
  deps: PlanDeps,
  order: OrderView,
  asked: AskedPlace,
  isOnStore = false,
): Promise<Outcome<ChangePreview, NotPossible>> {
  const planned = await planChange(deps, order, asked)
  if (!planned.ok) return planned
  const { name, timeZone, place, after } = planned.value
  const cents = { before: order.totalCents, after: after.totals.totalCents }
  const agreedPrice = breakdownFingerprint(after)
  const settledBy = await previewSettlement(deps, { order, agreedPrice, isOnStore }, cents)
  const promises = await promisesAt(deps, order, { zip: place.shipTo.zip, isPaidLater: settledBy === 'payment' })
  if (!promises.ok) return promises
  const arrivesOn = lastOf(promises.value)
  return ok({
    name,
    timeZone,
    rows: changeRows(order.breakdown, after),
    beforeCents: cents.before,
    afterCents: cents.after,
    settledBy,
    agreedPrice,
    arrivesOn,
    days: await offerPlannedTimes(deps, planned.value, arrivesOn),
    isInstalled: place.shopId !== null,
  })
}

export type AskedChange = AskedPlace & {
  orderId: number
  /** Null without installation. */
  choice: Choice | null
  waives: boolean
  reason: string
  /** The form's idempotency key, under which an edit is made or offered once. */
  key: string
  agreedPrice: string
}

export type ChangeOutcome = Outcome<
  { state: ChangeState; isNew: boolean },
  | Extract<StaffActOutcome, { ok: false }>
  | Refused<'price-changed'>
  | Refused<'waiver-not-allowed', { why: string }>
  | Refused<'time-not-free', { why: string }>
>

/**
 * Edits an order at the price that was shown. Applies immediately if the price is equal or lower, or the difference is
 * waived. Otherwise the edit is offered to the customer and applied when they pay, and its bay is held until then.
 * Order, price and bay are reread under their locks; the second of two staff members gets a refusal.
 */
export async function changeOrder(deps: PlanDeps, by: Actor, asked: AskedChange): Promise<ChangeOutcome> {
  try {
    return await deps.db.transaction().execute((tx) => changeWithin(tx, deps, by, asked))
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  }
}

/**
 * Makes the change that the shopper of an order asked for, or offers it where it costs more, as `changeOrder` does for
 * staff. Who may speak for the order has been checked. `isOnStore` is asked under the order's lock.
 */
export async function changeOrderAsShopper(
  deps: PlanDeps,
  asked: Omit<AskedChange, 'waives'>,
  isOnStore: IsOnStore = () => Promise.resolve(false),
): Promise<Outcome<{ change: OrderChange; isNew: boolean }, ShopperRefusal>> {
  try {
    return await deps.db
      .transaction()
      .execute((tx) => changeWithinAsShopper(tx, deps, { ...asked, waives: false }, isOnStore))
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  }
}

/** Returns whether the store bears a higher price for this order. */
export type IsOnStore = (tx: Tx, orderId: number) => Promise<boolean>

/** Why a shopper's change was not made; the sentences of `not-possible` are for staff. */
export type ShopperRefusal =
  | Refused<'order-not-found'>
  | Refused<'notice-over'>
  | NotPossible
  | Refused<'price-changed'>
  | Refused<'waiver-not-allowed', { why: string }>
  | Refused<'time-not-free', { why: string }>

async function changeWithinAsShopper(
  tx: Tx,
  deps: PlanDeps,
  asked: AskedChange,
  isOnStore: IsOnStore,
): Promise<Outcome<{ change: OrderChange; isNew: boolean }, ShopperRefusal>> {
  const at = deps.clock.now()
  const locked = await lockOrder(tx, asked.orderId)
  const order = locked && (await readOrder(tx, asked.orderId))
  if (!order) return refused('order-not-found')
  const before = await selectChange(tx, { submissionKey: asked.key })
  if (before?.orderId === asked.orderId) return ok({ change: before, isNew: false })
  if (order.booking && !bookingCan.cancelAsShopper(order.booking, at).can) return refused('notice-over')
  const allowed = canActOn(order, 'place', at)
  if (!allowed.can) return not(allowed.reason)
  const ready = await readyToChange(tx, deps, order, asked)
  if (!ready.ok) return ready
  const made = await makeChange(tx, deps, {
    order,
    actor: 'shopper',
    at,
    by: null,
    asked,
    planned: ready.value,
    isOnStore: await isOnStore(tx, order.id),
  })
  return made.ok ? ok({ change: made.value, isNew: true }) : made
}

async function changeWithin(tx: Tx, deps: PlanDeps, by: Actor, asked: AskedChange): Promise<ChangeOutcome> {
  const at = deps.clock.now()
  const found = await findToActOn(tx, by, { act: 'place', orderId: asked.orderId }, at)
  const before = await selectChange(tx, { submissionKey: asked.key })
  if (before?.orderId === asked.orderId && (found.ok || found.reason === 'not-possible'))
    return ok({ state: before.state, isNew: false })
  if (!found.ok) return found
  const ready = await readyToChange(tx, deps, found.value.order, asked)
  if (!ready.ok) return ready
  const made = await makeChange(tx, deps, { ...found.value, by, asked, planned: ready.value, isOnStore: false })
  return made.ok ? ok({ state: made.value.state, isNew: true }) : made
}

type Ready = {
  order: OrderView
  actor: string
  at: Temporal.Instant
  /** Null for the shopper. */
  by: Actor | null
  asked: AskedChange
  planned: PlannedChange
  isOnStore: boolean
}

/** Makes the change, or offers it to the customer, and writes that down. */
async function makeChange(
  tx: Tx,
  deps: PlanDeps,
  ready: Ready,
): Promise<
  Outcome<
    OrderChange,
    NotPossible | Refused<'waiver-not-allowed', { why: string }> | Refused<'time-not-free', { why: string }>
  >
> {
  const { order, actor, at, by, asked, planned } = ready
  const cents = { before: order.totalCents, after: planned.after.totals.totalCents }
  const settled = await settlementFor(tx, ready, cents)
  if (!settled.ok) return settled
  const settledBy = settled.value
  const expiresAt = settledBy === 'payment' ? at.add({ hours: linkHours }) : null
  const held = await holdBay(tx, deps, { order, planned, asked, actor, expiresAt })
  // Also takes back a waiver.
  if (!held.ok) throw new Undo(held)
  const change = changeOf(ready, { settledBy, expiresAt, bookingId: held.value })
  await insertChange(tx, { ...change, submissionKey: asked.key })
  if (expiresAt) await offer(tx, ready, change, expiresAt)
  else {
    const applied = await applyChange(tx, deps, { order, change, planned, actor, at })
    if (!applied.ok) throw new Undo(applied)
  }
  if (by) await recordChange(tx, { ...ready, by }, change)
  return ok(change)
}

function recordChange(
  tx: Tx,
  { order, at, by, asked, planned }: Ready & { by: Actor },
  { fulfillment, expiresAt, settledBy, beforeCents, afterCents }: OrderChange,
): Promise<void> {
  return recordOrderAct(tx, by, {
    act: expiresAt ? 'order.change-offered' : 'order.changed',
    order,
    at,
    reason: asked.reason,
    before: { fulfillment: order.fulfillment, shop: order.shop?.name ?? null, totalCents: beforeCents },
    after: { fulfillment, place: planned.name, totalCents: afterCents, settledBy },
  })
}

function changeOf(
  { order, at, by, asked, planned }: Ready,
  how: Pick<OrderChange, 'settledBy' | 'expiresAt' | 'bookingId'>,
): OrderChange {
  const { fulfillment, shopId, carrierLocationId } = planned.place
  return {
    ...how,
    id: newTimedId(),
    orderId: order.id,
    state: how.expiresAt ? 'awaiting-payment' : 'done',
    fulfillment,
    shopId,
    carrierLocationId,
    fromShopId: order.shop?.id ?? null,
    before: order.breakdown,
    after: planned.after,
    beforeCents: order.totalCents,
    afterCents: planned.after.totals.totalCents,
    reason: asked.reason,
    createdAt: at,
    createdBy: by?.name ?? 'shopper',
    endedAt: how.expiresAt ? null : at,
  }
}

/** Reads everything a change rests on again, under its locks. */
async function readyToChange(
  tx: Tx,
  { clock, maxReleaseSeconds, businessTerms }: PlanDeps,
  order: OrderView,
  asked: AskedChange,
): Promise<Outcome<PlannedChange, NotPossible | Refused<'price-changed'>>> {
  await lockShipments(tx, order.id)
  if (await selectOpenChange(tx, order.id))
    return not('A change to this order is awaiting the customer’s payment. Withdraw it first.')
  if (await hasLineRefunds(tx, order.id))
    return not('Lines of this order were refunded. Cancel the rest, and the customer can order again.')
  if (asked.shopId !== null) await lockShopTerms(tx, asked.shopId)
  const planned = await planChange({ db: tx, clock, maxReleaseSeconds, businessTerms }, order, asked)
  if (!planned.ok) return planned
  return breakdownFingerprint(planned.value.after) === asked.agreedPrice ? planned : refused('price-changed')
}

/** Holds the chosen time at the new shop until it is paid; null without installation. */
async function holdBay(
  tx: Tx,
  deps: PlanDeps,
  input: {
    order: OrderView
    planned: PlannedChange
    asked: AskedChange
    actor: string
    expiresAt: Temporal.Instant | null
  },
): Promise<Outcome<string | null, NotPossible | Refused<'time-not-free', { why: string }>>> {
  const { order, planned, asked, actor, expiresAt } = input
  const { shopId, shipTo } = planned.place
  if (shopId === null) return ok(null)
  if (asked.choice === null) return refused('time-not-free', { why: 'Choose a time.' })
  const promises = await promisesAt({ ...deps, db: tx }, order, { zip: shipTo.zip, isPaidLater: expiresAt !== null })
  if (!promises.ok) return promises
  const held = await holdWithin(tx, deps.clock, {
    cartId: order.cartId,
    shopId,
    choice: asked.choice,
    tires: planned.tires,
    arrivesOn: lastOf(promises.value),
    zip: planned.visitZip,
    until: expiresAt ?? deps.clock.now().add({ minutes: 1 }),
    actor,
  })
  return held.ok ? ok(held.value.id) : refused('time-not-free', { why: bookingMessages[held.reason] })
}

/** Queues the payment link, and blocks charging and shipping the order while it can be paid. */
async function offer(
  tx: Tx,
  { order, actor }: Pick<Ready, 'order' | 'actor'>,
  change: OrderChange,
  expiresAt: Temporal.Instant,
): Promise<void> {
  if (order.releasedAt === null) await reopenWindow(tx, order.id, expiresAt)
  const cents = formatCents(change.afterCents - change.beforeCents)
  const note = `Offered to change where it goes, for ${cents}: ${change.reason}`.slice(0, 500)
  await insertOrderNote(tx, order, { actor, at: change.createdAt, note })
  const kind = 'order-change-offered'
  const key = `${kind}:${change.id}`
  await queueMessage(tx, { kind, key, to: order.email, orderId: order.id, at: change.createdAt })
}

/** Carries a refusal out of a transaction that must be rolled back. */
class Undo extends Error {
  readonly refusal: NotPossible | Refused<'time-not-free', { why: string }>
  constructor(refusal: Undo['refusal']) {
    super(refusal.detail.why)
    this.refusal = refusal
  }
}
