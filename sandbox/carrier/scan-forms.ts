/** Scan forms. The driver scans one document for many parcels of a carrier instead of each label. */
import { Hono } from 'hono'
import { z } from 'zod'
import { newId } from '../ids.ts'
import { notFound, refuse, refuseParameters } from './refusal.ts'
import { specialNames, type Carrier, type ScanForm, type Shipment } from './shipments.ts'
import { carrierName, scanFormView } from './views.ts'

const newScanForm = z.strictObject({
  shipments: z
    .array(z.looseObject({ id: z.string().max(100) }))
    .min(1)
    .max(1_000),
})

/** A label must be dated on the day of its form. Days start at different times, so it can be this old. */
const labelHours = 24

/** The forms, mounted at /v2/scan_forms. Creating one twice is refused, because a shipment can be on one form only. */
export function createScanForms(carrier: Carrier): Hono {
  const app = new Hono()

  app.post('/', async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined)
    // EasyPost accepts shipments in `scan_form`, where its clients put them, and at the top, as documented.
    const given = z.object({ scan_form: z.unknown() }).safeParse(body).data?.scan_form ?? body
    const parsed = newScanForm.safeParse(given)
    if (!parsed.success) return refuseParameters(c, parsed.error)
    const ids = [...new Set(parsed.data.shipments.map(({ id }) => id))]
    const made = carrier.store.transaction(() => createScanForm(carrier, ids))
    if ('why' in made) return refuse(c, 422, 'SCAN_FORM.CREATE.FAILURE', `Unable to create manifest. ${made.why}`)
    if (made.shipments.some(({ to }) => to.name === specialNames.slow))
      await new Promise((resolve) => setTimeout(resolve, carrier.stallSeconds * 1000).unref())
    return c.json(scanFormView(carrier, made.form))
  })

  app.get('/:id', (c) => {
    const form = carrier.scanForms.get(c.req.param('id'))
    if (!form) return notFound(c)
    if (form.status === 'creating') carrier.scanForms.put(form.id, { ...form, status: 'created' })
    return c.json(scanFormView(carrier, form))
  })
  return app
}

function createScanForm(
  carrier: Carrier,
  ids: readonly string[],
): { form: ScanForm; shipments: Shipment[] } | { why: string } {
  const shipments = ids.flatMap((id) => carrier.shipments.get(id) ?? [])
  const why = whyNot(carrier, ids, shipments)
  if (why !== null) return { why }
  const isTo = (name: string) => shipments.some(({ to }) => to.name === name)
  const [first] = shipments
  const form: ScanForm = {
    id: newId('sf_', 32),
    at: carrier.now().toString(),
    status: isTo(specialNames.failedForm) ? 'failed' : isTo(specialNames.slowForm) ? 'creating' : 'created',
    from: first?.from ?? null,
    trackingNumbers: shipments.map(({ label }) => label?.trackingNumber ?? ''),
  }
  carrier.scanForms.put(form.id, form)
  // A failed form leaves its shipments free for another.
  if (form.status !== 'failed')
    for (const shipment of shipments) carrier.shipments.put(shipment.id, { ...shipment, scanFormId: form.id })
  return { form, shipments }
}

function whyNot(carrier: Carrier, ids: readonly string[], shipments: readonly Shipment[]): string | null {
  const named = (wrong: readonly string[], words: string) =>
    `${wrong.length} of the specified shipments ${words}: ${wrong.join(', ')}`
  const idsOf = (wrong: (shipment: Shipment) => boolean) => shipments.filter(wrong).map(({ id }) => id)
  const bought = new Set(idsOf(({ label }) => label !== null))
  const missing = ids.filter((id) => !bought.has(id))
  if (missing.length > 0) return named(missing, 'were not found')
  const taken = idsOf(({ scanFormId }) => scanFormId !== undefined)
  if (taken.length > 0) return named(taken, 'have already been manifested')
  const refunded = idsOf(({ refundStatus }) => refundStatus !== null)
  if (refunded.length > 0) return named(refunded, 'have been refunded')
  const since = carrier.now().subtract({ hours: labelHours })
  const old = idsOf(({ label }) => label !== null && Temporal.Instant.compare(label.boughtAt, since) < 0)
  if (old.length > 0) return named(old, 'have a label date in the past')
  const origins = new Set(shipments.map(({ from }) => JSON.stringify([from.street1, from.street2, from.zip])))
  return origins.size > 1 ? 'All shipments must have the same origin address.' : null
}

/** The features of carriers that the store reads, in the form of EasyPost's carrier metadata. */
export function createCarrierMetadata(): Hono {
  const app = new Hono()
  app.get('/carriers', (c) => {
    const name = carrierName.replaceAll(/\W/g, '').toLowerCase()
    const asked = c.req.query('carriers')?.split(',') ?? [name]
    const feature = (of: string, supported: boolean) => ({ carrier: name, description: null, name: of, supported })
    const known = {
      human_readable: carrierName,
      name,
      supported_features: [feature('refunds', true), feature('scanforms', true), feature('bill_on_manifest', false)],
    }
    return c.json({ carriers: asked.includes(name) ? [known] : [] })
  })
  return app
}
