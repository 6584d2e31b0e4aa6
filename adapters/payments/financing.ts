import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type {
  Financing,
  FinancedUnits,
  FinancingMovement,
  FinancingOffer,
  FinancingState,
  FinancingView,
} from '#domain/payments/payments/financing.port.ts'
import type { OrderToPay, PayerAddress, ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import type { MovementKind } from '#domain/payments/payments/provider-records.port.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { parseJson } from './stripe-client.ts'
import { someSecret, type Secrets } from '#platform/secrets.ts'

export type FinancingConfig = {
  /** The lender's origin; the protocol is docs/protocols/financing.openapi.json. */
  apiOrigin: string
  clientId: string
  clientSecret: string
  webhookSecret: Secrets
  clock: Clock
}

// A shopper is waiting.
const timeoutMs = 6_000
const signatureToleranceSeconds = 300
/** A token is renewed this long before it ends. */
const tokenSlackSeconds = 30

const states = [
  'opened',
  'applying',
  'in-review',
  'approved',
  'signed',
  'confirmed',
  'delivered',
  'funded',
  'declined',
  'canceled',
  'expired',
  'terminated',
] as const satisfies FinancingState[]

const cents = z.int().min(0)
const applicationForm = z.looseObject({
  id: z.string().min(1).max(100),
  // An unknown state doesn't break running applications. The shopper sees it as processing.
  status: z.enum(states).or(z.string().transform(() => 'unknown' as const)),
  amount: cents,
  signed_amount: cents.nullable(),
  delivered_amount: cents,
  canceled_amount: cents,
  refunded_amount: cents,
  url: z.url(),
  items: z.array(z.looseObject({ sku: z.string(), quantity: cents, delivered: cents, canceled: cents })).max(100),
})
const offersForm = z.looseObject({
  offers: z.array(
    z.looseObject({
      product: z.enum(['lease', 'loan', 'store-card']),
      headline: z.string().max(200),
      rows: z.array(z.looseObject({ label: z.string().max(100), amount: cents })).max(12),
      disclosure: z.string().max(600),
    }),
  ),
})
const tokenForm = z.looseObject({ access_token: z.string().min(1), expires_in: z.int().min(1) })
const refundForm = z.looseObject({ id: z.string().min(1) })
const movementsForm = z.looseObject({
  movements: z.array(
    z.looseObject({
      id: z.string().min(1).max(100),
      type: z.string().max(100),
      application_id: z.string().min(1).max(100).nullable(),
      refund_id: z.string().min(1).max(100).nullable(),
      amount: z.int(),
      fee: cents,
      at: z.iso.datetime({ offset: true }),
    }),
  ),
  next: z.string().min(1).max(200).nullable(),
})
const faultForm = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) })
const eventForm = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.looseObject({ application: applicationForm }),
})

type Call = { method: 'GET' | 'POST'; path: string; body?: object; key?: string }

/** A lender over HTTP. */
export function createFinancing(config: FinancingConfig): Financing {
  const call = createCaller(config)
  const act = async (ref: string, what: string, body: object, key: string): Promise<ProviderAnswer<FinancingView>> =>
    viewOf(await call(applicationForm, { method: 'POST', path: `${pathOf(ref)}/${what}`, body, key }))
  return {
    async offers(amountCents) {
      const answer = await call(offersForm, { method: 'GET', path: `/financing/offers?amount=${amountCents}` })
      return answer.ok ? { ok: true, value: answer.value.offers.map(offerOf) } : answer
    },
    async open(input) {
      const body = newApplication(input)
      const answer = await call(applicationForm, {
        method: 'POST',
        path: '/financing/applications',
        body,
        key: input.key,
      })
      return answer.ok ? { ok: true, value: { ref: answer.value.id, url: answer.value.url } } : answer
    },
    read: async (ref) => viewOf(await call(applicationForm, { method: 'GET', path: pathOf(ref) })),
    confirm: ({ ref, orderId, key }) => act(ref, 'confirm', { order_id: String(orderId) }, key),
    deliver: ({ ref, lines, at, key }) =>
      act(ref, 'delivery', { items: unitsOf(lines), delivered_at: at.toString() }, key),
    cancelLines: ({ ref, lines, cents: amount, key }) =>
      act(ref, 'cancel-items', { items: unitsOf(lines), amount }, key),
    cancel: ({ ref, key }) => act(ref, 'cancel', {}, key),
    async giveBack({ ref, cents: amount, key }) {
      const path = `${pathOf(ref)}/refunds`
      const answer = await call(refundForm, { method: 'POST', path, body: { amount }, key })
      return answer.ok ? { ok: true, value: { refundRef: answer.value.id } } : answer
    },
    async listMovements({ from, until, after }) {
      const query = new URLSearchParams({ from: from.toString(), until: until.toString(), ...(after && { after }) })
      const answer = await call(movementsForm, { method: 'GET', path: `/financing/movements?${query.toString()}` })
      if (!answer.ok) return answer
      const { movements, next } = answer.value
      return { ok: true, value: { movements: movements.map(movementOf), next } }
    },
    async readEvent({ body, header }) {
      if (!isSigned(body, header('financing-signature'), config)) return { ok: false, reason: 'bad-signature' }
      const parsed = eventForm.safeParse(parseJson(body))
      if (!parsed.success) return { ok: false, reason: 'unreadable', cause: parsed.error }
      const { id, type: kind, data } = parsed.data
      return { ok: true, event: { id, kind, view: toView(data.application), body: parsed.data } }
    },
  }
}

function pathOf(ref: string): string {
  return `/financing/applications/${encodeURIComponent(ref)}`
}

/** Calls the lender under a token that is kept until shortly before its end. */
function createCaller({ apiOrigin, clientId, clientSecret, clock }: FinancingConfig) {
  let token: { value: string; until: Temporal.Instant } | undefined

  async function send(
    path: string,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown } | { cause: unknown }> {
    try {
      const response = await fetch(new URL(path, apiOrigin), {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...requestIdHeader() },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: response.status, body: parseJson(await response.text()) }
    } catch (cause) {
      return { cause }
    }
  }

  async function freshToken(): Promise<ProviderAnswer<string>> {
    const now = clock.now()
    if (token && Temporal.Instant.compare(now, token.until) < 0) return { ok: true, value: token.value }
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const answer = answerOf(
      tokenForm,
      await send('/financing/token', {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      }),
    )
    if (!answer.ok) return answer
    const { access_token: value, expires_in: seconds } = answer.value
    token = { value, until: now.add({ seconds: Math.max(0, seconds - tokenSlackSeconds) }) }
    return { ok: true, value }
  }

  return async function call<Form>(form: z.ZodType<Form>, { method, path, body, key }: Call) {
    for (let isSecond = false; ; isSecond = true) {
      const bearer = await freshToken()
      if (!bearer.ok) return bearer
      const sent = await send(path, {
        method,
        headers: {
          authorization: `Bearer ${bearer.value}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      // The lender ended the token before its time.
      if (isSecond || !('status' in sent) || sent.status !== 401) return answerOf(form, sent)
      token = undefined
    }
  }
}

function answerOf<Form>(
  form: z.ZodType<Form>,
  sent: { status: number; body: unknown } | { cause: unknown },
): ProviderAnswer<Form> {
  if ('cause' in sent) return { ok: false, reason: 'unavailable', message: 'The lender cannot be reached.', ...sent }
  const { status, body } = sent
  if (status >= 200 && status < 300) {
    const parsed = form.safeParse(body)
    return parsed.success
      ? { ok: true, value: parsed.data }
      : { ok: false, reason: 'unavailable', message: 'The lender’s answer cannot be read.', cause: parsed.error }
  }
  const fault = faultForm.safeParse(body)
  const message = fault.success ? fault.data.error.message.slice(0, 300) : `The lender answers ${status}.`
  const isPassing = status >= 500 || status === 429 || status === 408
  return { ok: false, reason: isPassing ? 'unavailable' : 'refused-input', message, cause: { status, body } }
}

function newApplication({
  reference,
  product,
  amountCents,
  order,
  email,
  returnUrl,
  cancelUrl,
}: Parameters<Financing['open']>[0]): object {
  return {
    reference,
    product,
    currency: CURRENCY.code,
    amount: amountCents,
    items: order.lines.map(({ sku, name, unitCents, quantity }) => ({
      sku,
      name,
      unit_amount: unitCents,
      quantity,
      financeable: true,
    })),
    tax: order.taxCents,
    shipping: order.shippingCents,
    discount: order.discountCents,
    customer: customerOf(order, email),
    return_url: returnUrl,
    cancel_url: cancelUrl,
  }
}

function customerOf({ phone, shipTo, billTo }: OrderToPay, email: string | null): object {
  return { email, phone, shipping: addressOf(shipTo), billing: addressOf(billTo) }
}

function addressOf({ name, address1: line1, address2: line2, city, state, zip }: PayerAddress): object {
  return { name, line1, line2, city, state, zip }
}

function unitsOf(lines: readonly FinancedUnits[]): object[] {
  return lines.map(({ sku, quantity }) => ({ sku, quantity }))
}

function viewOf(answer: ProviderAnswer<z.infer<typeof applicationForm>>): ProviderAnswer<FinancingView> {
  return answer.ok ? { ok: true, value: toView(answer.value) } : answer
}

function toView(application: z.infer<typeof applicationForm>): FinancingView {
  return {
    ref: application.id,
    state: application.status,
    amountCents: application.amount,
    signedCents: application.signed_amount,
    deliveredCents: application.delivered_amount,
    canceledCents: application.canceled_amount,
    givenBackCents: application.refunded_amount,
    lines: application.items.map(({ sku, quantity, delivered, canceled }) => ({ sku, quantity, delivered, canceled })),
  }
}

const movementKinds: Readonly<Record<string, MovementKind>> = {
  delivery: 'charge',
  refund: 'refund',
  funding: 'payout',
}

/** Unknown types aren't reconciled, so staff look at them. */
function movementOf(moved: z.infer<typeof movementsForm>['movements'][number]): FinancingMovement {
  return {
    ref: moved.id,
    kind: movementKinds[moved.type] ?? 'other',
    at: Temporal.Instant.from(moved.at),
    amountCents: moved.amount,
    feeCents: moved.fee,
    refundRef: moved.refund_id,
    applicationRef: moved.application_id,
  }
}

function offerOf({
  product,
  headline,
  rows,
  disclosure,
}: z.infer<typeof offersForm>['offers'][number]): FinancingOffer {
  return { product, headline, rows: rows.map(({ label, amount }) => ({ label, cents: amount })), disclosure }
}

/** `t=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hex>`, not older than the tolerance. */
function isSigned(body: string, header: string, { webhookSecret, clock }: FinancingConfig): boolean {
  const parts = new Map(
    header
      .slice(0, 300)
      .split(',')
      .map((part): [string, string] => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
  const time = Number(parts.get('t'))
  const age = Math.abs(clock.now().epochMilliseconds / 1_000 - time)
  if (!Number.isSafeInteger(time) || age > signatureToleranceSeconds) return false
  const given = Buffer.from(parts.get('v1') ?? '', 'hex')
  return someSecret(webhookSecret, (secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
