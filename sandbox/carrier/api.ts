import { Hono } from 'hono'
import { z } from 'zod'
import type { Secrets } from '#platform/secrets.ts'
import { bodyRefusal } from '../body.ts'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import { addressView, faultsOf, looseAddress } from './addresses.ts'
import { createPickups } from './pickups.ts'
import { notFound, readNamed, refuse, refuseParameters } from './refusal.ts'
import { createCarrierMetadata, createScanForms } from './scan-forms.ts'
import {
  buyLabel,
  createShipment,
  findByTracking,
  newShipment,
  refundLabel,
  specialNames,
  type Carrier,
} from './shipments.ts'
import { carrierName, services, shipmentView, trackerView } from './views.ts'

/** The label formats for conversion. The store doesn't request others. */
const labelFormat = z.enum(['pdf', 'zpl'])
const buying = z.looseObject({ rate: z.looseObject({ id: z.string() }) })

/**
 * The part of EasyPost's API v2 that the store uses, mounted at /v2. The key is the basic authentication user name.
 * Like EasyPost, it has no idempotency keys. Creating twice returns two shipments, and a label can be bought once.
 */
export function createCarrierApi(carrier: Carrier, apiKey: Secrets): Hono {
  const app = new Hono()

  app.use(async (c, next) => {
    c.header('Cache-Control', 'no-store')
    const given = /^basic (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    const [user = ''] = Buffer.from(given, 'base64').toString('utf8').split(':')
    if (isSameSecret(user, apiKey)) return next()
    return refuse(c, 401, 'APIKEY.INACTIVE', 'The API key used is no longer active, or is not the one of this sandbox.')
  })
  app.use(async (c, next) => {
    const status = bodyRefusal(c, 64 * 1024)
    return status ? refuse(c, status, 'PAYLOAD.INVALID', 'The request is too large or has no length.') : next()
  })

  app.route('/addresses', createAddresses(carrier))
  app.route('/shipments', createShipments(carrier))
  app.route('/pickups', createPickups(carrier))
  app.route('/scan_forms', createScanForms(carrier))
  app.route('/metadata', createCarrierMetadata())

  app.post('/refunds', async (c) => {
    const named = await readNamed(c, 'refund')
    if ('refusal' in named) return named.refusal
    const parsed = z
      .strictObject({ carrier: z.string(), tracking_codes: z.array(z.string()).min(1).max(100) })
      .safeParse(named.given)
    if (!parsed.success) return refuseParameters(c, parsed.error)
    const answers = parsed.data.tracking_codes.map((code) => refundOf(carrier, code))
    return c.json(answers, 201)
  })

  app.get('/trackers/:id', (c) => {
    const shipment = carrier.shipments.get(c.req.param('id').replace(/^trk_/, 'shp_'))
    return shipment?.label ? c.json(trackerView(carrier, shipment)) : notFound(c)
  })
  app.post('/trackers', async (c) => {
    const named = await readNamed(c, 'tracker')
    if ('refusal' in named) return named.refusal
    const parsed = z.looseObject({ tracking_code: z.string().max(100) }).safeParse(named.given)
    if (!parsed.success) return refuseParameters(c, parsed.error)
    const shipment = findByTracking(carrier, parsed.data.tracking_code)
    return shipment ? c.json(trackerView(carrier, shipment)) : notFound(c)
  })
  app.get('/events/:id', (c) => {
    const sent = carrier.deliveries.list('carrier').map(({ body }) => JSON.parse(body) as { id: string })
    const event = sent.find(({ id }) => id === c.req.param('id'))
    return event ? c.json(event) : notFound(c)
  })
  app.notFound((c) => notFound(c))
  return app
}

function createAddresses(carrier: Carrier): Hono {
  const app = new Hono()
  app.post('/create_and_verify', async (c) => {
    const named = await readNamed(c, 'address')
    if ('refusal' in named) return named.refusal
    const parsed = looseAddress.safeParse(named.given)
    if (!parsed.success) return refuseParameters(c, parsed.error)
    const faults = faultsOf(parsed.data)
    if (faults.length > 0) return refuse(c, 422, 'ADDRESS.VERIFY.FAILURE', 'Unable to verify address.', faults)
    return c.json({ address: addressView(parsed.data, carrier.now().toString(), []) })
  })
  app.post('/', async (c) => {
    const named = await readNamed(c, 'address')
    if ('refusal' in named) return named.refusal
    const parsed = looseAddress.safeParse(named.given)
    if (!parsed.success) return refuseParameters(c, parsed.error)
    return c.json(addressView(parsed.data, carrier.now().toString()), 201)
  })
  return app
}

function createShipments(carrier: Carrier): Hono {
  const app = new Hono()

  app.post('/', async (c) => {
    const named = await readNamed(c, 'shipment')
    if ('refusal' in named) return named.refusal
    const parsed = newShipment.safeParse(named.given)
    if (!parsed.success) return refuseParameters(c, parsed.error)
    if (parsed.data.to_address.name === specialNames.down)
      return refuse(c, 503, 'SERVICE.UNAVAILABLE', 'The carrier is out of order for this recipient.')
    const shipment = carrier.store.transaction(() => createShipment(carrier, parsed.data))
    return c.json(shipmentView(carrier, shipment), 201)
  })

  app.get('/:id', (c) => {
    const shipment = carrier.shipments.get(c.req.param('id'))
    return shipment ? c.json(shipmentView(carrier, shipment)) : notFound(c)
  })
  app.get('/:id/label', (c) => {
    const shipment = carrier.shipments.get(c.req.param('id'))
    if (!shipment?.label) return notFound(c)
    const format = labelFormat.safeParse(c.req.query('file_format')?.toLowerCase())
    if (!format.success) return refuseParameters(c, format.error)
    const formats = [...new Set([...(shipment.label.formats ?? []), format.data])]
    const converted = { ...shipment, label: { ...shipment.label, formats } }
    carrier.shipments.put(shipment.id, converted)
    return c.json(shipmentView(carrier, converted))
  })

  app.post('/:id/buy', async (c) => {
    const shipment = carrier.shipments.get(c.req.param('id'))
    if (!shipment) return notFound(c)
    const parsed = buying.safeParse(await c.req.json().catch(() => undefined))
    if (!parsed.success) return refuseParameters(c, parsed.error)
    const service = services.find(({ name }) => parsed.data.rate.id.startsWith(`rate_${name.toLowerCase()}_`))
    if (!service) return notFound(c)
    const bought = carrier.store.transaction(() => buyLabel(carrier, shipment, service.name))
    if (!bought) return refuse(c, 422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.')
    if (shipment.to.name === specialNames.slow)
      await new Promise((resolve) => setTimeout(resolve, carrier.stallSeconds * 1000).unref())
    return c.json(shipmentView(carrier, bought))
  })

  app.post('/:id/refund', (c) => {
    const shipment = carrier.shipments.get(c.req.param('id'))
    if (!shipment) return notFound(c)
    const refunded = carrier.store.transaction(() => refundLabel(carrier, shipment))
    return refunded
      ? c.json(shipmentView(carrier, refunded))
      : refuse(c, 422, 'SHIPMENT.REFUND.UNAVAILABLE', 'The label is in use, and can no longer be refunded.')
  })
  return app
}

function refundOf(carrier: Carrier, trackingNumber: string): object {
  const shipment = findByTracking(carrier, trackingNumber)
  const refunded = shipment && carrier.store.transaction(() => refundLabel(carrier, shipment))
  const at = carrier.now().toString()
  return {
    id: newId('rfnd_', 32),
    object: 'Refund',
    created_at: at,
    updated_at: at,
    tracking_code: trackingNumber,
    confirmation_number: null,
    status: refunded ? 'submitted' : 'rejected',
    carrier: carrierName,
    shipment_id: shipment?.id ?? null,
  }
}
