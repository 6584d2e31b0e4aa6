/** Settles the price difference of an edit, with the concession for one that the store bears. */
import { createHash } from 'node:crypto'
import {
  authorizeConcession,
  giveWithinLimits,
  isWithinLimits,
  type Concession,
} from '#domain/kernel/concessions/concessions.server.ts'
import { recordOrderAct, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { mostWaivedCents, settlementOf, type Settlement } from './order-changes.ts'

/** Amounts in cents. */
type Totals = { before: number; after: number }

type ToSettle = {
  order: OrderView
  at: Temporal.Instant
  /** Null for the shopper. */
  by: Actor | null
  asked: { agreedPrice: string; waives: boolean; reason: string }
  /** Whether the store owes a higher price by rule. */
  isOnStore: boolean
}

/** The giver of a difference that the store owes by rule. */
const store: Actor = { via: 'command line', name: 'store' }

/** Returns how a shopper's edit would be settled, without giving anything. */
export async function previewSettlement(
  { db, clock }: { db: Database; clock: Clock },
  { order, agreedPrice, isOnStore }: { order: OrderView; agreedPrice: string; isOnStore: boolean },
  cents: Totals,
): Promise<Settlement> {
  const waiver = waiverOf({ order, agreedPrice, by: store, cents: cents.after - cents.before, at: clock.now() })
  const waives = isOnStore && mayWaive(waiver) && (await isWithinLimits(db, waiver))
  return settlementOf(cents, { isCaptured: order.releasedAt !== null, waives })
}

/** How the difference is settled. Gives the concession for one that the store bears. */
export async function settlementFor(
  tx: Tx,
  ready: ToSettle,
  cents: Totals,
): Promise<Outcome<Settlement, Refused<'waiver-not-allowed', { why: string }>>> {
  const { order, asked, isOnStore } = ready
  const settledBy = settlementOf(cents, { isCaptured: order.releasedAt !== null, waives: asked.waives })
  const difference = cents.after - cents.before
  if (settledBy === 'payment' && isOnStore && (await waiveByRule(tx, ready, difference))) return ok('waiver')
  if (settledBy !== 'waiver') return ok(settledBy)
  const may = await authorizeWaiver(tx, ready, difference)
  return may.ok ? ok(settledBy) : may
}

type Waived = { order: OrderView; agreedPrice: string; by: Actor; cents: number; at: Temporal.Instant }

function waiverOf({ order, agreedPrice, by, cents, at }: Waived): Concession {
  return {
    kind: 'change-waiver',
    // The same edit of the same order, by any actor.
    reference: `${order.id}:${createHash('sha256').update(agreedPrice).digest('hex').slice(0, 32)}`,
    by,
    orderId: order.id,
    amountCents: cents,
    at,
  }
}

function mayWaive({ amountCents }: Concession): boolean {
  return amountCents > 0 && amountCents <= mostWaivedCents
}

/** Bears a difference that the store owes by rule. Returns false beyond its limits, and the customer pays. */
async function waiveByRule(tx: Tx, { order, asked, at }: ToSettle, cents: number): Promise<boolean> {
  const waiver = waiverOf({ order, agreedPrice: asked.agreedPrice, by: store, cents, at })
  const authorization = mayWaive(waiver) ? await giveWithinLimits(tx, waiver) : null
  if (!authorization) return false
  await recordOrderAct(tx, store, {
    act: 'order.difference-waived',
    order,
    at,
    reason: 'The store stopped the shop.',
    after: { cents },
    authorization,
  })
  return true
}

/**
 * Authorizes the store to cover a price difference. A request for approval is stored only if the edit is otherwise
 * possible.
 */
async function authorizeWaiver(
  tx: Tx,
  { by, order, asked, at }: ToSettle,
  cents: number,
): Promise<Outcome<null, Refused<'waiver-not-allowed', { why: string }>>> {
  const no = (why: string) => refused('waiver-not-allowed', { why })
  if (by === null || !(await requirePermission(tx, by, 'orders.waive', at)).ok)
    return no('Your role does not waive differences.')
  if (cents > mostWaivedCents) return no(`At most ${formatCents(mostWaivedCents)} can be waived.`)
  const decided = await authorizeConcession(tx, waiverOf({ order, agreedPrice: asked.agreedPrice, by, cents, at }))
  if (!decided.ok) return no('Sign in again to approve this waiver.')
  const about = { order, at, reason: asked.reason, after: { cents } }
  if (decided.value.state === 'requested') {
    await recordOrderAct(tx, by, { ...about, act: 'order.waiver-requested' })
    return no(
      'This exceeds what one person may give. Another team member with approval rights must make the same change.',
    )
  }
  const { authorization } = decided.value
  await recordOrderAct(tx, by, { ...about, act: 'order.difference-waived', authorization })
  return ok(null)
}
