/** What office pages show of a request for a second person's approval. */
import type { ConcessionRequest } from '#domain/concessions/concessions.server.ts'
import { formatCents } from '#platform/money.ts'

/** The requester and the amount in dollars; null without a request. */
export function approvalView(
  request: ConcessionRequest | null | undefined,
): { requestedBy: string; amount: string | null } | null {
  if (!request) return null
  const { requestedBy, amountCents } = request
  return { requestedBy, amount: amountCents === 0 ? null : formatCents(amountCents) }
}
