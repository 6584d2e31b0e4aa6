/**
 * Orders above a member's spending limit need approval by a coworker with a sufficient limit. The cart is frozen until
 * the decision (`cart_waits_for_approval`), but bay (beyond the usual minutes), stock, credit and price aren't
 * reserved. Approving places the order with the conditions at that time, or reports the differences.
 */
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findChosenTime, holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import { keepWaiting, readCart, reopenCart } from '#domain/payments/cart/cart.server.ts'
import {
  installationFor,
  placeOrder,
  readDetails,
  type PlaceOrderDeps,
  type PlaceOrderInput,
  type PlaceOrderRefusal,
} from '#domain/ordering/checkout/checkout.server.ts'
import { approvalDays, companyCan, isApprover, mayApprove } from '#domain/customers/companies/companies.ts'
import {
  findMembership,
  listMembers,
  lockSpender,
  type Membership,
} from '#domain/customers/companies/companies.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { createBuyer, type PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { ApprovalState } from './approvals.ts'
import {
  endRequest,
  insertRequest,
  lockRequest,
  selectOver,
  selectRequest,
  selectRequests,
  selectWaiting,
  selectWaitingOf,
  type ApprovalRequest,
} from './approvals.sql.server.ts'

export { approvalMessageValues } from './approval-messages.server.ts'
export { exportApprovals, forgetOldRequests, type ApprovalRequest } from './approvals.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type PlacingDeps = PlaceOrderDeps & { priceLists: PriceLists }

/** `no-approver` means that the company has no member with a sufficient limit. */
export type RequestRefusal = PlaceOrderRefusal | Refused<'no-approver'>

/**
 * Submits a cart. Places its order, or requests an approval if it is above the buyer's limit. Submitted again, it is
 * the same order or request.
 */
export async function submitForApproval(
  deps: PlaceOrderDeps,
  input: PlaceOrderInput,
): Promise<Outcome<{ orderId: number } | { requestId: string }, RequestRefusal>> {
  const buyer = deps.buyer.afresh()
  const [accountId, { companyId }] = [await buyer.accountId(), await buyer.priceTier()]
  const cart = await readCart({ ...deps, buyer }, input.cartId)
  const placed = await placeOrder(deps, input)
  if (placed.ok) return ok({ orderId: placed.value.orderId })
  if (placed.reason === 'approval-waits') return (await requestOf(deps, input.cartId, accountId)) ?? placed
  if (placed.reason !== 'needs-approval' || !placed.detail.mayAsk) return placed
  if (!cart || accountId === null || companyId === null) return placed
  const { totalCents } = placed.detail
  const asked = await deps.db.transaction().execute(async (tx) => {
    const by = await lockSpender(tx, accountId)
    if (by?.companyId !== companyId) return refused('price-changed')
    const { members } = await listMembers({ ...deps, db: tx }, companyId)
    const approvers = members.filter((member) => mayApprove(by.limits, member, totalCents))
    if (approvers.length === 0) return refused('no-approver')
    if (!(await keepWaiting(tx, { id: cart.id, version: cart.version, accountId }))) return undefined
    const [id, at] = [newTimedId(), deps.clock.now()]
    const { agreedPrice, conditionsAccepted } = input
    await insertRequest(tx, {
      id,
      companyId,
      cartId: cart.id,
      agreedPrice,
      totalCents,
      conditionsAccepted,
      requestedBy: accountId,
      requestedAt: at,
      expiresAt: at.add({ hours: 24 * approvalDays }),
    })
    for (const approver of approvers)
      if (approver.email !== null)
        await queueMessage(tx, {
          kind: 'approval-requested',
          key: `approval-requested:${id}:${approver.accountId}`,
          to: approver.email,
          orderId: null,
          at,
        })
    return ok({ requestId: id })
  })
  // The cart changed, or was submitted by another tab.
  return asked ?? (await requestOf(deps, input.cartId, accountId)) ?? refused('price-changed')
}

async function requestOf({ db }: Pick<Deps, 'db'>, cartId: string, accountId: string | null) {
  const waiting = await selectWaiting(db, cartId)
  return waiting && waiting.requestedBy === accountId ? ok({ requestId: waiting.id }) : undefined
}

/** What someone of the company sees of a request, and may do. */
export type SeenRequest = { request: ApprovalRequest; isOwn: boolean; mayApprove: boolean; isApprover: boolean }

function seen({ company, ...member }: Membership, request: ApprovalRequest, accountId: string): SeenRequest {
  return {
    request,
    isOwn: request.requestedBy === accountId,
    isApprover: isApprover(member),
    mayApprove: mayApprove(company.limits, member, request.totalCents),
  }
}

/** Lists the requests visible to an account. Approvers see the company's, and other members see their own. */
export async function listApprovals({ db }: Pick<Deps, 'db'>, accountId: string): Promise<SeenRequest[]> {
  const membership = await findMembership({ db }, accountId)
  if (membership?.company.state !== 'approved') return []
  const requestedBy = isApprover(membership) ? null : accountId
  const found = await selectRequests(db, { companyId: membership.company.id, requestedBy, limit: 100 })
  return found.map((request) => seen(membership, request, accountId))
}

/** Finds a request that an account may see. */
export async function findApproval(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  id: string,
): Promise<SeenRequest | undefined> {
  const [request, membership] = [
    isId(id) ? await selectRequest(db, id) : undefined,
    await findMembership({ db }, accountId),
  ]
  if (!request || membership?.company.state !== 'approved' || membership.company.id !== request.companyId)
    return undefined
  const found = seen(membership, request, accountId)
  return found.isOwn || found.isApprover ? found : undefined
}

/** Returns the store as the requester sees it, with the prices and cart of the approval. */
export function asRequester<Store extends Deps & { priceLists: PriceLists }>(
  store: Store,
  { requestedBy }: Pick<ApprovalRequest, 'requestedBy'>,
): Store & Pick<PlaceOrderDeps, 'buyer'> {
  return { ...store, buyer: createBuyer(store, async () => requestedBy ?? undefined) }
}

export type DecisionRefusal =
  | Refused<'not-found'>
  | Refused<'decided', { state: ApprovalState; by: string | null; orderId: number | null }>
  | Refused<'request-expired'>
export type ApproveRefusal =
  | DecisionRefusal
  | PlaceOrderRefusal
  | Refused<'above-your-limit'>
  | Refused<'requester-left'>

/** Carries a refusal out of the transaction that places the order. */
class Stop extends Error {
  readonly refusal:
    | Refused<'decided'>
    | Refused<'request-expired' | 'above-your-limit' | 'requester-left' | 'not-found'>
  constructor(refusal: Stop['refusal']) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/**
 * Places the order of a request at the price that the approver saw. Request, cart, price, credit, and both people's
 * roles and limits are locked and reread in the order's transaction, so only one of two concurrent approvers places it.
 */
export async function approveRequest(
  deps: PlacingDeps,
  by: string,
  { id, agreedPrice }: { id: string; agreedPrice: string },
): Promise<Outcome<{ orderId: number }, ApproveRefusal>> {
  const found = await findApproval(deps, by, id)
  if (!found?.isApprover) return refused('not-found')
  const { request } = found
  const ended = whyEnded(request, deps.clock)
  if (ended) return request.state === 'approved' && request.decidedBy === by ? asOrder(request) : ended
  if (!(await isStillThere(deps, request))) return refused('requester-left')
  const store = asRequester(deps, request)
  await holdAgain(store, request.cartId)
  try {
    const placed = await placeOrder(
      {
        ...store,
        approval: {
          take: (tx) => takeRequest(tx, id, deps.clock),
          permit: (tx, totalCents) => permit(tx, request, { by, totalCents }),
        },
        alongside: (tx, orderId) => endRequest(tx, id, { state: 'approved', by, at: deps.clock.now(), orderId }),
      },
      { cartId: request.cartId, agreedPrice, termsAccepted: true, conditionsAccepted: request.conditionsAccepted },
    )
    if (!placed.ok) return placed
    return placed.value.isNew ? ok({ orderId: placed.value.orderId }) : decidedMeanwhile(deps, id, by)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { refusal } = error
    return refusal.reason === 'decided' ? decidedMeanwhile(deps, id, by) : refused(refusal.reason)
  }
}

/** Returns the outcome of a request that was decided concurrently. */
async function decidedMeanwhile(
  { db }: Pick<Deps, 'db'>,
  id: string,
  by: string,
): Promise<Outcome<{ orderId: number }, DecisionRefusal>> {
  const request = await selectRequest(db, id)
  if (!request) return refused('not-found')
  return request.state === 'approved' && request.decidedBy === by ? asOrder(request) : refusedAs(request)
}

function asOrder({ orderId }: ApprovalRequest): Outcome<{ orderId: number }, DecisionRefusal> {
  return orderId === null ? refused('not-found') : ok({ orderId })
}

function refusedAs({
  state,
  decider,
  orderId,
}: ApprovalRequest): Refused<'decided', { state: ApprovalState; by: string | null; orderId: number | null }> {
  return refused('decided', { state, by: decider, orderId })
}

function whyEnded(request: ApprovalRequest, clock: Clock): DecisionRefusal | undefined {
  if (request.state !== 'waiting') return refusedAs(request)
  return isOver(request, clock) ? refused('request-expired') : undefined
}

function isOver({ expiresAt }: Pick<ApprovalRequest, 'expiresAt'>, clock: Clock): boolean {
  return Temporal.Instant.compare(expiresAt, clock.now()) <= 0
}

/** Locks the request until its order is placed. */
async function takeRequest(tx: Tx, id: string, clock: Clock): Promise<void> {
  const request = await lockRequest(tx, id)
  if (!request) throw new Stop(refused('not-found'))
  if (request.state !== 'waiting') throw new Stop(refused('decided', undefined))
  if (isOver(request, clock)) throw new Stop(refused('request-expired'))
}

/** Returns whether the requester can still order for the company; rechecked in the order's transaction. */
async function isStillThere(deps: Pick<Deps, 'db'>, { companyId, requestedBy }: ApprovalRequest): Promise<boolean> {
  const member = requestedBy === null ? undefined : await findMembership(deps, requestedBy)
  return member?.company.id === companyId && companyCan(member.role, 'order')
}

/** Both are still in the company, and the approver may order that much. */
async function permit(
  tx: Tx,
  { companyId, requestedBy }: ApprovalRequest,
  { by, totalCents }: { by: string; totalCents: number },
): Promise<void> {
  const approver = await lockSpender(tx, by)
  if (approver?.companyId !== companyId || !isApprover(approver.spender)) throw new Stop(refused('not-found'))
  if (!mayApprove(approver.limits, approver.spender, totalCents)) throw new Stop(refused('above-your-limit'))
  const requester = requestedBy === null ? undefined : await lockSpender(tx, requestedBy)
  if (requester?.companyId !== companyId || !companyCan(requester.spender.role, 'order'))
    throw new Stop(refused('requester-left'))
}

/** Reserves the requester's time again if it is still available; otherwise placing the order reports it. */
async function holdAgain(deps: PlacingDeps, cartId: string): Promise<void> {
  const [cart, chosen] = await Promise.all([readCart(deps, cartId), findChosenTime(deps, cartId)])
  if (!cart || !chosen || chosen.status === 'held' || !isInstallation(cart.fulfillment)) return
  const { shopId } = chosen.booking
  const target = await installationFor(deps, cart, shopId)
  if (!target.ok) return
  const { contact } = await readDetails(deps, cartId)
  await holdSlot(deps, {
    cartId,
    shopId,
    choice: { start: chosen.booking.start },
    ...target.value,
    ...(cart.fulfillment === 'mobile' && contact && { zip: contact.zip }),
  })
}

/** Refuses a request, with a reason for the requester. Any approver can, regardless of their limit. */
export async function refuseRequest(
  deps: Deps,
  by: string,
  { id, reason }: { id: string; reason: string },
): Promise<Outcome<null, DecisionRefusal>> {
  const found = await findApproval(deps, by, id)
  if (!found?.isApprover) return refused('not-found')
  return end(deps, found.request, { state: 'refused', by, reason })
}

/** Takes a request back; its cart can be changed again. */
export async function withdrawRequest(deps: Deps, by: string, id: string): Promise<Outcome<null, DecisionRefusal>> {
  const found = await findApproval(deps, by, id)
  if (!found?.isOwn) return refused('not-found')
  return end(deps, found.request, { state: 'withdrawn', by })
}

/** Ends expired requests and notifies the requesters. Returns how many. */
export async function expireRequests(deps: Deps): Promise<number> {
  let ended = 0
  for (const id of await selectOver(deps.db, deps.clock.now(), 500)) {
    const request = await selectRequest(deps.db, id)
    if (request && (await end(deps, request, { state: 'expired', by: null })).ok) ended += 1
  }
  return ended
}

/** Withdraws the pending requests of a person who is leaving. */
export async function withdrawRequestsOf(tx: Tx, accountId: string, at: Temporal.Instant): Promise<void> {
  for (const id of await selectWaitingOf(tx, accountId)) {
    const request = await lockRequest(tx, id)
    if (request?.state !== 'waiting') continue
    await endRequest(tx, id, { state: 'withdrawn', by: null, at })
    await reopenCart(tx, request.cartId)
  }
}

async function end(
  { db, clock }: Deps,
  { id, companyId, requesterEmail: to }: ApprovalRequest,
  { state, by, reason }: { state: 'refused' | 'withdrawn' | 'expired'; by: string | null; reason?: string },
): Promise<Outcome<null, DecisionRefusal>> {
  const at = clock.now()
  const ended = await db.transaction().execute(async (tx) => {
    const request = await lockRequest(tx, id)
    if (!request) return refused('not-found')
    if (request.state !== 'waiting') return undefined
    if (state === 'refused' && by !== null) {
      const approver = await lockSpender(tx, by)
      if (approver?.companyId !== companyId || !isApprover(approver.spender)) return refused('not-found')
    }
    await endRequest(tx, id, { state, by, at, ...(reason !== undefined && { reason }) })
    await reopenCart(tx, request.cartId)
    const kind = ({ refused: 'approval-refused', expired: 'approval-expired', withdrawn: null } as const)[state]
    if (kind && to !== null) await queueMessage(tx, { kind, key: `${kind}:${id}`, to, orderId: null, at })
    return ok(null)
  })
  if (ended) return ended
  const request = await selectRequest(db, id)
  return request ? refusedAs(request) : refused('not-found')
}
