/** Staff actions on parcels in our warehouses, and refusal reasons. Safe in the browser. */
import { z } from 'zod'
import type { OrderState, ShipmentState } from '#domain/ordering/orders/orders.ts'
import { carrierNames, type CarrierName } from '#domain/supply/delivery/delivery.ts'
import { isPaidOnDelivery } from '#domain/payments/payments/payments.ts'
import { countOf } from '#platform/count-text.ts'

export {
  manifestForm,
  manifestNumber,
  manifestStateNames,
  manifestStates,
  noManifestText,
  type ManifestState,
} from './manifests.ts'

/** Other carriers are stored as entered. */
const pages: Readonly<Record<CarrierName, (number: string) => string>> = {
  UPS: (number) => `https://www.ups.com/track?tracknum=${number}`,
  FedEx: (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  USPS: (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
  OnTrac: (number) => `https://www.ontrac.com/tracking/?number=${number}`,
}

/** The page on which a carrier shows how far a parcel is; null for a carrier without a known page. */
export function trackingPage(carrier: string, trackingNumber: string): string | null {
  const page = Object.hasOwn(pages, carrier) ? pages[carrier as CarrierName] : undefined
  return page ? page(encodeURIComponent(trackingNumber)) : null
}

/** The longest name of a carrier and number of a parcel, in characters. */
export const maxCarrier = 40
export const maxTracking = 40

const numberMessage = `Enter the tracking number with letters, digits, and dashes, ${countOf(maxTracking, 'character')} at most.`

/** A parcel shipped by staff with another carrier. `carrier` is one of `carrierNames`, or `other` with its name. */
export const ownTrackingForm = z
  .object({
    carrier: z.enum([...carrierNames, 'other'], 'Choose a carrier.'),
    carrierName: z
      .string()
      .trim()
      .max(maxCarrier, `Enter a name of up to ${countOf(maxCarrier, 'character')}.`)
      .default(''),
    tracking: z
      .string(numberMessage)
      .trim()
      .max(2 * maxTracking, numberMessage)
      .toUpperCase()
      .transform((text) => text.replaceAll(/\s/g, ''))
      .refine((text) => text.length <= maxTracking && /^[A-Z0-9][A-Z0-9-]*$/.test(text), { error: numberMessage }),
  })
  .superRefine(({ carrier, carrierName }, issues) => {
    if (carrier === 'other' && !/^[\p{L}\p{N}][\p{L}\p{N} .&'’-]*$/u.test(carrierName))
      issues.addIssue({ code: 'custom', path: ['carrierName'], message: 'Enter the name of the carrier.' })
  })
  .transform(({ carrier, carrierName, tracking }) => ({
    carrier: carrier === 'other' ? carrierName : carrier,
    trackingNumber: tracking,
  }))

export type OwnTracking = z.output<typeof ownTrackingForm>

/** What decides whether a parcel may be labeled and shipped. */
export type ParcelFacts = {
  order: {
    state: OrderState
    releasedAt: Temporal.Instant | null
    fulfillment: string
    payment: { method: string; state: string } | null
  }
  isOwn: boolean
  state: ShipmentState
}

const over: Readonly<Partial<Record<ShipmentState, string>>> = {
  canceled: 'This parcel was canceled. Put its tires back on the shelf.',
  returned: 'This parcel came back. Open a return to see what to do with its tires.',
}

/** Why a parcel can't be labeled or shipped, with what to do instead; null if it can, or already was. */
export function whyNotShip({ order, isOwn, state }: ParcelFacts): string | null {
  if (order.fulfillment === 'warehouse-pickup') return 'The customer picks this order up. Release it under Pickups.'
  const ended = over[state]
  if (ended) return ended
  if (order.state === 'canceled' || order.state === 'returned')
    return `This order was ${order.state}. Don’t ship its tires.`
  if (order.state === 'needs-confirmation')
    return 'The customer hasn’t confirmed this order yet. Ship it once it is confirmed.'
  if (order.releasedAt === null) return 'The customer can still cancel this order. Ship it once it is released.'
  if (order.payment?.state === 'authorized' && !isPaidOnDelivery(order.payment.method))
    return 'The card hasn’t been charged yet. Wait a minute, then try again.'
  return isOwn ? null : 'A supplier ships this parcel. Its purchase order shows how far it is.'
}
