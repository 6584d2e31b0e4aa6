/** Captures, reauthorizes, voids, and refunds authorizations. */
import type { z } from 'zod'
import { recordPayPalEvent } from './events.ts'
import {
  authorizationsOf,
  capturesOf,
  newPayPalId,
  paypalTime,
  type Authorization,
  type Capture,
  type PayPalLedger,
  type Refund,
} from './ledger.ts'
import { getOrder, rootOf } from './orders.ts'
import { notFound, unprocessable } from './refusal.ts'
import { readCents, type captureRequest, type reauthorizeRequest, type refundRequest } from './requests.ts'
import { recordTransaction } from './transactions.ts'
import { authorizationView, captureFeeCents, captureView, refundView } from './views.ts'

/** PayPal honors an authorization this long; a later capture may fail, and here it does. */
const honorHours = 72

export function getAuthorization(ledger: PayPalLedger, id: string): Authorization {
  const found = ledger.authorizations.get(id)
  if (!found) throw notFound()
  return found
}

export function getCapture(ledger: PayPalLedger, id: string): Capture {
  const found = ledger.captures.get(id)
  if (!found) throw notFound()
  return found
}

export function captureAuthorization(
  ledger: PayPalLedger,
  id: string,
  request: z.infer<typeof captureRequest>,
): Capture {
  const authorization = getAuthorization(ledger, id)
  refuseUnusable(ledger, authorization)
  if (hoursSince(ledger, authorization.createdAt) >= honorHours)
    throw unprocessable('TRANSACTION_REFUSED', "PayPal's internal controls prevent authorization from being captured.")
  const cents = request.amount ? readCents(request.amount, '/amount/value') : authorization.cents
  const captured = capturesOf(ledger, authorization.orderId).reduce((sum, one) => sum + one.cents, 0)
  if (captured + cents > authorization.cents + Math.min(7_500, Math.floor(authorization.cents * 0.15)))
    throw unprocessable('MAX_CAPTURE_AMOUNT_EXCEEDED', 'Capture amount exceeds allowable limit.', '/amount')
  const now = paypalTime(ledger.now())
  const capture: Capture = {
    id: newPayPalId(),
    authorizationId: id,
    orderId: authorization.orderId,
    cents,
    refundedCents: 0,
    isFinal: request.final_capture ?? false,
    createdAt: now,
    updatedAt: now,
  }
  ledger.captures.put(capture.id, capture)
  const isAll = capture.isFinal || captured + cents >= authorization.cents
  ledger.authorizations.put(id, {
    ...authorization,
    status: isAll ? 'CAPTURED' : 'PARTIALLY_CAPTURED',
    updatedAt: now,
  })
  const order = getOrder(ledger, authorization.orderId)
  recordTransaction(ledger, {
    id: capture.id,
    code: 'T0006',
    cents,
    feeCents: captureFeeCents(capture),
    referenceId: id,
    invoice: order.unit.invoice_id,
    custom: order.unit.custom_id,
  })
  recordPayPalEvent(ledger, order, 'PAYMENT.CAPTURE.COMPLETED', captureView(ledger, capture))
  return capture
}

/** Creates a new authorization with a new honor period. Allowed once, from the fourth day. */
export function reauthorize(
  ledger: PayPalLedger,
  id: string,
  request: z.infer<typeof reauthorizeRequest>,
): Authorization {
  const authorization = getAuthorization(ledger, id)
  refuseUnusable(ledger, authorization)
  const isRenewed = authorizationsOf(ledger, authorization.orderId).some(({ parentId }) => parentId === id)
  if (authorization.parentId !== null || isRenewed || hoursSince(ledger, authorization.createdAt) < honorHours)
    throw unprocessable(
      'REAUTHORIZATION_NOT_SUPPORTED',
      'A reauthorize cannot be attempted on an authorization_id that is the result of a prior reauthorization or on an authorization within its honor period.',
    )
  const now = paypalTime(ledger.now())
  const renewed: Authorization = {
    ...authorization,
    id: newPayPalId(),
    cents: request.amount ? readCents(request.amount, '/amount/value') : authorization.cents,
    createdAt: now,
    updatedAt: now,
    parentId: id,
  }
  ledger.authorizations.put(renewed.id, renewed, Temporal.Instant.from(renewed.expiresAt))
  const order = getOrder(ledger, renewed.orderId)
  recordPayPalEvent(ledger, order, 'PAYMENT.AUTHORIZATION.CREATED', authorizationView(ledger, renewed))
  return renewed
}

export function voidAuthorization(ledger: PayPalLedger, id: string): void {
  const authorization = getAuthorization(ledger, id)
  if (authorization.parentId !== null)
    throw unprocessable(
      'CANNOT_BE_VOIDED',
      'A reauthorization cannot be voided. Please void the original parent authorization.',
    )
  if (authorization.status === 'VOIDED')
    throw unprocessable(
      'PREVIOUSLY_VOIDED',
      'Authorization has been previously voided and hence cannot be voided again.',
    )
  if (capturesOf(ledger, authorization.orderId).length > 0)
    throw unprocessable('PREVIOUSLY_CAPTURED', 'Authorization has been previously captured and hence cannot be voided.')
  const order = getOrder(ledger, authorization.orderId)
  for (const one of authorizationsOf(ledger, order.id)) {
    const voided: Authorization = { ...one, status: 'VOIDED', updatedAt: paypalTime(ledger.now()) }
    ledger.authorizations.put(one.id, voided, null)
    recordPayPalEvent(ledger, order, 'PAYMENT.AUTHORIZATION.VOIDED', authorizationView(ledger, voided))
  }
}

export function refundCapture(ledger: PayPalLedger, id: string, request: z.infer<typeof refundRequest>): Refund {
  const capture = getCapture(ledger, id)
  const leftCents = capture.cents - capture.refundedCents
  if (leftCents === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.')
  const cents = request.amount ? readCents(request.amount, '/amount/value') : leftCents
  if (cents > leftCents)
    throw unprocessable(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
      '/amount/value',
    )
  const now = paypalTime(ledger.now())
  const refund: Refund = { id: newPayPalId(), captureId: id, orderId: capture.orderId, cents, createdAt: now }
  ledger.refunds.put(refund.id, refund)
  recordTransaction(ledger, { id: refund.id, code: 'T1107', cents: -cents, referenceId: id })
  ledger.captures.put(id, { ...capture, refundedCents: capture.refundedCents + cents, updatedAt: now })
  const order = getOrder(ledger, capture.orderId)
  recordPayPalEvent(ledger, order, 'PAYMENT.CAPTURE.REFUNDED', refundView(ledger, refund))
  return refund
}

function refuseUnusable(ledger: PayPalLedger, authorization: Authorization): void {
  if (authorization.status === 'CAPTURED')
    throw unprocessable('AUTHORIZATION_ALREADY_CAPTURED', 'Authorization has previously been captured.')
  const isOver = ledger.now().epochMilliseconds >= Temporal.Instant.from(authorization.expiresAt).epochMilliseconds
  if (isOver) throw unprocessable('AUTHORIZATION_EXPIRED', 'An expired authorization cannot be captured.')
  if (authorization.status === 'VOIDED' || rootOf(ledger, authorization).status === 'VOIDED')
    throw unprocessable('AUTHORIZATION_VOIDED', 'A voided authorization cannot be captured or reauthorized.')
  if (authorization.status === 'PENDING')
    throw unprocessable('PENDING_AUTHORIZATION', 'The authorization is still under review.')
}

function hoursSince(ledger: PayPalLedger, time: string): number {
  return ledger.now().since(Temporal.Instant.from(time)).total('hours')
}
