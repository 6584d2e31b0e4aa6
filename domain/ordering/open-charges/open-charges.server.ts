/** Payments needing review because the bank isn't responding, or because the authorization expires before capture. */
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { selectOpenCharges, type OpenCharge } from './open-charges.sql.server.ts'

export {
  askAgain,
  askToPayAgain,
  captureNow,
  voidUnanswered,
  takeCharge,
  whyNotCaptured,
  writeToPayer,
  type OpenChargeRefusal,
} from './act-on-charges.server.ts'
export { openChargeMessageValues } from './open-charge-messages.server.ts'
export type { OpenCharge } from './open-charges.sql.server.ts'
export { finishPaidAgain, payAgain, readPayAgain, type PayAgainRefusal } from './pay-again.server.ts'
export { watchCharges } from './watch-charges.server.ts'

type Deps = { db: Database; clock: Clock }

/** The charges that need people now, due first. */
export function listOpenCharges({ db, clock }: Deps, limit: number): Promise<OpenCharge[]> {
  return selectOpenCharges(db, { now: clock.now(), limit })
}

/** Finds a charge if it needs people now. */
export async function findOpenCharge({ db, clock }: Deps, id: string): Promise<OpenCharge | undefined> {
  const [found] = await selectOpenCharges(db, { now: clock.now(), limit: 1, id })
  return found
}
