/** Quote authors are staff with a permission, and Sales Tool accounts for their own quotes. */
import { lockAccountType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { recordAct, requirePermission, type ActWithout, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Quote } from './quotes.sql.server.ts'
import { salesActor } from './quotes.ts'

/** A Sales Tool account; its type is rechecked with each action. */
export type SalesAccount = { readonly via: 'account'; readonly accountId: string }
export type QuoteActor = Actor | SalesAccount

/**
 * Checks the author's permission within the action's transaction. An account needs the Sales Tool type and can't
 * approve. Locks the type until the transaction ends. Refuses `not-allowed`.
 */
export async function requireAuthor(
  tx: Tx,
  by: QuoteActor,
  permission: 'quotes.write' | 'quotes.approve',
  at: Temporal.Instant,
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  if (by.via !== 'account') return requirePermission(tx, by, permission, at)
  const isAllowed = permission === 'quotes.write' && (await lockAccountType(tx, by.accountId, at)) === 'Sales Tool'
  return isAllowed ? ok(null) : refused('not-allowed')
}

/** Returns whether the actor can see and end this quote. Staff can for all, an account for its own. */
export function isTheirs({ author }: Pick<Quote, 'author'>, by: QuoteActor): boolean {
  return by.via !== 'account' || (author.kind === 'account' && author.accountId === by.accountId)
}

/** Returns the actor's name for a quote's history. */
export function actorName(by: QuoteActor): string {
  return by.via === 'account' ? salesActor : by.name
}

/** Records an act of staff in the audit log; what an account does is among the events of its quote. */
export async function recordStaffAct(tx: Tx, { by, ...act }: ActWithout<'by'> & { by: QuoteActor }): Promise<void> {
  if (by.via !== 'account') await recordAct(tx, { by, ...act })
}
