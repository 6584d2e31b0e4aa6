/**
 * The cXML 1.2 endpoint for purchasing systems. Every document is posted to /cxml and gets a Status with HTTP 200. See
 * docs/cxml.md.
 */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { serverPaths } from '#content/server-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  answerOnce,
  knowPurchasingSystem,
  placePurchase,
  startPunchout,
  type PurchasingAnswer,
  type PurchasingSystem,
} from '#domain/channels/purchasing/purchasing.server.ts'
import { createLimits } from '#http/call-limits.ts'
import { addressOf, networkOf } from '#http/client-address.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import type { Application } from '#application'
import { mostBytes, precheck } from './precheck.ts'
import { rootPart } from './related-parts.ts'
import { readDocument, type CxmlRequest } from './read-document.ts'
import { orderIdOf, orderTypeOf, readOrder } from './read-order.ts'
import { readPunchout, readStatusUpdate } from './read-punchout.ts'
import { profileResponse, responseDocument, setupResponse, type StatusCode } from './responses.ts'

type Env = { Bindings: Partial<HttpBindings> }

const path = '/cxml'
/** A document over 1 MB is refused; up to here a body is read first, with its attachments, so that its sender gets the answer. */
const mostRead = 4 * mostBytes
/** Of one company, in each process. */
export const documentsPerMinute = 120
const kinds = ['PunchOutSetupRequest', 'OrderRequest', 'StatusUpdateRequest'] as const

/** Creates the door, to be mounted at the store's root. */
export function createCxml(app: Application): Hono<Env> {
  const hono = new Hono<Env>()
  const companies = createLimits(app.callCounts, 'purchasing-company', documentsPerMinute)
  hono.onError((error, c) => {
    app.log.error({ err: error }, 'a cXML document failed')
    const words = isDatabaseUnavailable(error) ? 'The store is busy. Send it again.' : 'Send it again later.'
    return send(c, statusAnswer(app, 560, words))
  })
  const tooLarge = (c: Context) =>
    send(c, statusAnswer(app, 406, 'The document is larger than 1 MB, or than 4 MB with its attachments.'))
  hono.post(path, bodyLimit({ maxSize: mostRead, onError: tooLarge }), async (c) =>
    send(c, await receive(app, c, companies)),
  )
  hono.all(path, (c) => c.text('Post cXML documents here.', 405, { allow: 'POST' }))
  return hono
}

function send(c: Context, { body, retryAfterSeconds }: Answer): Response {
  return c.body(body, 200, {
    'content-type': 'text/xml; charset=utf-8',
    'cache-control': 'no-store',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  })
}

type Answer = PurchasingAnswer & { retryAfterSeconds?: number }

function made({ clock }: Pick<Application, 'clock'>) {
  return { payloadId: `${newId()}@sidewall`, at: clock.now() }
}

function statusAnswer(app: Pick<Application, 'clock'>, code: StatusCode, words: string): PurchasingAnswer {
  return { code, words, body: responseDocument(made(app), code, words) }
}

/** Receives a document. Checks the rate limit, then parses, authenticates, and processes it. */
async function receive(app: Application, c: Context<Env>, companies: ReturnType<typeof createLimits>): Promise<Answer> {
  const { config, rateLimits } = app
  const address = addressOf(c, config)
  const network = networkOf(address)
  const taken = await rateLimits.take('purchasing-document', { network: network })
  if (!taken.ok) {
    const { retryAfterSeconds } = taken.detail
    return { ...statusAnswer(app, 560, 'Too many documents that could not be taken.'), retryAfterSeconds }
  }
  const body = { bytes: new Uint8Array(await c.req.arrayBuffer()), contentType: c.req.header('content-type') ?? '' }
  const root = rootPart(body)
  const checked = root.ok ? precheck(root.value.bytes, root.value.contentType) : root
  if (!checked.ok) return statusAnswer(app, 406, checked.detail.words)
  const read = readDocument(checked.value)
  if (!read.ok) return statusAnswer(app, 406, read.words)
  const { document } = read
  const system = await senderOf(app, document)
  if (!system) return statusAnswer(app, 401, 'The credentials are wrong.')
  await rateLimits.giveBack('purchasing-document', { network: network })
  const counted = companies.take(system.companyId)
  if (counted.isOver) {
    const words = 'Too many documents in a minute. Send it again later.'
    return { ...statusAnswer(app, 560, words), retryAfterSeconds: counted.resetSeconds }
  }
  const invalid = (await app.documentCheck.current())?.problemOf(checked.value, document.kind) ?? null
  if (invalid !== null) return statusAnswer(app, 406, `The document is not valid: ${invalid}`)
  const { companyId } = system
  const { payloadId, kind } = document
  const answer = await answerOnce(app, { companyId, payloadId, kind: kind.slice(0, 60) }, () =>
    answerTo(app, system, document),
  )
  return answer === 'busy' ? statusAnswer(app, 560, 'The document is being worked on. Send it again.') : answer
}

/** The sender, if it proves itself and means this store. */
async function senderOf(app: Application, { from, to, secret }: CxmlRequest): Promise<PurchasingSystem | undefined> {
  const { domain, identity } = app.config.purchasing
  const isForUs = to.some((party) => party.domain === domain && party.identity === identity)
  for (const party of from) {
    const system = await knowPurchasingSystem(app, { ...party, secret })
    if (system) return isForUs ? system : undefined
  }
  return undefined
}

async function answerTo(app: Application, system: PurchasingSystem, document: CxmlRequest): Promise<PurchasingAnswer> {
  switch (document.kind) {
    case 'ProfileRequest':
      return { code: 200, words: 'OK', body: profileResponse(made(app), app.config.web.origin + path, kinds) }
    case 'PunchOutSetupRequest':
      return setUp(app, system, document)
    case 'OrderRequest':
      return takeOrder(app, system, document)
    case 'StatusUpdateRequest': {
      const words = readStatusUpdate(document.request)
      return words === undefined
        ? statusAnswer(app, 406, 'The StatusUpdateRequest has no Status.')
        : { ...statusAnswer(app, 200, 'Taken.'), words }
    }
    default:
      return statusAnswer(app, 450, `${document.kind.slice(0, 60)} is not taken here.`)
  }
}

async function setUp(app: Application, system: PurchasingSystem, { request }: CxmlRequest): Promise<PurchasingAnswer> {
  const read = readPunchout(request, app.config.outgoing.trustedOrigin)
  if (!read.ok) return statusAnswer(app, 406, read.words)
  const started = await startPunchout(app, system, read.setup)
  if (!started.ok) return statusAnswer(app, 406, started.detail.words)
  const url = app.config.web.origin + serverPaths.punchout(started.value.token)
  return { code: 200, words: 'OK', body: setupResponse(made(app), url) }
}

async function takeOrder(app: Application, system: PurchasingSystem, document: CxmlRequest): Promise<PurchasingAnswer> {
  const type = orderTypeOf(document.request)
  if (type !== 'new') {
    const orderId = orderIdOf(document.request) ?? 'the order'
    return statusAnswer(app, 450, `Orders are not changed by documents. Call us about ${orderId}.`)
  }
  if (document.isTest && !app.config.purchasing.takesTestOrders)
    return statusAnswer(app, 450, 'Test orders are not placed here.')
  const read = readOrder(document.request, document)
  if (!read.ok) return statusAnswer(app, 406, read.words)
  const placed = await placePurchase(app, system, read.request)
  if (!placed.ok) return statusAnswer(app, placed.reason === 'known' ? 409 : 406, placed.detail.words)
  await enqueue(app.db, 'tell-purchasing-systems', {}, { key: 'tell-purchasing-systems' })
  app.metrics.orderPlaced()
  return statusAnswer(app, 200, `Order ${orderNumber(placed.value.orderId)} is placed.`)
}
