/** Replacement coverage claims, which shoppers file, staff decide once within the plan's table, and we pay. */
import { officePaths } from '#content/office-paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  approveCase,
  contactValues,
  exportCases,
  findCaseFile,
  refundText,
  refuseCase,
  retryCaseRefund,
  rowsWithValue,
  statusOf,
  type ApproveRefusal as CaseRefusal,
  type CaseStatus,
} from '#domain/aftercare/cases/cases.server.ts'
import type { CaseState } from '#domain/aftercare/cases/cases.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { COVERAGE_NAMES } from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { dateText } from '#platform/day-text.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { claimCases } from './claim-cases.server.ts'
import { causeLabels, claimKinds, claimNumber } from './coverage-claims.ts'
import { selectByState, selectClaim, selectOpenClaims, type Claim } from './coverage-claims.sql.server.ts'

export { claimForm } from './claim-form.ts'
export { fileClaim } from './file-claim.server.ts'

type Deps = { db: Database; clock: Clock }

/** A claim as staff see it, with its money status once approved. */
export type ClaimCase = Claim & CaseStatus

/** Lists open claims, longest waiting first. */
export function listOpenClaims({ db }: Pick<Deps, 'db'>, limit = 100): Promise<Claim[]> {
  return selectOpenClaims(db, limit)
}

const claimsPerPage = 50

/** Lists a page of claims by state, newest first; `next` is the cursor of the following page. */
export async function listClaims(
  { db }: Pick<Deps, 'db'>,
  { state, before }: { state: CaseState; before: number | null },
): Promise<{ claims: Claim[]; next: number | null }> {
  const found = await selectByState(db, { state, before, count: claimsPerPage + 1 })
  const claims = found.slice(0, claimsPerPage)
  return { claims, next: found.length > claims.length ? (claims.at(-1)?.id ?? null) : null }
}

/** Returns a claim with its money status. */
export async function findClaim({ db }: Pick<Deps, 'db'>, id: number): Promise<ClaimCase | undefined> {
  const claim = await selectClaim(db, id)
  return claim && { ...claim, ...(await statusOf(db, claimCases, claim)) }
}

/** Returns a claim's uploaded file. Only for staff. */
export const findClaimFile = ({ db }: Pick<Deps, 'db'>, id: number) => findCaseFile(db, claimCases, id)

/** Exports a verified email's claims. */
export const exportClaims = (db: Database, email: string | null) => exportCases(db, claimCases.table, email)

export type ApproveRefusal =
  | CaseRefusal
  | Refused<'more-than-plan', { mostCents: number }>
  | Refused<'order-over'>
  | Refused<'replaced-before'>

/**
 * Approves a claim as `approveCase` does, with an amount within the plan's table. A covered tire can be replaced once,
 * which the database enforces.
 */
export async function approveClaim(
  deps: Deps,
  { id, givenCents, by }: { id: number; givenCents: number; by: Actor },
): Promise<Outcome<{ state: 'approved' | 'requested' }, ApproveRefusal>> {
  try {
    return await approveCase(deps, claimCases, { id, cents: givenCents, by }, async (tx, { mostCents, orderId }) => {
      if (givenCents > mostCents) return refused('more-than-plan', { mostCents })
      const order = await readOrder(tx, orderId)
      return !order || order.state === 'canceled' || order.state === 'returned' ? refused('order-over') : ok(undefined)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'claims_within_covered') return refused('replaced-before')
    throw error
  }
}

/** Refuses a claim as `refuseCase` does. */
export const refuseClaim = (deps: Deps, refusal: { id: number; reason: string; by: Actor }) =>
  refuseCase(deps, claimCases, refusal)

/** Retries a claim's refund as `retryCaseRefund` does. */
export const retryClaimRefund = (deps: Deps, retried: { id: number; by: Actor }) =>
  retryCaseRefund(deps, claimCases, retried)

/**
 * Returns the values of the mails about a claim, read at the time of sending. Those to the
 * sender repeat no submitted text, because senders can be impersonated.
 */
export async function claimMessageValues(
  { db, config }: Pick<Deps, 'db'> & { config: Pick<Config, 'store' | 'web'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const claim = await findClaim({ db }, Number(id))
  if (!claim) throw new Error(`Claim ${id} of a promised mail is not there.`)
  const { givenCents } = claim
  return {
    claimNumber: claimNumber(claim.id),
    tires: `${claim.tires} × ${claim.tire}`,
    amount: formatCents(givenCents ?? claim.mostCents),
    how: await refundText(db, { ...claim, cents: givenCents ?? 0 }),
    reason: claim.refusal ?? '',
    rows: rowsOf(claim),
    ...contactValues(config),
    claimUrl: config.web.origin + serverPaths.coverageClaim(),
    officeUrl: config.web.origin + officePaths.officeClaim(claimNumber(claim.id)),
  }
}

function rowsOf(claim: ClaimCase): { left: string; right: string }[] {
  return rowsWithValue([
    ['Order', orderNumber(claim.orderId)],
    ['Tires', `${claim.tires} × ${claim.tire}`],
    ['Plan', COVERAGE_NAMES[claim.plan]],
    ['Claim', claimKinds[claim.kind]],
    ['Cause', causeLabels[claim.cause]],
    ['Happened on', dateText(claim.happenedOn)],
    ['Delivered on', dateText(claim.deliveredOn)],
    ['The plan pays at most', formatCents(claim.mostCents)],
    ['File', claim.fileName],
  ])
}
