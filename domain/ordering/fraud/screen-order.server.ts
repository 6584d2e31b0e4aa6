/** Holding an order against the rules as it is placed, in its transaction. */
import { isDeepStrictEqual } from 'node:util'
import { atOnce } from '#platform/at-once.ts'
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

/** The shopper's deadline when a rule requires confirmation; decision 012. */
const confirmWithinHours = 48

type Kept = { keep: (tx: Tx, orderId: number) => Promise<void> }

/** What the rules say; `by` is when the wait for the shopper or for staff ends. */
export type ScreenedOrder =
  | { outcome: 'refuse' }
  | ({ outcome: 'allow' } & Kept)
  | ({ outcome: 'confirm' | 'review'; by: Temporal.Instant } & Kept)

/**
 * Reads the current rules in this transaction, and in the same round trip the lookups of `expected`, the rules as read
 * earlier. The returned function evaluates the order, and repeats the lookups if a rule was edited since. A refusal is
 * recorded immediately; other results are stored by `keep`, with the order.
 */
export async function prepareScreening(
  tx: Tx,
  order: OrderToScreen,
  expected: readonly FraudRule[],
): Promise<(tx: Tx) => Promise<ScreenedOrder>> {
  const [rules, found] = await atOnce(tx, [(own) => selectRules(own), (own) => lookUpFor(own, expected, order)])
  return async (own) => {
    const isAsExpected = isDeepStrictEqual(rules, expected)
    return screenOrder(own, rules, order, isAsExpected ? found : await lookUpFor(own, rules, order))
  }
}

/** Returns the lookup results of the rules that apply to the order, by rule. */
async function lookUpFor(tx: Tx, all: readonly FraudRule[], order: OrderToScreen): Promise<Map<number, number>> {
  const rules = all.filter((rule) => looksAt(rule, order))
  const byAddress = rules.filter(({ kind }) => kind === 'shop-address')
  const [found, streets] = await atOnce(tx, [
    (own) =>
      lookUp(
        own,
        rules.map((rule) => withFactor(rule, order.factor)),
        order,
      ),
    (own) => (byAddress.length > 0 ? selectShopStreets(own, order.zip) : []),
  ])
  const isShops = streets.some((street) => isSameStreet(street, order.street))
  for (const { id } of byAddress) found.set(id, isShops ? 1 : 0)
  return found
}

async function screenOrder(
  tx: Tx,
  all: readonly FraudRule[],
  order: OrderToScreen,
  found: Map<number, number>,
): Promise<ScreenedOrder> {
  const rules = all.filter((rule) => looksAt(rule, order))
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
