import { newId } from '../ids.ts'
import { newPayPalId, paypalPath, paypalTime, type PayPalEvent, type PayPalLedger, type PayPalOrder } from './ledger.ts'

const kinds = {
  'CHECKOUT.ORDER.APPROVED': { type: 'checkout-order', words: 'An order has been approved by buyer' },
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': {
    type: 'payment-approval',
    words: 'A payment has been reversed after approval.',
  },
  'PAYMENT.AUTHORIZATION.CREATED': { type: 'authorization', words: 'A payment authorization was created' },
  'PAYMENT.AUTHORIZATION.VOIDED': { type: 'authorization', words: 'A payment authorization was voided' },
  'PAYMENT.CAPTURE.COMPLETED': { type: 'capture', words: 'Payment completed' },
  'PAYMENT.CAPTURE.REFUNDED': { type: 'refund', words: 'A payment was refunded' },
  'CUSTOMER.DISPUTE.CREATED': { type: 'dispute', words: 'A new dispute opened' },
  'CUSTOMER.DISPUTE.UPDATED': { type: 'dispute', words: 'A dispute was updated' },
  'CUSTOMER.DISPUTE.RESOLVED': { type: 'dispute', words: 'A dispute was resolved' },
} as const

export type PayPalEventType = keyof typeof kinds

/** The delays in seconds for orders with repeated webhooks. Each is sent twice, later events first. */
const repeatedAfter: Record<PayPalEventType, [number, number]> = {
  'CHECKOUT.ORDER.APPROVED': [6, 9],
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': [0, 1],
  'PAYMENT.AUTHORIZATION.CREATED': [4, 8],
  'PAYMENT.AUTHORIZATION.VOIDED': [0, 5],
  'PAYMENT.CAPTURE.COMPLETED': [0, 5],
  'PAYMENT.CAPTURE.REFUNDED': [0, 5],
  'CUSTOMER.DISPUTE.CREATED': [4, 8],
  'CUSTOMER.DISPUTE.UPDATED': [0, 5],
  'CUSTOMER.DISPUTE.RESOLVED': [0, 5],
}

/** Records an event about an order and queues its webhook. */
export function recordPayPalEvent(
  ledger: PayPalLedger,
  order: PayPalOrder,
  type: PayPalEventType,
  resource: object,
): void {
  const now = ledger.now()
  const id = `WH-${newPayPalId()}-${newPayPalId()}`
  const self = `${ledger.publicOrigin}${paypalPath}/v1/notifications/webhooks-events/${id}`
  const event: PayPalEvent = {
    id,
    event_version: '1.0',
    create_time: paypalTime(now),
    resource_type: kinds[type].type,
    resource_version: '2.0',
    event_type: type,
    summary: kinds[type].words,
    resource,
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/resend`, rel: 'resend', method: 'POST' },
    ],
  }
  ledger.events.put(id, event)
  const delays = order.funding === 'twice' ? repeatedAfter[type] : [0]
  for (const seconds of delays)
    ledger.deliveries.enqueue('paypal', { about: id, type, body: event, dueAt: now.add({ seconds }) })
}

/** An id of a transmission, as in PAYPAL-TRANSMISSION-ID. */
export function newTransmissionId(): string {
  return `t${newId('', 31).toLowerCase()}`
}
