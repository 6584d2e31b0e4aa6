/** Fraud and resale rules. Every order is checked at placement. Staff edit the rules and decide on held orders. */
import type { Database } from '#platform/db.ts'
import { selectRules, selectScreeningOf, selectScreenings, type Screening } from './fraud.sql.server.ts'
import type { FraudRule } from './fraud-rules.ts'

export { saveRule, type RuleRefusal } from './edit-rules.server.ts'
export {
  cancelUndecidedOrders,
  decideHeldOrder,
  isOpen,
  listHeldOrders,
  type DecisionRefusal,
} from './held-orders.server.ts'
export { prepareScreening, type OrderToScreen } from './screen-order.server.ts'
export type { Screening } from './fraud.sql.server.ts'

type Deps = { db: Database }

/** Lists the rules, in the order they were made. */
export function listRules({ db }: Deps): Promise<FraudRule[]> {
  return selectRules(db)
}

/** Returns an order's screening result, or undefined if it passed. Only for staff. */
export function findScreening({ db }: Deps, orderId: number): Promise<Screening | undefined> {
  return selectScreeningOf(db, orderId)
}

const screeningsPerPage = 50

/** Lists screening results by outcome, newest first; `next` is the cursor of the following page. */
export async function listScreenings(
  { db }: Deps,
  { outcome, before }: { outcome: Screening['outcome']; before: Temporal.Instant | null },
): Promise<{ screenings: Screening[]; next: Temporal.Instant | null }> {
  const found = await selectScreenings(db, { outcome, before, limit: screeningsPerPage + 1 })
  const screenings = found.slice(0, screeningsPerPage)
  return { screenings, next: found.length > screeningsPerPage ? (screenings.at(-1)?.at ?? null) : null }
}
