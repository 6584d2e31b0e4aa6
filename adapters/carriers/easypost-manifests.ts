/** Manifests, which EasyPost calls scan forms. */
import { z } from 'zod'
import type { Carrier, CarrierAnswer, CarrierManifest } from '#domain/ordering/orders/carrier.port.ts'
import { downloadLabel } from './easypost-labels.ts'
import type { Ask } from './easypost.ts'

const scanForm = z.object({
  id: z.string().min(1).max(100),
  status: z.enum(['creating', 'created', 'failed']),
  message: z.string().nullish(),
  tracking_codes: z.array(z.string().max(100)).nullish(),
  form_url: z.string().nullish(),
})

const manifested = z.object({ scan_form: z.object({ id: z.string().min(1).max(100) }).nullish() })

/** Carriers with their features; `supported` is null where EasyPost doesn't know. */
const metadata = z.array(
  z.object({
    name: z.string(),
    supported_features: z.array(z.object({ name: z.string(), supported: z.boolean().nullish() })).nullish(),
  }),
)

const refusal = z.object({ message: z.string().nullish(), errors: z.array(z.unknown()).nullish() })

type Manifests = Pick<
  Carrier,
  'takesManifests' | 'createManifest' | 'findManifest' | 'readManifest' | 'readManifestFile'
>

/** The manifest operations of the adapter. */
export function manifestsOf(ask: Ask, place: { apiOrigin: string; timeoutMs: number }): Manifests {
  const retrieve = (id: string) => ask((client) => client.ScanForm.retrieve(id), scanForm)
  const read = async (id: string) => manifestOf(await retrieve(id))
  return {
    async takesManifests(carrier) {
      const name = carrier.replaceAll(/\W/g, '').toLowerCase()
      const found = await ask((client) => client.CarrierMetadata.retrieve([name], ['supported_features']), metadata)
      // EasyPost doesn't know the carrier.
      if (!found.ok) return found.reason === 'refused-input' ? { ok: true, value: false } : found
      const features = found.value.find((known) => known.name === name)?.supported_features ?? []
      return { ok: true, value: features.some((feature) => feature.name === 'scanforms' && feature.supported) }
    },
    async createManifest(parcelRefs) {
      const shipments = parcelRefs.map((id) => ({ id }))
      const made = await ask((client) => client.ScanForm.create({ shipments }), scanForm)
      if (made.ok || made.reason === 'unavailable') return manifestOf(made)
      const refused = namedIn(made.cause, parcelRefs)
      return refused.length > 0
        ? { ok: false, reason: 'refused-parcels', parcelRefs: refused, cause: made.cause }
        : { ok: false, reason: 'refused-input', cause: made.cause }
    },
    async findManifest(parcelRef) {
      const found = await ask((client) => client.Shipment.retrieve(parcelRef), manifested)
      if (!found.ok) return found
      const { scan_form: form } = found.value
      return form ? read(form.id) : { ok: true, value: null }
    },
    readManifest: read,
    async readManifestFile(manifestRef) {
      const found = await retrieve(manifestRef)
      if (!found.ok) return found
      const { form_url: url } = found.value
      return url
        ? downloadLabel(url, { format: 'pdf', ...place })
        : { ok: false, reason: 'unavailable', cause: new Error('EasyPost does not show the form yet.') }
    },
  }
}

function manifestOf(answer: CarrierAnswer<z.output<typeof scanForm>>): CarrierAnswer<CarrierManifest> {
  if (!answer.ok) return answer
  const { id: manifestRef, status: state, tracking_codes: codes, message } = answer.value
  return { ok: true, value: { manifestRef, state, trackingNumbers: codes ?? [], message: message ?? null } }
}

/** EasyPost names the shipments that it refuses in its message. */
function namedIn(cause: unknown, parcelRefs: readonly string[]): string[] {
  const { data } = refusal.safeParse(cause)
  const words = `${data?.message ?? ''} ${JSON.stringify(data?.errors ?? [])}`
  const named = new Set(words.match(/shp_\w+/g))
  return parcelRefs.filter((ref) => named.has(ref))
}
