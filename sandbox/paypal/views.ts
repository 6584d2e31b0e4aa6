/** PayPal's resources as it answers them. */
import {
  authorizationsOf,
  capturesOf,
  paypalPath,
  refundsOf,
  type Authorization,
  type Capture,
  type PayPalLedger,
  type PayPalOrder,
  type Refund,
} from './ledger.ts'
import { usd } from './requests.ts'

type Link = { href: string; rel: string; method?: 'GET' | 'POST' }

function linkTo(ledger: PayPalLedger, path: string, rel: string, method: Link['method'] = 'GET'): Link {
  return { href: `${ledger.publicOrigin}${paypalPath}${path}`, rel, method }
}

/** Returns PayPal's published fee for US checkout. */
export function captureFeeCents({ cents }: Pick<Capture, 'cents'>): number {
  return Math.round(cents * 0.0349) + 49
}

/** The order in full; `isMinimal` without the preference for the whole representation. */
export function orderView(ledger: PayPalLedger, order: PayPalOrder, isMinimal = false): object {
  const { id, status, wallet, unit } = order
  const self = `/v2/checkout/orders/${id}`
  const links = [
    linkTo(ledger, self, 'self'),
    ...(status === 'PAYER_ACTION_REQUIRED'
      ? [linkTo(ledger, `/checkoutnow?token=${id}`, 'payer-action')]
      : status === 'APPROVED'
        ? [linkTo(ledger, `${self}/authorize`, 'authorize', 'POST')]
        : []),
  ]
  const source = order.funding === null ? {} : payerOf(order)
  const head = { id, status, payment_source: { [wallet]: source }, links }
  if (isMinimal) return head
  const [authorizations, captures, refunds] = [
    authorizationsOf(ledger, id).map((one) => withinOrder(authorizationView(ledger, one))),
    capturesOf(ledger, id).map((one) => withinOrder(captureView(ledger, one))),
    refundsOf(ledger, id).map((one) => refundView(ledger, one)),
  ]
  const payments = {
    ...(authorizations.length > 0 && { authorizations }),
    ...(captures.length > 0 && { captures }),
    ...(refunds.length > 0 && { refunds }),
  }
  return {
    ...head,
    intent: 'AUTHORIZE',
    purchase_units: [{ reference_id: 'default', ...unit, ...(authorizations.length > 0 && { payments }) }],
    create_time: order.createdAt,
    update_time: order.updatedAt,
  }
}

/** Within their order, payments do not name it again. */
function withinOrder(view: object): object {
  return Object.fromEntries(Object.entries(view).filter(([name]) => name !== 'supplementary_data'))
}

/** Returns the payer's account, one per wallet type, so that returning payers are recognized. */
function payerOf({ wallet }: PayPalOrder): object {
  const name = { given_name: 'Pat', surname: 'Payer' }
  return wallet === 'paypal'
    ? {
        email_address: 'pat@payer.example',
        account_id: 'QYR5Z8XDVJNXQ',
        account_status: 'VERIFIED',
        name,
      }
    : { account_id: 'KJ4VENM2Z8XQA', user_name: 'pat-payer', name }
}

export function authorizationView(ledger: PayPalLedger, authorization: Authorization): object {
  const { id, orderId, cents, status, parentId } = authorization
  const self = `/v2/payments/authorizations/${id}`
  return {
    id,
    status,
    ...(status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: usd(cents),
    ...namesOf(ledger, orderId),
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
    supplementary_data: { related_ids: { order_id: orderId } },
    expiration_time: authorization.expiresAt,
    create_time: authorization.createdAt,
    update_time: authorization.updatedAt,
    links: [
      linkTo(ledger, self, 'self'),
      linkTo(ledger, `${self}/capture`, 'capture', 'POST'),
      linkTo(ledger, `${self}/void`, 'void', 'POST'),
      parentId === null
        ? linkTo(ledger, `${self}/reauthorize`, 'reauthorize', 'POST')
        : linkTo(ledger, `/v2/payments/authorizations/${parentId}`, 'up'),
    ],
  }
}

export function captureView(ledger: PayPalLedger, capture: Capture): object {
  const { id, orderId, authorizationId, cents, refundedCents } = capture
  const self = `/v2/payments/captures/${id}`
  const feeCents = captureFeeCents(capture)
  return {
    id,
    status: refundedCents === 0 ? 'COMPLETED' : refundedCents < cents ? 'PARTIALLY_REFUNDED' : 'REFUNDED',
    amount: usd(cents),
    final_capture: capture.isFinal,
    ...namesOf(ledger, orderId),
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
    seller_receivable_breakdown: {
      gross_amount: usd(cents),
      paypal_fee: usd(feeCents),
      net_amount: usd(cents - feeCents),
    },
    supplementary_data: { related_ids: { order_id: orderId, authorization_id: authorizationId } },
    create_time: capture.createdAt,
    update_time: capture.updatedAt,
    links: [
      linkTo(ledger, self, 'self'),
      linkTo(ledger, `${self}/refund`, 'refund', 'POST'),
      linkTo(ledger, `/v2/payments/authorizations/${authorizationId}`, 'up'),
    ],
  }
}

export function refundView(ledger: PayPalLedger, { id, orderId, captureId, cents, createdAt }: Refund): object {
  return {
    id,
    status: 'COMPLETED',
    amount: usd(cents),
    ...namesOf(ledger, orderId),
    create_time: createdAt,
    update_time: createdAt,
    links: [
      linkTo(ledger, `/v2/payments/refunds/${id}`, 'self'),
      linkTo(ledger, `/v2/payments/captures/${captureId}`, 'up'),
    ],
  }
}

/** Returns the store's own IDs for the payment. */
function namesOf(ledger: PayPalLedger, orderId: string): object {
  const { invoice_id, custom_id } = ledger.orders.get(orderId)?.unit ?? {}
  return { ...(invoice_id !== undefined && { invoice_id }), ...(custom_id !== undefined && { custom_id }) }
}
