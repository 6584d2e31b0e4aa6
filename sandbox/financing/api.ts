import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Secrets } from '#platform/secrets.ts'
import { bodyRefusal } from '../body.ts'
import { createIdempotencyKeys, fingerprintOf } from '../idempotency.ts'
import { newId } from '../ids.ts'
import { isBasicOf } from '../signature.ts'
import { cancelItems, deliver, type Lender, type StoredApplication } from './applications.ts'
import { listMovements, recordMovement } from './movements.ts'
import { offersFor } from './offers.ts'

const text = z.string().max(300)
const cents = z.int().min(0)
const address = z.strictObject({
  name: text,
  line1: text,
  line2: text.nullable(),
  city: text,
  state: z.string().length(2),
  zip: text,
})
const units = z.array(z.strictObject({ sku: text, quantity: z.int().min(1) })).max(100)
const forms = {
  application: z.strictObject({
    reference: text,
    product: z.enum(['lease', 'loan', 'store-card']),
    currency: z.literal('USD'),
    amount: z.int().min(1),
    items: z
      .array(
        z.strictObject({
          sku: z.string().min(1).max(100),
          name: text,
          unit_amount: cents,
          quantity: z.int().min(1),
          financeable: z.boolean(),
        }),
      )
      .min(1)
      .max(100),
    tax: cents,
    shipping: cents,
    discount: cents,
    customer: z.strictObject({ email: text.nullable(), phone: text.nullable(), shipping: address, billing: address }),
    return_url: z.url(),
    cancel_url: z.url(),
  }),
  confirm: z.strictObject({ order_id: z.string().min(1).max(100) }),
  delivery: z.strictObject({ items: units, delivered_at: z.string().max(50) }),
  'cancel-items': z.strictObject({ items: units, amount: z.int().min(1) }),
  cancel: z.strictObject({}),
  refunds: z.strictObject({ amount: z.int().min(1) }),
}

const tokenSeconds = 3_600

type FinancingAccount = { financingClientId: string; financingClientSecret: Secrets }

type Answer = { status: 200 | 201 | 400 | 404 | 409; body: object }

/** The lender's API, as docs/protocols/financing.openapi.json describes it. */
export function createFinancingApi(lender: Lender, account: FinancingAccount): Hono {
  const app = new Hono()
  const tokens = lender.store.collection<{ token: string; until: string }>('financing-token')
  const keys = createIdempotencyKeys(lender.store, 'financing-key', () => lender.now())

  app.use((c, next) => {
    const status = bodyRefusal(c, 64 * 1024)
    return status ? Promise.resolve(c.json(fault('too_large', 'The request is too large.').body, status)) : next()
  })
  app.post('/token', async (c) => {
    const form = await c.req.parseBody().catch(() => ({}))
    const isGrant = 'grant_type' in form && form.grant_type === 'client_credentials'
    if (!isGrant || !isBasicOf(c.req.header('authorization'), account.financingClientId, account.financingClientSecret))
      return c.json(fault('invalid_client', 'The client or its secret is wrong.').body, 401)
    const token = newId('ftk_')
    tokens.put(token, { token, until: lender.now().add({ seconds: tokenSeconds }).toString() })
    return c.json({ access_token: token, token_type: 'Bearer', expires_in: tokenSeconds })
  })
  app.use(async (c, next) => {
    const known = tokens.get((c.req.header('authorization') ?? '').replace(/^Bearer /, ''))
    if (!known || Temporal.Instant.compare(lender.now(), Temporal.Instant.from(known.until)) >= 0)
      return c.json(fault('invalid_token', 'The token is unknown or over.').body, 401)
    return next()
  })

  /** Answers a change once for each key. */
  async function once(c: Context, change: (body: unknown) => Answer): Promise<Response> {
    const key = c.req.header('idempotency-key')
    if (!key || key.length > 200) return c.json(fault('no_key', 'Send an Idempotency-Key.').body, 400)
    const raw = await c.req.text()
    const fingerprint = fingerprintOf(c.req.method, c.req.path, raw)
    const found = keys.find(key, fingerprint)
    if (found === 'other-request' || found === 'in-use')
      return c.json(fault('key_reused', 'This key was used for another request.').body, 409)
    if (found !== 'fresh') return c.json(found.body, found.status as 200)
    const answer = lender.store.transaction(() => {
      const made = change(jsonOf(raw))
      keys.put(key, fingerprint, { ...made, requestId: newId('req_') })
      return made
    })
    return c.json(answer.body, answer.status)
  }

  app.get('/offers', (c) => {
    const amount = Number(c.req.query('amount'))
    return Number.isSafeInteger(amount) && amount > 0
      ? c.json({ offers: offersFor(amount) })
      : c.json(fault('invalid', 'The amount is a number of cents.').body, 400)
  })
  app.get('/movements', (c) => {
    const { from = '', until = '', after } = c.req.query()
    const listed = listMovements(lender, { from, until, after })
    return listed ? c.json(listed) : c.json(fault('invalid', '`from` and `until` are times.').body, 400)
  })
  app.post('/applications', (c) => once(c, (body) => open(lender, body)))
  app.get('/applications/:id', (c) => {
    const stored = lender.applications.get(c.req.param('id'))
    return stored ? c.json(stored.application) : c.json(unknown.body, 404)
  })
  for (const what of ['confirm', 'delivery', 'cancel-items', 'cancel', 'refunds'] as const)
    app.post(`/applications/:id/${what}`, (c) =>
      once(c, (body) => {
        const stored = lender.applications.get(c.req.param('id'))
        const parsed = forms[what].safeParse(body)
        if (!parsed.success) return invalid(parsed.error)
        return stored ? acts[what](lender, stored, parsed.data as never) : unknown
      }),
    )
  return app
}

function open(lender: Lender, body: unknown): Answer {
  const parsed = forms.application.safeParse(body)
  if (!parsed.success) return invalid(parsed.error)
  const { items, amount, tax, shipping, discount, ...asked } = parsed.data
  const sum = items.reduce((cents, item) => cents + item.unit_amount * item.quantity, tax + shipping - discount)
  if (sum !== amount) return { ...fault('amounts', `The items come to ${sum}, not ${amount}.`), status: 400 }
  if (items.some(({ financeable }) => !financeable))
    return { ...fault('not_financeable', 'This product finances whole orders.'), status: 400 }
  const id = newId('fin_')
  const stored = lender.move(
    {
      returnUrl: asked.return_url,
      cancelUrl: asked.cancel_url,
      person: null,
      application: {
        id,
        reference: asked.reference,
        product: asked.product,
        status: 'opened',
        amount,
        approved_limit: null,
        approved_until: null,
        signed_amount: null,
        delivered_amount: 0,
        canceled_amount: 0,
        refunded_amount: 0,
        message: null,
        order_id: null,
        url: `${lender.publicOrigin}/apply/${id}`,
        items: items.map((item) => ({ ...item, delivered: 0, canceled: 0 })),
      },
    },
    {},
  )
  return { status: 201, body: stored.application }
}

const over = ['declined', 'canceled', 'expired', 'terminated']

const acts = {
  confirm(lender: Lender, stored: StoredApplication, { order_id: order }: z.infer<typeof forms.confirm>): Answer {
    const { status, order_id: bound } = stored.application
    if (bound === order) return { status: 200, body: stored.application }
    if (status !== 'signed') return conflict(stored)
    return done(lender.move(stored, { status: 'confirmed', order_id: order }))
  },
  delivery(lender: Lender, stored: StoredApplication, { items }: z.infer<typeof forms.delivery>): Answer {
    return stored.application.status === 'confirmed' ? doneOr(stored, deliver(lender, stored, items)) : conflict(stored)
  },
  'cancel-items'(
    lender: Lender,
    stored: StoredApplication,
    { items, amount }: z.infer<(typeof forms)['cancel-items']>,
  ): Answer {
    const isOpen = ['signed', 'confirmed'].includes(stored.application.status)
    return isOpen ? doneOr(stored, cancelItems(lender, stored, { units: items, amount })) : conflict(stored)
  },
  cancel(lender: Lender, stored: StoredApplication): Answer {
    const { status, delivered_amount: delivered } = stored.application
    if (over.includes(status)) return { status: 200, body: stored.application }
    return delivered > 0 ? conflict(stored) : done(lender.move(stored, { status: 'canceled' }))
  },
  refunds(lender: Lender, stored: StoredApplication, { amount }: z.infer<typeof forms.refunds>): Answer {
    const { refunded_amount: before, delivered_amount: delivered } = stored.application
    if (before + amount > delivered) return conflict(stored)
    const { id } = stored.application
    const refund = newId('frf_')
    lender.move(stored, { refunded_amount: before + amount })
    recordMovement(lender, { type: 'refund', application_id: id, refund_id: refund, amount: -amount })
    return { status: 200, body: { id: refund, application_id: id, amount } }
  },
}

function done({ application }: StoredApplication): Answer {
  return { status: 200, body: application }
}

function doneOr(before: StoredApplication, after: StoredApplication | undefined): Answer {
  return after ? done(after) : conflict(before)
}

function conflict({ application }: StoredApplication): Answer {
  return { ...fault('conflict', `Not possible: the application is ${application.status}.`), status: 409 }
}

function invalid(error: z.ZodError): Answer {
  const [issue] = error.issues
  return { ...fault('invalid', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`), status: 400 }
}

const unknown: Answer = { ...fault('unknown', 'Application not found.'), status: 404 }

function fault(code: string, message: string): { body: { error: { code: string; message: string } } } {
  return { body: { error: { code, message } } }
}

function jsonOf(raw: string): unknown {
  try {
    return raw === '' ? {} : JSON.parse(raw)
  } catch {
    return undefined
  }
}
