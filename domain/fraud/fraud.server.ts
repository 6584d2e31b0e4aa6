/** Rules against fraud and resale: held against every order as it is placed, edited by staff, who decide on what waits. */
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

/** What the rules said of an order; undefined where they let it pass. For staff alone. */
export function findScreening({ db }: Deps, orderId: number): Promise<Screening | undefined> {
  return selectScreeningOf(db, orderId)
}

const screeningsPerPage = 50

/** Lists what was said with an outcome, newest first; `next` is when the page after it begins. */
export async function listScreenings(
  { db }: Deps,
  { outcome, before }: { outcome: Screening['outcome']; before: Temporal.Instant | null },
): Promise<{ screenings: Screening[]; next: Temporal.Instant | null }> {
  const found = await selectScreenings(db, { outcome, before, limit: screeningsPerPage + 1 })
  const screenings = found.slice(0, screeningsPerPage)
  return { screenings, next: found.length > screeningsPerPage ? (screenings.at(-1)?.at ?? null) : null }
}
