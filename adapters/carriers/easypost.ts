import type EasyPostClient from '@easypost/api'
import { z } from 'zod'
import type {
  AddressCheck,
  Carrier,
  CarrierAddress,
  CarrierAnswer,
  CarrierLabel,
} from '#domain/ordering/orders/carrier.port.ts'
import { parseDollars } from '#platform/money.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { downloadLabel } from './easypost-labels.ts'
import { readTrackerEvent } from './easypost-events.ts'
import { manifestsOf } from './easypost-manifests.ts'
import type { Secrets } from '#platform/secrets.ts'

export type EasyPostConfig = {
  /** The EasyPost API's origin, without a path. The sandbox replaces it. */
  apiOrigin: string
  apiKey: string
  /** The secret given to EasyPost with the webhook's address. */
  webhookSecret: Secrets
  /** The store's phone number, which carriers want of a sender. */
  phone: string
}

type Client = InstanceType<typeof EasyPostClient>
/** Sends a request to EasyPost and parses the response with `schema`. */
export type Ask = <Schema extends z.ZodType>(
  asked: (client: Client) => Promise<unknown>,
  schema: Schema,
) => Promise<CarrierAnswer<z.output<Schema>>>

const timeoutMs = 6_000
const ouncesPerPound = 16

const prepared = z.object({
  id: z.string().min(1).max(100),
  rates: z
    .array(z.object({ id: z.string().min(1), carrier: z.string(), rate: z.string(), service: z.string() }))
    .default([]),
  messages: z.array(z.unknown()).nullish(),
  tracking_code: z.string().min(1).max(100).nullish(),
  selected_rate: z.object({ carrier: z.string().min(1).max(100), rate: z.string().max(20) }).nullish(),
  postage_label: z
    .object({ label_url: z.string(), label_pdf_url: z.string().nullish(), label_zpl_url: z.string().nullish() })
    .nullish(),
  tracker: z.object({ public_url: z.string().nullish() }).nullish(),
})
type Parcel = z.output<typeof prepared>

const verified = z.object({
  name: z.string().nullish(),
  street1: z.string(),
  street2: z.string().nullish(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  residential: z.boolean().nullish(),
})
const pickup = z.object({
  id: z.string().min(1).max(100),
  confirmation: z.string().nullish(),
  pickup_rates: z.array(z.object({ carrier: z.string(), service: z.string(), rate: z.string() })).default([]),
})
const apiError = z.object({
  statusCode: z.number(),
  code: z.string().optional(),
  message: z.string().optional(),
  errors: z.array(z.unknown()).optional(),
})

/** The part of the SDK's HTTP request that is set here; the SDK's own types call it `any`. */
type Outgoing = {
  timeout(limits: { deadline: number }): Outgoing
  redirects(most: number): Outgoing
  set(headers: Record<string, string>): Outgoing
}

/**
 * The EasyPost adapter, using its SDK. EasyPost has no idempotency keys. Purchases use a reference that the store saves
 * first and looks up before buying again.
 */
export function createEasyPost({ apiOrigin, apiKey, webhookSecret, phone: written }: EasyPostConfig): Carrier {
  const phone = written.replaceAll(/\D/g, '')
  // Loaded on first use because it's large and most processes don't need it.
  let loaded: Promise<Client> | undefined
  const load = async () => {
    const { default: Client } = await import('@easypost/api')
    return new Client(apiKey, {
      baseUrl: `${apiOrigin}/v2/`,
      // The SDK's own timeout setting has no effect, and by default it never times out.
      requestMiddleware: (request: Outgoing) =>
        request.timeout({ deadline: timeoutMs }).redirects(0).set(requestIdHeader()),
    })
  }
  const ask: Ask = async (asked, schema) => read(async () => asked(await (loaded ??= load())), schema)
  const shipment = (asked: (client: Client) => Promise<unknown>) => ask(asked, prepared)

  const prepare: Carrier['prepare'] = async ({ reference, from, to, weightLb, isReturn = false, isHeld = false }) => {
    const made = await shipment((client) =>
      client.Shipment.create({
        reference,
        from_address: addressOf({ phone, ...from }),
        to_address: addressOf({ phone, ...to }),
        parcel: { weight: Math.ceil(weightLb * ouncesPerPound) },
        is_return: isReturn,
        // Only a label made as PNG, the default, can be converted to the other formats.
        options: { label_size: '4x6', ...(isHeld && { hold_for_pickup: true }) },
      }),
    )
    if (!made.ok) return made
    return made.value.rates.length === 0
      ? { ok: false, reason: 'refused-input', cause: made.value.messages }
      : { ok: true, value: { parcelRef: made.value.id } }
  }

  const buyLabel: Carrier['buyLabel'] = async (parcelRef, carriers = []) => {
    const found = await shipment((client) => client.Shipment.retrieve(parcelRef))
    if (!found.ok) return found
    const before = labelOf(found.value)
    if (before) return { ok: true, value: before }
    const rate = chooseRate(found.value.rates, carriers)
    if (!rate) return { ok: false, reason: 'refused-input', cause: found.value.messages }
    const bought = await shipment((client) => client.Shipment.buy(parcelRef, rate.id))
    if (bought.ok) return asLabel(bought.value)
    if (bought.reason === 'unavailable') return bought
    // Another process may have bought it between the two calls.
    const again = await shipment((client) => client.Shipment.retrieve(parcelRef))
    const label = again.ok ? labelOf(again.value) : undefined
    return label ? { ok: true, value: label } : bought
  }

  const quoteLabel: Carrier['quoteLabel'] = async (parcelRef, carriers = []) => {
    const found = await shipment((client) => client.Shipment.retrieve(parcelRef))
    return found.ok ? quoteOf(found.value, carriers) : found
  }

  return {
    prepare,
    buyLabel,
    quoteLabel,
    async buyReturnLabel({ parcelRef, keep, reference, from, to, weightLb }) {
      if (parcelRef !== null) return buyLabel(parcelRef)
      // EasyPost takes the addresses of the way out, and swaps them itself.
      const made = await prepare({ reference, from: to, to: from, weightLb, isReturn: true })
      if (!made.ok) return made
      await keep(made.value.parcelRef)
      return buyLabel(made.value.parcelRef)
    },
    async readLabelFile(parcelRef, format) {
      const made = await shipment((client) =>
        client.Shipment.convertLabelFormat(parcelRef, format === 'pdf' ? 'PDF' : 'ZPL'),
      )
      if (!made.ok) return made
      const label = made.value.postage_label
      const url = format === 'pdf' ? label?.label_pdf_url : label?.label_zpl_url
      return url
        ? downloadLabel(url, { format, apiOrigin, timeoutMs })
        : { ok: false, reason: 'unavailable', cause: new Error('EasyPost converted a label and does not show it.') }
    },
    async refundLabel(parcelRef) {
      const refunded = await ask((client) => client.Shipment.refund(parcelRef), z.object({ refund_status: z.string() }))
      return refunded.ok ? { ok: true, value: null } : refunded
    },
    ...pickupsOf(ask, phone),
    ...manifestsOf(ask, { apiOrigin, timeoutMs }),
    verifyAddress: (address) => verifyWith(ask, address),
    readEvent: (rawBody, signature) => readTrackerEvent(rawBody, signature, webhookSecret),
  }
}

/** Returns the bought label's cost, or else the rate at which it would be bought. */
function quoteOf(parcel: Parcel, carriers: readonly string[]): CarrierAnswer<{ carrier: string; costCents: number }> {
  const rate = labelOf(parcel) ? parcel.selected_rate : chooseRate(parcel.rates, carriers)
  if (!rate) return { ok: false, reason: 'refused-input', cause: parcel.messages }
  const costCents = parseDollars(rate.rate)
  return costCents === undefined
    ? { ok: false, reason: 'unavailable', cause: new Error('EasyPost has a rate that is not an amount.') }
    : { ok: true, value: { carrier: rate.carrier, costCents } }
}

/**
 * Returns the cheapest rate of the first of these carriers that has one, or of any carrier if `carriers` is empty;
 * undefined without such a rate.
 */
export function chooseRate<Rate extends { carrier: string; rate: string }>(
  rates: readonly Rate[],
  carriers: readonly string[],
): Rate | undefined {
  const cheapest = rates.toSorted((a, b) => Number(a.rate) - Number(b.rate))
  if (carriers.length === 0) return cheapest[0]
  return carriers.flatMap((name) => cheapest.find(({ carrier }) => isAccountOf(name, carrier)) ?? [])[0]
}

/** Whether a rate is from a carrier. EasyPost names accounts such as UPSDAP or FedExSmartPost. */
function isAccountOf(name: string, account: string): boolean {
  return account.toLowerCase().startsWith(name.toLowerCase())
}

async function verifyWith(ask: Ask, address: CarrierAddress): Promise<CarrierAnswer<AddressCheck>> {
  const answer = await ask((client) => client.Address.createAndVerify(addressOf(address)), verified)
  if (!answer.ok) return checkOf(answer)
  const { name, street1, street2, city, state, zip, residential } = answer.value
  const street = [street1, street2].filter(Boolean).join(', ')
  const spelled = { ...address, name: name ?? address.name, street, city, state, zip }
  return { ok: true, value: { isDeliverable: true, address: spelled, isResidential: residential ?? null } }
}

function pickupsOf(ask: Ask, phone: string): Pick<Carrier, 'schedulePickup' | 'cancelPickup'> {
  return {
    async schedulePickup({ parcelRef, at, from, to }) {
      const asked = {
        address: addressOf({ phone, ...at }),
        shipment: { id: parcelRef },
        min_datetime: from.toString(),
        max_datetime: to.toString(),
      }
      const made = await ask((client) => client.Pickup.create(asked), pickup)
      if (!made.ok) return made
      const rate = made.value.pickup_rates.toSorted((a, b) => Number(a.rate) - Number(b.rate))[0]
      if (!rate) return { ok: false, reason: 'refused-input' }
      const bought = await ask((client) => client.Pickup.buy(made.value.id, rate.carrier, rate.service), pickup)
      if (!bought.ok) return bought
      return { ok: true, value: { pickupRef: bought.value.id, confirmation: bought.value.confirmation ?? '' } }
    },
    async cancelPickup(pickupRef) {
      const canceled = await ask((client) => client.Pickup.cancel(pickupRef), pickup)
      return canceled.ok ? { ok: true, value: null } : canceled
    },
  }
}

/**
 * Sends a request to EasyPost and parses the response. A 4xx about the request is a refusal. An invalid key, an unpaid
 * account, a rate limit, and other failures can succeed later. The cause contains EasyPost's message and never the
 * request, which contains the key.
 */
async function read<Schema extends z.ZodType>(
  asked: () => Promise<unknown>,
  schema: Schema,
): Promise<CarrierAnswer<z.output<Schema>>> {
  try {
    const parsed = schema.safeParse(await asked())
    return parsed.success
      ? { ok: true, value: parsed.data }
      : { ok: false, reason: 'unavailable', cause: new Error('The answer of EasyPost has another form.') }
  } catch (error) {
    const parsed = apiError.safeParse(error)
    if (!parsed.success)
      return { ok: false, reason: 'unavailable', cause: new Error(error instanceof Error ? error.message : 'failed') }
    const { statusCode } = parsed.data
    const isRefusal = statusCode >= 400 && statusCode < 500 && ![401, 402, 403, 408, 429].includes(statusCode)
    return { ok: false, reason: isRefusal ? 'refused-input' : 'unavailable', cause: parsed.data }
  }
}

function labelOf({ tracking_code: trackingNumber, selected_rate: rate, postage_label: label, tracker }: Parcel) {
  const costCents = rate ? parseDollars(rate.rate) : undefined
  if (!trackingNumber || !rate || !label || costCents === undefined) return undefined
  const trackingUrl = webAddressOf(tracker?.public_url)
  return { carrier: rate.carrier, trackingNumber, labelUrl: label.label_url, costCents, trackingUrl }
}

function webAddressOf(text: string | null | undefined): string | null {
  const url = text && text.length <= 500 ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

function asLabel(parcel: Parcel): CarrierAnswer<CarrierLabel> {
  const label = labelOf(parcel)
  return label
    ? { ok: true, value: label }
    : { ok: false, reason: 'unavailable', cause: new Error('EasyPost sold a label and does not show it.') }
}

const notVerified = z.object({
  code: z.literal('ADDRESS.VERIFY.FAILURE'),
  errors: z.array(z.object({ message: z.string(), suggestion: z.string().nullish() })),
})

/** An address that cannot be verified is an answer, not a failure. */
function checkOf(answer: Extract<CarrierAnswer<never>, { ok: false }>): CarrierAnswer<AddressCheck> {
  const parsed = notVerified.safeParse(answer.cause)
  if (!parsed.success) return answer
  const suggestions = parsed.data.errors.map(({ message, suggestion }) => suggestion ?? message)
  return { ok: true, value: { isDeliverable: false, suggestions } }
}

const lineLength = 100

/** An address as EasyPost takes it; a street longer than one line of a label continues on the second. */
function addressOf({ name, company, street, city, state, zip, phone }: CarrierAddress) {
  const street2 = street.slice(lineLength).trim().slice(0, lineLength)
  return {
    name,
    ...(company ? { company } : {}),
    street1: street.slice(0, lineLength),
    ...(street2 ? { street2 } : {}),
    city,
    state,
    zip,
    country: 'US',
    ...(phone ? { phone } : {}),
  }
}
