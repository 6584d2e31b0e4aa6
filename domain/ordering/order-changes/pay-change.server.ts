/** The customer's side of an edit (opening the link, paying to apply the edit, and ending it without payment). */
import { paths } from '#content/paths.ts'
import {
  hasLineRefunds,
  lockOrder,
  lockShipments,
  readOrder,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import { canActOn } from '#domain/ordering/orders/orders.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import {
  beginSubmission,
  endSubmission,
  listPaidChanges,
  readPaymentStatus,
  voidPayment,
  type Submission,
} from '#domain/payments/payments/payments.server.ts'
import type { Config } from '#platform/config.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { sign, verify } from '#platform/signing.ts'
import { applyChange } from './apply-change.server.ts'
import { endChange } from './end-change.server.ts'
import { isPayable, type ChangeState } from './order-changes.ts'
import { selectChange, selectOver, updateToEnded, type OrderChange } from './order-changes.sql.server.ts'
import { planChange, type NotPossible, type PlanDeps, type PlannedChange } from './plan-change.server.ts'
import type { Secrets } from '#platform/secrets.ts'

const purpose = 'order-change'

/** Returns the URL for the email, which opens only this edit. */
export function changeLink(secret: Secrets, id: string): string {
  return paths.orderChange(sign(secret, purpose, id))
}

/** Reads a link's edit with its order. Read-only, because email scanners follow links. */
export async function readChange(
  { db, config }: Pick<PlanDeps, 'db'> & { config: Pick<Config, 'session'> },
  token: string,
): Promise<{ change: OrderChange; order: OrderView } | undefined> {
  const id = verify(config.session.secret, purpose, token.slice(0, 150))
  const change = id === undefined ? undefined : await selectChange(db, { id })
  const order = change && (await readOrder(db, change.orderId))
  return order && { change, order }
}

type PayDeps = PlanDeps & { payments: PaymentProvider }

/**
 * `over` means that it ended without being applied, and the card isn't charged. `busy`: the first charge is being
 * captured.
 */
export type PayRefusal =
  | Refused<'over', { state: ChangeState }>
  | Refused<'not-paid', { failure: string | null; isProcessing: boolean }>
  | Refused<'payment-unavailable'>
  | Refused<'busy'>

/**
 * Applies an edit with an authorized difference, once however often it is called. If it can no longer be applied, it
 * ends, its charge is voided and the order is unchanged.
 */
export async function payForChange(deps: PayDeps, id: string): Promise<Outcome<{ isNew: boolean }, PayRefusal>> {
  const change = await selectChange(deps.db, { id })
  if (!change) return refused('over', { state: 'withdrawn' })
  if (change.state === 'done') return ok({ isNew: false })
  if (!isPayable(change, deps.clock.now())) return giveUp(deps, change)
  const submission = await beginSubmission(deps, { changeId: id })
  if (!submission) return (await doneMeanwhile(deps, id)) ?? refused('not-paid', { failure: null, isProcessing: false })
  const authorized = await checkAuthorized(deps, submission)
  if (!authorized.ok) return (await doneMeanwhile(deps, id)) ?? authorized
  const made = await makePaid(deps, id)
  if (made.ok || made.reason === 'busy') return made
  return giveUp(deps, change)
}

/**
 * Queries the provider for the card's authorization. If it isn't authorized, the customer has the full time to retry.
 */
async function checkAuthorized(
  deps: PayDeps,
  submission: Submission,
): Promise<Outcome<null, Refused<'payment-unavailable'> | Extract<PayRefusal, { reason: 'not-paid' }>>> {
  const status = await readPaymentStatus(deps, submission.payment)
  if (status.ok && status.value?.payment.state === 'authorized') return ok(null)
  await endSubmission(deps, submission)
  if (!status.ok) return refused('payment-unavailable')
  const { failure = null, isProcessing = false } = status.value ?? {}
  return refused('not-paid', { failure, isProcessing })
}

async function doneMeanwhile({ db }: PayDeps, id: string) {
  return (await selectChange(db, { id }))?.state === 'done' ? ok({ isNew: false }) : undefined
}

async function makePaid(
  deps: PayDeps,
  id: string,
): Promise<Outcome<{ isNew: boolean }, NotPossible | Refused<'busy'>>> {
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const at = deps.clock.now()
      const locked = await lockBoth(tx, id)
      if (!locked) throw new Error(`The change ${id} is gone.`)
      const { order, change } = locked
      if (change.state === 'done') return ok({ isNew: false })
      if (!isPayable(change, at)) return refused('not-possible', { why: 'The link is over.' })
      if (order.releasedAt !== null && order.payment?.state === 'authorized') return refused('busy')
      const allowed = canActOn(order, 'place', at)
      if (!allowed.can) return refused('not-possible', { why: allowed.reason })
      // The price was promised with the link, so the location is reread, but not today's price.
      const planned = await planChange({ ...deps, db: tx }, order, change)
      if (!planned.ok) return planned
      if (await isAnotherOrder(tx, order, change, planned.value))
        return refused('not-possible', { why: 'The order changed after the link was sent.' })
      const actor = 'shopper'
      const applied = await applyChange(tx, deps, { order, change, planned: planned.value, actor, at })
      if (!applied.ok) throw new Undo(applied)
      await updateToEnded(tx, id, { state: 'done', at, bookingId: applied.value.bookingId })
      return ok({ isNew: true })
    })
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  }
}

/** Whether an order is not what its offered change was priced for: lines were refunded or canceled, or it was moved. */
async function isAnotherOrder(
  tx: Tx,
  order: OrderView,
  { beforeCents, after }: OrderChange,
  planned: PlannedChange,
): Promise<boolean> {
  if (order.totalCents !== beforeCents || planned.after.tax.stateCode !== after.tax.stateCode) return true
  return hasLineRefunds(tx, order.id)
}

async function lockBoth(tx: Tx, id: string): Promise<{ order: OrderView; change: OrderChange } | undefined> {
  const known = await selectChange(tx, { id })
  if (!known || !(await lockOrder(tx, known.orderId))) return undefined
  await lockShipments(tx, known.orderId)
  const change = await selectChange(tx, { id }, { isLocked: true })
  const order = await readOrder(tx, known.orderId)
  return change && order && { change, order }
}

/** Ends an edit that can't be applied, and voids its authorization. */
async function giveUp(deps: PayDeps, { id }: OrderChange): Promise<Outcome<{ isNew: boolean }, PayRefusal>> {
  const state = await deps.db.transaction().execute(async (tx) => {
    const at = deps.clock.now()
    const locked = await lockBoth(tx, id)
    if (!locked) return 'withdrawn'
    const { order, change } = locked
    if (change.state !== 'awaiting-payment') return change.state
    const to = isPayable(change, at) ? 'overtaken' : 'expired'
    await endChange(tx, deps, { order, change, state: to, actor: 'store', at })
    return to
  })
  if (state === 'done') return ok({ isNew: false })
  await voidPayment(deps, { changeId: id })
  return refused('over', { state })
}

/**
 * Applies paid edits if the customer was interrupted before the order was edited. Returns how many. A failure doesn't
 * block the other edits.
 */
export async function finishPaidChanges(deps: PayDeps): Promise<number> {
  let made = 0
  const failures: unknown[] = []
  for (const id of await listPaidChanges(deps.db, 100)) {
    try {
      const paid = await payForChange(deps, id)
      if (paid.ok && paid.value.isNew) made += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some paid changes could not be made.')
  return made
}

/** Ends edits with an expired link, leaving their orders unchanged. Returns the number of ended edits. */
export async function expireChanges(deps: PayDeps): Promise<number> {
  const over = await selectOver(deps.db, deps.clock.now(), 500)
  for (const id of over) {
    const change = await selectChange(deps.db, { id })
    if (change) await giveUp(deps, change)
  }
  return over.length
}

/** Carries a refusal out of a transaction that must be rolled back. */
class Undo extends Error {
  readonly refusal: NotPossible
  constructor(refusal: NotPossible) {
    super(refusal.detail.why)
    this.refusal = refusal
  }
}
