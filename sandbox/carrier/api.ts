import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { bodyRefusal } from '../body.ts'
import { createIdempotencyKeys, fingerprintOf, type SavedAnswer } from '../idempotency.ts'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import {
  cancelShipment,
  createShipment,
  newShipment,
  shipmentView,
  specialNames,
  unservedZip,
  type Carrier,
} from './shipments.ts'

/**
 * The carrier's JSON API, to be mounted at /carrier/shipments. Refusals are RFC 9457 problems. A POST needs an
 * Idempotency-Key: the same key with the same body returns the same shipment.
 */
export function createCarrierApi(carrier: Carrier, secret: string): { app: Hono; forgetOldKeys(): void } {
  const keys = createIdempotencyKeys(carrier.store, 'carrier-idempotency-key', carrier.now)
  const app = new Hono()

  app.use(async (c, next) => {
    c.header('Cache-Control', 'no-store')
    if (isSameSecret((c.req.header('authorization') ?? '').replace(/^bearer /i, ''), secret)) return next()
    return problem(c, 401, 'unauthorized', 'The bearer token is missing or is not the one of this sandbox.')
  })
  app.use(async (c, next) => {
    const status = bodyRefusal(c, 64 * 1024)
    return status
      ? problem(c, status, 'too-large', 'The request is too large, or does not say how large it is.')
      : next()
  })

  app.post('/', async (c) => {
    const body = await c.req.text()
    const key = c.req.header('idempotency-key')
    if (!key || key.length > 255)
      return problem(c, 400, 'idempotency-key-missing', 'Send an Idempotency-Key of 1 to 255 characters.')
    const fingerprint = fingerprintOf('POST', c.req.path, body)
    const found = keys.find(key, fingerprint)
    if (typeof found === 'object') {
      c.header('Idempotent-Replayed', 'true')
      return c.json(found.body, found.status)
    }
    if (found !== 'fresh')
      return problem(c, 422, 'idempotency-key-reused', 'This Idempotency-Key has been used for another shipment.')

    const parsed = newShipment.safeParse(parseJson(body))
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      return problem(c, 422, 'shipment-not-understood', `${issue?.path.join('.') || 'body'}: ${issue?.message}`)
    }
    const { to } = parsed.data
    if (to.name === specialNames.down)
      return problem(c, 503, 'carrier-down', 'The carrier is out of order for this recipient.')
    if (to.zip.startsWith(unservedZip))
      return problem(c, 422, 'destination-not-served', `The carrier does not deliver to ${to.zip}.`)

    const answer = carrier.store.transaction((): SavedAnswer => {
      const shipment = createShipment(carrier, parsed.data)
      const made: SavedAnswer = { status: 201, body: shipmentView(carrier, shipment), requestId: newId('req_', 14) }
      keys.put(key, fingerprint, made)
      return made
    })
    if (to.name === specialNames.slow)
      await new Promise((resolve) => setTimeout(resolve, carrier.stallSeconds * 1000).unref())
    return c.json(answer.body, answer.status)
  })

  app.get('/:tracking', (c) => {
    const shipment = carrier.shipments.get(c.req.param('tracking'))
    return shipment ? c.json(shipmentView(carrier, shipment)) : unknownShipment(c)
  })

  app.delete('/:tracking', (c) => {
    const shipment = carrier.shipments.get(c.req.param('tracking'))
    if (!shipment) return unknownShipment(c)
    const canceled = carrier.store.transaction(() => cancelShipment(carrier, shipment))
    if (!canceled)
      return problem(c, 409, 'already-picked-up', 'The shipment has been picked up and can no longer be canceled.')
    return c.json(shipmentView(carrier, canceled))
  })
  return { app, forgetOldKeys: keys.forgetOld }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problem(c: Context, status: ContentfulStatusCode, type: string, detail: string): Response {
  return c.json({ type: `urn:sidewall-sandbox:${type}`, title: type.replaceAll('-', ' '), status, detail }, status, {
    'content-type': 'application/problem+json',
  })
}

function unknownShipment(c: Context): Response {
  return problem(c, 404, 'shipment-not-found', 'There is no shipment with this tracking number.')
}
