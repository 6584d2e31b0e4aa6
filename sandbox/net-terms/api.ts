/** The customers, orders, and credit notes of Resolve's Merchant API (V5) that a store uses. */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { breakConnection } from '../broken-connection.ts'
import { newId } from '../ids.ts'
import { isBasicOf } from '../signature.ts'
import {
  availableCents,
  capturedCents,
  heldCents,
  remainingCents,
  type CaptureEvent,
  type CreditNote,
  type Customer,
  type NetTermsLedger,
  type NetTermsOrder,
} from './ledger.ts'
import {
  cancelOrder,
  captureOrder,
  createNote,
  createOrder,
  getOrder,
  invoiceOf,
  NetTermsRefusal,
  notesOf,
} from './orders.ts'

type Bindings = { Bindings: Partial<HttpBindings> }

const text = z.string().max(500)
const amount = z.number().min(0).max(1_000_000_000)
const line = z.looseObject({
  name: text.optional(),
  quantity: z.number().optional(),
  unit_price: z.number().optional(),
  sku: text.optional(),
  total_price: z.number().optional(),
  type: text.optional(),
  tax_amount: z.number().optional(),
})
const lines = z.array(line).min(1).max(200)
const forms = {
  order: z.strictObject({
    amount,
    customer_id: text,
    line_items: lines,
    order_number: text.optional(),
    po_number: text.optional(),
    advance_requested: z.boolean().optional(),
    source: text.optional(),
    metadata: z.looseObject({}).optional(),
  }),
  capture: z.strictObject({
    amount,
    idempotency_key: text,
    number: text.optional(),
    merchant_invoice_url: z.url().optional(),
    line_items: lines.optional(),
  }),
  note: z.strictObject({
    invoice_id: text,
    amount,
    number: text.optional(),
    reason_code: z.enum([
      'chargeback',
      'duplicate',
      'fraudulent',
      'requested_by_customer',
      'missing_remittance',
      'overpayment_on_invoice',
      'invoice_was_refunded',
      'double_payment_on_invoice',
      'missing_invoice_in_resolve',
      'credit_transfer',
      'other',
    ]),
    reason_message: text.optional(),
    credit_note_url: z.url().optional(),
  }),
}

export function createNetTermsApi(
  ledger: NetTermsLedger,
  access: { merchantId: string; secretKey: string },
): Hono<Bindings> {
  const app = new Hono<Bindings>()
  app.use(async (c, next) => {
    if (isBasicOf(c.req.header('authorization'), access.merchantId, access.secretKey)) return next()
    return c.json({ error: { type: 'authentication_error', message: 'Invalid merchant credentials' } }, 401)
  })
  app.get('/customers/:id', (c) => {
    const one = ledger.customers.get(c.req.param('id'))
    if (!one) throw new NetTermsRefusal(404, 'not_found_error', 'customer not found')
    return c.json(customerView(ledger, one))
  })
  addOrders(app, ledger)
  addNotes(app, ledger)
  app.onError((error, c) => {
    if (error instanceof NetTermsRefusal)
      return c.json({ error: { type: error.type, message: error.message } }, error.status)
    throw error
  })
  return app
}

function addOrders(app: Hono<Bindings>, ledger: NetTermsLedger): void {
  const changed = (c: Context, work: () => NetTermsOrder) => c.json(orderView(ledger, ledger.store.transaction(work)))

  app.get('/orders', (c) => {
    const number = c.req.query('filter[order_number][eq]')
    const since = timeOf(c.req.query('filter[authorized_at][gte]'), 0)
    const before = timeOf(c.req.query('filter[authorized_at][lt]'), Infinity)
    const moreThan = c.req.query('filter[amount_captured][gt]')
    const found = ledger.orders.list({ limit: 100_000 }).filter((order) => {
      const at = timeOf(order.createdAt, 0)
      const isAsked = (number === undefined || order.number === number) && at >= since && at < before
      return isAsked && (moreThan === undefined || capturedCents(order) > cents(Number(moreThan)))
    })
    // Only single orders include captures.
    const view = (order: NetTermsOrder) => ({ ...orderView(ledger, order), capture_events: undefined })
    return c.json(listed(c, found, view))
  })
  app.post('/orders', async (c) => {
    const asked = await bodyOf(c, forms.order)
    const order = ledger.store.transaction(() =>
      createOrder(ledger, {
        customerId: asked.customer_id,
        cents: cents(asked.amount),
        number: asked.order_number ?? null,
        poNumber: asked.po_number ?? null,
        source: asked.source ?? null,
        lines: asked.line_items,
      }),
    )
    const isDropped = ledger.customers.get(order.customerId)?.habit === 'drops'
    return isDropped ? breakConnection(c) : c.json(orderView(ledger, order))
  })
  app.get('/orders/:id', (c) => c.json(orderView(ledger, getOrder(ledger, c.req.param('id')))))
  app.post('/orders/:id/capture', async (c) => {
    const { amount: dollars, idempotency_key: key } = await bodyOf(c, forms.capture)
    return changed(c, () => captureOrder(ledger, getOrder(ledger, c.req.param('id')), { cents: cents(dollars), key }))
  })
  app.post('/orders/:id/cancel', (c) => changed(c, () => cancelOrder(ledger, getOrder(ledger, c.req.param('id')))))
}

function addNotes(app: Hono<Bindings>, ledger: NetTermsLedger): void {
  app.get('/invoices/:id', (c) => {
    const found = invoiceOf(ledger, c.req.param('id'))
    if (!found) throw new NetTermsRefusal(404, 'not_found_error', 'invoice not found')
    return c.json(invoiceView(ledger, found))
  })
  app.get('/credit-notes', (c) => {
    const invoiceId = c.req.query('filter[invoice_id][eq]')
    const number = c.req.query('filter[number][eq]')
    const by = { ...(invoiceId !== undefined && { invoiceId }), ...(number !== undefined && { number }) }
    // Newest first. The store doesn't use the list's other sort orders.
    return c.json(listed(c, notesOf(ledger, by), noteView))
  })
  app.post('/credit-notes', async (c) => {
    const asked = await bodyOf(c, forms.note)
    ledger.store.transaction(() =>
      createNote(ledger, {
        invoiceId: asked.invoice_id,
        cents: cents(asked.amount),
        number: asked.number ?? newId('CN-', 6),
        reason: asked.reason_code,
      }),
    )
    return c.json({ status: 'completed' })
  })
}

async function bodyOf<Form extends z.ZodType>(c: Context, form: Form): Promise<z.infer<Form>> {
  const parsed = form.safeParse(await c.req.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new NetTermsRefusal(400, 'validation_error', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

function limitOf(c: Context): number {
  const limit = Number(c.req.query('limit') ?? 100)
  return Number.isInteger(limit) && limit > 0 && limit <= 100 ? limit : 100
}

function listed<One>(c: Context, found: readonly One[], view: (one: One) => object) {
  const [limit, page] = [limitOf(c), Math.max(1, Number(c.req.query('page') ?? 1) || 1)]
  const results = found.slice((page - 1) * limit, page * limit).map(view)
  return { count: found.length, limit, page, results }
}

function timeOf(text: string | undefined, otherwise: number): number {
  try {
    return text === undefined ? otherwise : Temporal.Instant.from(text).epochMilliseconds
  } catch {
    throw new NetTermsRefusal(400, 'validation_error', `${text} is no time`)
  }
}

function cents(dollars: number): number {
  return Math.round(dollars * 100)
}

function customerView(ledger: NetTermsLedger, one: Customer) {
  return {
    id: one.id,
    business_name: one.name,
    business_country: 'US',
    source: 'API',
    amount_approved: Math.floor(one.approvedCents / 100),
    amount_authorized: Math.floor(heldCents(ledger, one.id) / 100),
    amount_available: Math.floor(availableCents(ledger, one) / 100),
    amount_balance: Math.floor(one.balanceCents / 100),
    amount_unapplied_payments: 0,
    default_terms: one.terms,
    credit_status: one.status,
    net_terms_status: one.status === 'approved' ? 'enrolled' : null,
    net_terms_enrollment_url: null,
    net_terms_enrollment_expires_at: null,
    archived: false,
  }
}

export function orderView(ledger: NetTermsLedger, order: NetTermsOrder) {
  const customer = ledger.customers.get(order.customerId)
  return {
    id: order.id,
    ...(order.number !== null && { number: order.number }),
    ...(order.poNumber !== null && { po_number: order.poNumber }),
    advance_requested: false,
    ...(order.source !== null && { source: order.source }),
    status: order.status,
    amount_authorized: order.authorizedCents / 100,
    amount_captured: capturedCents(order) / 100,
    amount_canceled: order.canceledCents / 100,
    amount_remaining: remainingCents(order) / 100,
    first_captured_at: order.captures[0]?.at ?? null,
    line_items: order.lines,
    authorization_expires_at: order.expiresAt,
    authorization_expiry_source: 'system',
    capture_events: order.captures.map((capture) => ({
      amount: capture.cents / 100,
      idempotency_key: capture.key,
      processed_at: capture.at,
      invoice_id: capture.invoiceId,
    })),
    authorized_at: order.createdAt,
    updated_at: order.updatedAt,
    customer: {
      id: order.customerId,
      name: customer?.name ?? '',
      remaining_credit: customer ? availableCents(ledger, customer) / 100 : 0,
    },
  }
}

function invoiceView(ledger: NetTermsLedger, { order, capture }: { order: NetTermsOrder; capture: CaptureEvent }) {
  const creditedCents = notesOf(ledger, { invoiceId: capture.invoiceId }).reduce((sum, note) => sum + note.cents, 0)
  return {
    id: capture.invoiceId,
    source: 'API',
    customer_id: order.customerId,
    ...(order.number !== null && { order_number: order.number }),
    ...(order.poNumber !== null && { po_number: order.poNumber }),
    amount_due: capture.cents / 100,
    amount_balance: (capture.cents - creditedCents) / 100,
    amount_refunded: creditedCents / 100,
    amount_paid: 0,
    fully_paid: false,
    created_at: capture.at,
    archived: false,
    voided: false,
  }
}

function noteView(note: CreditNote) {
  return {
    id: note.id,
    source: 'API',
    customer_id: note.customerId,
    invoice_id: note.invoiceId,
    number: note.number,
    amount: note.cents / 100,
    amount_balance: 0,
    amount_paid: note.cents / 100,
    amount_voided: 0,
    reason_code: note.reason,
    voided: false,
  }
}
