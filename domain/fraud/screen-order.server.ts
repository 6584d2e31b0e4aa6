/** Holding an order against the rules as it is placed, in its transaction. */
import type { Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { isSameStreet, judge, looksAt, reviewWithinHours, type FraudRule, type OrderFacts } from './fraud-rules.ts'
import {
  insertScreening,
  lookUp,
  selectRules,
  selectShopStreets,
  type LookUp,
  type NewScreening,
} from './fraud.sql.server.ts'

export type OrderToScreen = OrderFacts & LookUp & { factor: number }

/** How long the shopper has where a rule asks them to confirm; decision 034. */
const confirmWithinHours = 48

type Kept = { keep: (tx: Tx, orderId: number) => Promise<void> }

/** What the rules say; `by` is when the wait for the shopper or for staff ends. */
export type ScreenedOrder =
  | { outcome: 'refuse' }
  | ({ outcome: 'allow' } & Kept)
  | ({ outcome: 'confirm' | 'review'; by: Temporal.Instant } & Kept)

/**
 * Reads the rules as they are in this transaction, with one statement; what it returns holds the order against them, with
 * one for all that they ask. A refusal is written down at once; anything else by `keep`, with the order.
 */
export async function prepareScreening(tx: Tx, order: OrderToScreen): Promise<(tx: Tx) => Promise<ScreenedOrder>> {
  const rules = (await selectRules(tx)).filter((rule) => looksAt(rule, order))
  return (own) => screenOrder(own, rules, order)
}

async function screenOrder(tx: Tx, rules: readonly FraudRule[], order: OrderToScreen): Promise<ScreenedOrder> {
  const found = await lookUp(
    tx,
    rules.map((rule) => withFactor(rule, order.factor)),
    order,
  )
  const byAddress = rules.filter(({ kind }) => kind === 'shop-address')
  if (byAddress.length > 0) {
    const streets = await selectShopStreets(tx, order.zip)
    const isShops = streets.some((street) => isSameStreet(street, order.street))
    for (const { id } of byAddress) found.set(id, isShops ? 1 : 0)
  }
  const judged = judge(rules, order, found)
  const { outcome, reasons } = judged
  if (outcome === 'allow') return { outcome, keep: () => Promise.resolve() }
  const kept = {
    id: newId(),
    cartId: order.cartId,
    outcome,
    reasons,
    email: order.email,
    totalCents: order.totalCents,
    at: order.at,
  } satisfies Partial<NewScreening>
  if (outcome === 'refuse') {
    await insertScreening(tx, { ...kept, orderId: null, dueAt: null })
    return { outcome }
  }
  const by = order.at.add({ hours: outcome === 'review' ? reviewWithinHours : confirmWithinHours })
  return {
    outcome,
    by,
    keep: (own, orderId) => insertScreening(own, { ...kept, orderId, dueAt: outcome === 'review' ? by : null }),
  }
}

/** Where many people share one network or test card, as in a load test, its counts are divided. */
function withFactor(rule: FraudRule, factor: number): FraudRule & { factor: number } {
  const isShared = rule.subject === 'network' || rule.subject === 'card'
  return { ...rule, factor: isShared ? factor : 1 }
}
