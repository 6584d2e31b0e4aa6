import { financingFailed } from '#content/messages/financing.ts'
import type { NetTermsCustomer, NetTermsProvider, NetTermsStatus } from '#domain/payments/payments/net-terms.port.ts'
import type {
  ChargeState,
  ChargeView,
  HostedPageInput,
  OrderToPay,
  PagePaymentProvider,
} from '#domain/payments/payments/payment-provider.port.ts'
import type { Clock } from '#platform/clock.ts'
import {
  answer,
  createResolveClient,
  ResolveDecline,
  ResolveRefusal,
  type ResolveAccess,
  type ResolveClient,
} from './resolve-client.ts'
import {
  creditNoteActionForm,
  creditNoteListForm,
  customerForm,
  orderForm,
  orderListForm,
  toCents,
  toDollars,
  type ResolveCustomer,
  type ResolveOrder,
} from './resolve-forms.ts'
import { createResolveWebhooks } from './resolve-webhooks.ts'
import type { Secrets } from '#platform/secrets.ts'

export type ResolveConfig = ResolveAccess & { webhookSecret: Secrets; clock: Clock }

/** The payment page's timeout for reading the company's credit. */
const pageWaitMs = 2_500

/**
 * Net terms with Resolve's orders. A charge is an order. Its ID, the "loan id", is the reference. The server authorizes
 * it for the customer that staff linked to the company, so browser data isn't trusted. Resolve has no idempotency key
 * for creating an order. Until its response arrives, the order is found by our own number, and the reference is
 * `number:` with that number.
 */
export function createResolve(config: ResolveConfig): { payments: PagePaymentProvider; netTerms: NetTermsProvider } {
  const client = createResolveClient(config)
  return {
    payments: {
      ...visitCalls(client, config.clock),
      ...moneyCalls(client, config.clock),
      readEvent: createResolveWebhooks(config),
    },
    netTerms: {
      readCustomer: (id) =>
        answer(async () => {
          const customer = await findCustomer(client, id)
          return customer ? customerView(customer) : { status: 'none', availableCents: 0, netDays: null }
        }),
    },
  }
}

async function findCustomer(client: ResolveClient, id: string): Promise<ResolveCustomer | undefined> {
  try {
    return await client.get(`/customers/${encodeURIComponent(id)}`, customerForm, { waitMs: pageWaitMs })
  } catch (error) {
    if (error instanceof ResolveRefusal && error.status === 404) return undefined
    throw error
  }
}

const statuses: Readonly<Record<string, NetTermsStatus>> = {
  approved: 'approved',
  pending: 'pending',
  hold: 'hold',
  declined: 'declined',
}

function customerView({ credit_status: status, amount_available: available, ...customer }: ResolveCustomer) {
  const days = /^net(\d{1,3})$/.exec(customer.default_terms ?? '')?.[1]
  return {
    status: customer.archived ? 'none' : (statuses[status ?? ''] ?? 'none'),
    availableCents: Math.max(0, toCents(available)),
    netDays: days === undefined ? null : Number(days),
  } satisfies NetTermsCustomer
}

const numberPrefix = 'number:'

/** Returns the reference's order. Returns undefined if no order has the number. */
async function findOrder(client: ResolveClient, ref: string): Promise<ResolveOrder | undefined> {
  if (!ref.startsWith(numberPrefix)) return client.get(`/orders/${encodeURIComponent(ref)}`, orderForm)
  const number = encodeURIComponent(ref.slice(numberPrefix.length))
  const { results } = await client.get(`/orders?filter[order_number][eq]=${number}&limit=2`, orderListForm)
  const [listed] = results
  return listed && client.get(`/orders/${encodeURIComponent(listed.id)}`, orderForm)
}

/** Returns the reference's charge. Without an order under our number, the charge has no authorization. */
async function readCharge(client: ResolveClient, ref: string, clock: Clock): Promise<ChargeView> {
  const order = await findOrder(client, ref)
  if (!order) return { ...nothing, ref, state: 'open' }
  const refundedCents = order.amount_captured > 0 ? await refundedOf(client, order) : 0
  return { ...chargeView(order, clock), ref, refundedCents }
}

const nothing = {
  amountCents: 0,
  capturedCents: 0,
  refundedCents: 0,
  clientSecret: null,
  cardFingerprint: null,
  failure: null,
} as const

function chargeView(order: ResolveOrder, clock: Clock): ChargeView {
  const state = stateOf(order, clock)
  const captureBefore = order.authorization_expires_at
  return {
    ...nothing,
    ref: order.id,
    state,
    amountCents: toCents(order.amount_authorized),
    capturedCents: toCents(order.amount_captured),
    failure: state === 'failed' ? financingFailed : null,
    ...(captureBefore && { captureBefore }),
  }
}

/** Derives the state from the amounts because Resolve's description doesn't list all states. */
function stateOf(order: ResolveOrder, clock: Clock): ChargeState {
  const { status, authorization_expires_at: until } = order
  if (order.amount_captured > 0) return 'captured'
  if (['declined', 'rejected', 'failed'].includes(status)) return 'failed'
  if (['canceled', 'cancelled', 'expired', 'voided'].includes(status) || order.amount_canceled > 0) return 'voided'
  if (status !== 'authorized') return 'processing'
  return until && Temporal.Instant.compare(clock.now(), until) >= 0 ? 'voided' : 'authorized'
}

/** What credit notes gave back of an order's invoices. */
async function refundedOf(client: ResolveClient, { capture_events: captures = [] }: ResolveOrder): Promise<number> {
  const sums = await Promise.all(captures.map(({ invoice_id: invoice }) => creditedOn(client, invoice)))
  return sums.reduce((sum, cents) => sum + cents, 0)
}

async function creditedOn(client: ResolveClient, invoiceId: string): Promise<number> {
  const invoice = encodeURIComponent(invoiceId)
  const { results } = await client.get(`/credit-notes?filter[invoice_id][eq]=${invoice}&limit=100`, creditNoteListForm)
  return results.reduce((sum, note) => (note.voided ? sum : sum + toCents(note.amount)), 0)
}

function visitCalls(
  client: ResolveClient,
  clock: Clock,
): Pick<PagePaymentProvider, 'refBefore' | 'openHostedPage' | 'readHostedPage' | 'closeHostedPage'> {
  const visit = (ref: string) =>
    answer(async () => {
      const charge = await readCharge(client, ref, clock)
      return { completed: charge.state === 'authorized', charge: charge.state === 'open' ? null : charge }
    })
  return {
    refBefore: ({ reference }) => numberPrefix + reference,
    openHostedPage: (input) => answer(() => authorize(client, input)),
    readHostedPage: visit,
    // There is no page to close. The caller voids the order.
    closeHostedPage: ({ hostedRef }) => visit(hostedRef),
  }
}

/** Creates the order and returns immediately because the company agreed on our page. */
async function authorize(client: ResolveClient, input: HostedPageInput): Promise<{ hostedRef: string; url: string }> {
  const { order, amountCents, returnUrl: url } = input
  if (!order?.terms) throw new ResolveRefusal(422, 'no_customer', 'Net terms are for orders of companies.')
  const { customerId } = order.terms
  const customer = await findCustomer(client, customerId)
  const { status, availableCents } = customer ? customerView(customer) : { status: 'none', availableCents: 0 }
  const isOpen = status === 'approved' || status === 'pending'
  if (!isOpen || (status === 'approved' && availableCents < amountCents))
    throw new ResolveDecline(`${customerId} is ${status} with ${availableCents} cents available`)
  try {
    const made = await client.post('/orders', orderForm, orderRequest(input, order, order.terms))
    const isAsAsked = toCents(made.amount_authorized) === amountCents && made.customer?.id === customerId
    if (isAsAsked) return { hostedRef: made.id, url }
    await client.post(`/orders/${encodeURIComponent(made.id)}/cancel`, orderForm, {})
    throw new ResolveDecline(`${made.id} is not the requested order`)
  } catch (error) {
    // Refused after a successful check, because by then the credit line was used or the company was put on hold.
    if (error instanceof ResolveRefusal && (error.status === 400 || error.status === 422))
      throw new ResolveDecline(error.message, { cause: error })
    throw error
  }
}

function orderRequest(
  { amountCents, reference }: HostedPageInput,
  { lines, taxCents, taxText, shippingCents, discountCents }: OrderToPay,
  { customerId, poNumber }: NonNullable<OrderToPay['terms']>,
) {
  const sums = [
    { name: taxText, type: 'tax', cents: taxCents },
    { name: 'Shipping', type: 'shipping', cents: shippingCents },
    { name: 'Discounts and credit', type: 'discount', cents: -discountCents },
  ]
  return {
    amount: toDollars(amountCents),
    customer_id: customerId,
    order_number: reference,
    ...(poNumber !== null && { po_number: poNumber }),
    source: 'checkout',
    line_items: [
      ...lines.map(({ sku, name, unitCents, quantity }) => ({
        sku,
        name,
        type: 'product',
        quantity,
        unit_price: toDollars(unitCents),
        total_price: toDollars(unitCents * quantity),
      })),
      ...sums
        .filter(({ cents }) => cents !== 0)
        .map(({ name, type, cents }) => ({
          name,
          type,
          quantity: 1,
          unit_price: toDollars(cents),
          total_price: toDollars(cents),
        })),
    ],
  }
}

function moneyCalls(
  client: ResolveClient,
  clock: Clock,
): Pick<PagePaymentProvider, 'readCharge' | 'captureCharge' | 'voidCharge' | 'refundCharge' | 'readRefund'> {
  const required = async (ref: string) => {
    const order = await findOrder(client, ref)
    if (!order) throw new ResolveRefusal(404, 'not_found_error', `There is no order ${ref}`)
    return { order, path: `/orders/${encodeURIComponent(order.id)}` }
  }
  const again = { attempts: 2 } as const

  return {
    readCharge: (ref) => answer(() => readCharge(client, ref, clock)),
    captureCharge: ({ ref, amountCents, key }) =>
      answer(async () => {
        const { order, path } = await required(ref)
        const isDone = toCents(order.amount_captured) === amountCents
        const captured = isDone
          ? order
          : await client.post(
              `${path}/capture`,
              orderForm,
              { amount: toDollars(amountCents), idempotency_key: key, ...linesOf(order, amountCents) },
              again,
            )
        // As with every provider, what a capture leaves is not taken later.
        if (captured.amount_remaining > 0) await client.post(`${path}/cancel`, orderForm, {}, again)
        return readCharge(client, ref, clock)
      }),
    voidCharge: ({ ref }) =>
      answer(async () => {
        const before = await readCharge(client, ref, clock)
        if (['open', 'voided', 'failed'].includes(before.state)) return { ...before, state: 'voided' }
        const { path } = await required(ref)
        await client.post(`${path}/cancel`, orderForm, {}, again).catch(async (error: unknown) => {
          const isVoided = (await readCharge(client, ref, clock)).state === 'voided'
          if (!(error instanceof ResolveRefusal) || !isVoided) throw error
        })
        return readCharge(client, ref, clock)
      }),
    refundCharge: ({ ref, amountCents, key }) =>
      answer(async () => {
        const number = key.replaceAll(/[^\w-]/g, '-').slice(0, 100)
        if (await hasNote(client, number)) return { refundRef: number }
        const { order } = await required(ref)
        const invoice = await invoiceWith(client, order, amountCents)
        const { status } = await client.post('/credit-notes', creditNoteActionForm, {
          invoice_id: invoice,
          amount: toDollars(amountCents),
          number,
          reason_code: 'requested_by_customer',
        })
        if (status === 'failed') throw new ResolveRefusal(422, 'credit_note_failed', number)
        return { refundRef: number, isPending: !(await hasNote(client, number)) }
      }),
    readRefund: (number) =>
      answer(async () => ({ state: (await hasNote(client, number)) ? 'done' : 'pending', message: '' })),
  }
}

/** What a capture of the whole is for; Resolve makes its invoice of it. */
function linesOf({ line_items: lines, amount_authorized: authorized }: ResolveOrder, amountCents: number) {
  return lines && lines.length > 0 && toCents(authorized) === amountCents ? { line_items: lines } : {}
}

async function hasNote(client: ResolveClient, number: string): Promise<boolean> {
  const path = `/credit-notes?filter[number][eq]=${encodeURIComponent(number)}&limit=1`
  const { results } = await client.get(path, creditNoteListForm)
  return results.some((note) => note.number === number && !note.voided)
}

/** Returns the order's invoice with at least that amount left to credit. */
async function invoiceWith(client: ResolveClient, order: ResolveOrder, cents: number): Promise<string> {
  for (const { invoice_id: invoice, amount } of order.capture_events ?? [])
    if (toCents(amount) - (await creditedOn(client, invoice)) >= cents) return invoice
  throw new ResolveRefusal(422, 'too_much', `No invoice of ${order.id} has ${cents} cents left`)
}
