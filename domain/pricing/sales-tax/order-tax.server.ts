/**
 * Reports orders to the tax provider. They are recorded when the charge is captured, and reversed by refunds. Each
 * report is queued in its cause's transaction and sent by a job, with an idempotency key.
 */
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { unitShare } from '#platform/money.ts'
import {
  insertReversal,
  selectOrderTax,
  selectReversals,
  updateTaxProblem,
  updateToRecorded,
  updateToReplaced,
  updateToReversed,
  type OrderTax,
  type Reversal,
} from './answers.sql.server.ts'
import type { TaxAnswer, TaxProvider } from './tax-provider.port.ts'

type Deps = { db: Database; clock: Clock; taxes?: TaxProvider | null }

/** Queues the report of an order and its refunds to the provider. Skips orders the provider didn't tax. */
export async function promiseTaxReport(tx: Tx, orderId: number): Promise<void> {
  const tax = await selectOrderTax(tx, orderId)
  if (tax && isReported(tax)) await enqueueReport(tx, orderId)
}

/**
 * Marks the price as changed after the order, so the calculation no longer applies. A recorded transaction is reversed.
 */
export async function replaceOrderTax(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  const tax = await selectOrderTax(tx, orderId, { isLocked: true })
  if (!tax || !(await updateToReplaced(tx, orderId, at)) || tax.transactionRef === null) return
  await insertReversal(tx, { id: newTimedId(), orderId, lines: null, at })
  await enqueueReport(tx, orderId)
}

/** A line's refunded units out of `quantity`, with the refunded tax. */
export type RefundedTax = {
  lineId: string
  quantity: number
  units: number
  /** The whole line's amounts in the provider calculation. */
  amountCents: number
  taxCents: number
}

/** Returns whether this order, and thus its refunds, are reported to the provider. */
export async function isTaxReported(tx: Tx, orderId: number): Promise<boolean> {
  const tax = await selectOrderTax(tx, orderId)
  return tax !== undefined && isReported(tax)
}

/**
 * Stores a locked order's refunded tax under the refund's id, and queues the report. Units are counted in refund order,
 * so that any sequence adds up to the recorded amount.
 */
export async function giveTaxBack(
  tx: Tx,
  {
    orderId,
    refundId,
    lines,
    at,
  }: { orderId: number; refundId: string; lines: readonly RefundedTax[]; at: Temporal.Instant },
): Promise<void> {
  const tax = await selectOrderTax(tx, orderId)
  if (!tax || !isReported(tax)) return
  const before = (await selectReversals(tx, orderId)).flatMap((reversal) => reversal.lines ?? [])
  const reversed = lines.map(({ lineId, quantity, units, amountCents, taxCents }) => {
    const unitsBefore = before.reduce((sum, line) => sum + (line.lineId === lineId ? line.units : 0), 0)
    return { lineId, units, amountCents: unitShare(amountCents, quantity, unitsBefore, units), taxCents }
  })
  await insertReversal(tx, { id: refundId, orderId, lines: reversed, at })
  // An order that is not recorded yet is taken back after it was.
  if (tax.transactionRef !== null) await enqueueReport(tx, orderId)
}

function isReported({ calculationRef, replacedAt }: OrderTax): boolean {
  return calculationRef !== null && replacedAt === null
}

function enqueueReport(tx: Tx, orderId: number): Promise<void> {
  return enqueue(tx, 'report-sales-tax', { orderId }, { key: `report-sales-tax:${orderId}` })
}

/**
 * Reports an order's charges to the provider, then its refunds. Throws while the provider is unavailable, so the job
 * retries. A refusal is noted for staff.
 */
export async function reportOrderTax(deps: Deps, orderId: number): Promise<void> {
  const { db, clock, taxes } = deps
  const tax = await selectOrderTax(db, orderId)
  if (!tax || !taxes) return
  const recorded = await recordOnce({ db, clock, taxes }, tax)
  if (!recorded) return
  for (const reversal of await selectReversals(db, orderId)) {
    if (reversal.isSent) continue
    const sent = await reverse(taxes, recorded, reversal)
    if (!sent.ok) return refusedBy(db, orderId, sent)
    await updateToReversed(db, reversal.id, { ref: sent.value.ref, at: clock.now() })
  }
}

type Recorded = { orderId: number; transactionRef: string; lineRefs: NonNullable<OrderTax['lineRefs']> }

async function recordOnce(
  { db, clock, taxes }: Deps & { taxes: TaxProvider },
  tax: OrderTax,
): Promise<Recorded | undefined> {
  const { orderId, calculationRef, transactionRef, lineRefs } = tax
  if (transactionRef !== null && lineRefs !== null) return { orderId, transactionRef, lineRefs }
  if (calculationRef === null || tax.replacedAt !== null) return undefined
  const reference = orderNumber(orderId)
  const recorded = await taxes.record({ ref: calculationRef, reference, key: `sales-tax:${orderId}` })
  if (!recorded.ok) {
    await refusedBy(db, orderId, recorded)
    return undefined
  }
  const { ref, lines } = recorded.value
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    // If the order changed during recording, the recorded transaction is fully reversed.
    const now = await selectOrderTax(tx, orderId, { isLocked: true })
    await updateToRecorded(tx, orderId, { ref, lines, at })
    if (now?.replacedAt) await insertReversal(tx, { id: newTimedId(), orderId, lines: null, at })
    return { orderId, transactionRef: ref, lineRefs: lines }
  })
}

async function reverse(
  taxes: TaxProvider,
  { orderId, transactionRef, lineRefs }: Recorded,
  { id, lines }: Reversal,
): Promise<TaxAnswer<{ ref: string }>> {
  const refs = new Map(lineRefs.map(({ lineId, ref }) => [lineId, ref]))
  const asked =
    lines &&
    lines.flatMap((line) => {
      const ref = refs.get(line.lineId)
      return ref === undefined ? [] : [{ ...line, ref }]
    })
  const reference = `${orderNumber(orderId)}-${id}`
  return taxes.reverse({ ref: transactionRef, reference, lines: asked, key: `sales-tax-reversal:${id}` })
}

async function refusedBy(
  db: Database,
  orderId: number,
  refusal: Exclude<TaxAnswer<unknown>, { ok: true }>,
): Promise<void> {
  if (refusal.reason === 'unavailable') throw new Error('The tax provider is away.')
  await updateTaxProblem(db, orderId, refusal.message)
}
