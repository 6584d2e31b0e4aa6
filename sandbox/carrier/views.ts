/** Shipments, trackers and events in the forms of EasyPost's API v2. */
import { newId } from '../ids.ts'
import type { Address } from './addresses.ts'
import { addressView } from './addresses.ts'
import { saidOf, unservedZip, type Carrier, type ScanForm, type Shipment } from './shipments.ts'

export const carrierName = 'Sandbox Freight'
export const services = [
  { name: 'Ground', rate: '38.40', days: 3 },
  { name: 'Express', rate: '91.10', days: 1 },
] as const
const mode = 'test'

/** A shipment as EasyPost returns it. */
export function shipmentView(carrier: Carrier, shipment: Shipment): object {
  const { id, label, createdAt, reference, isReturn, refundStatus, weight } = shipment
  const rates = ratesOf(shipment)
  const from = addressView(shipment.from, createdAt)
  const to = addressView(shipment.to, createdAt)
  const updated_at = shipment.steps.at(-1)?.at ?? createdAt
  return {
    id,
    object: 'Shipment',
    created_at: createdAt,
    updated_at,
    mode,
    reference,
    is_return: isReturn,
    status: saidOf[shipment.state].status,
    tracking_code: label?.trackingNumber ?? null,
    messages: rates.length === 0 ? [noRates(shipment.to)] : [],
    options: { currency: 'USD', payment: { type: 'SENDER' }, date_advance: 0 },
    from_address: from,
    to_address: to,
    return_address: from,
    buyer_address: to,
    parcel: parcelView(`prcl_${id.slice(4)}`, weight, createdAt),
    rates,
    selected_rate: label ? (rates.find(({ service }) => service === label.service) ?? null) : null,
    postage_label: label ? labelView(carrier, shipment, label) : null,
    tracker: label ? { ...trackerOf(carrier, shipment), fees: [] } : null,
    refund_status: refundStatus,
    insurance: null,
    order_id: null,
    batch_id: null,
    customs_info: null,
    scan_form: scanFormOf(carrier, shipment),
    forms: [],
    fees: label ? [{ object: 'Fee', type: 'LabelFee', amount: '0.00000', charged: true, refunded: false }] : [],
  }
}

function scanFormOf(carrier: Carrier, { scanFormId }: Shipment): object | null {
  const form = scanFormId === undefined ? undefined : carrier.scanForms.get(scanFormId)
  return form ? scanFormView(carrier, form) : null
}

/** A scan form as EasyPost returns it. */
export function scanFormView({ publicOrigin }: Carrier, { id, at, status, from, trackingNumbers }: ScanForm): object {
  return {
    id,
    object: 'ScanForm',
    created_at: at,
    updated_at: at,
    tracking_codes: trackingNumbers,
    address: from && addressView(from, at),
    status,
    message: status === 'failed' ? 'The carrier could not process the manifest.' : null,
    form_url: status === 'created' ? `${publicOrigin}/carrier/manifests/${id}/form.pdf` : null,
    form_file_type: null,
    batch_id: `batch_${id.slice(3)}`,
    confirmation: null,
  }
}

function ratesOf({ id, to, createdAt }: Shipment) {
  if (to.zip.startsWith(unservedZip)) return []
  return services.map(({ name, rate, days }) => ({
    id: `rate_${name.toLowerCase()}_${id.slice(4)}`,
    object: 'Rate',
    created_at: createdAt,
    updated_at: createdAt,
    mode,
    service: name,
    carrier: carrierName,
    rate,
    currency: 'USD',
    retail_rate: rate,
    retail_currency: 'USD',
    list_rate: rate,
    list_currency: 'USD',
    billing_type: 'easypost',
    delivery_days: days,
    delivery_date: null,
    delivery_date_guaranteed: false,
    est_delivery_days: days,
    shipment_id: id,
    carrier_account_id: 'ca_sandbox',
  }))
}

function noRates({ zip }: Address): object {
  return {
    carrier: carrierName,
    carrier_account_id: 'ca_sandbox',
    type: 'rate_error',
    message: `The carrier does not deliver to ${zip}.`,
  }
}

function parcelView(id: string, weight: number, createdAt: string): object {
  return {
    id,
    object: 'Parcel',
    created_at: createdAt,
    updated_at: createdAt,
    length: null,
    width: null,
    height: null,
    predefined_package: null,
    weight,
    mode,
  }
}

function labelView({ publicOrigin }: Carrier, { id }: Shipment, label: NonNullable<Shipment['label']>): object {
  const { boughtAt, trackingNumber, formats = [] } = label
  const file = (format: 'pdf' | 'zpl') =>
    formats.includes(format) ? `${publicOrigin}/carrier/labels/${trackingNumber}/file.${format}` : null
  return {
    object: 'PostageLabel',
    id: `pl_${id.slice(4)}`,
    created_at: boughtAt,
    updated_at: boughtAt,
    date_advance: 0,
    integrated_form: 'none',
    label_date: boughtAt,
    label_resolution: 300,
    label_size: '4x6',
    label_type: 'default',
    label_file_type: 'text/html',
    label_url: `${publicOrigin}/carrier/labels/${trackingNumber}`,
    label_pdf_url: file('pdf'),
    label_zpl_url: file('zpl'),
    label_epl2_url: null,
    label_file: null,
  }
}

/** Returns a tracker in EasyPost's format, as sent with every event. */
export function trackerView(carrier: Carrier, shipment: Shipment): object {
  return { ...trackerOf(carrier, shipment), finalized: true, is_return: shipment.isReturn }
}

function trackerOf({ publicOrigin }: Carrier, shipment: Shipment): object {
  const { id, label, weight, expectedOn, state, steps } = shipment
  const { status, detail } = saidOf[state]
  return {
    id: `trk_${id.slice(4)}`,
    object: 'Tracker',
    mode,
    tracking_code: label?.trackingNumber ?? '',
    status,
    status_detail: detail,
    created_at: label?.boughtAt ?? shipment.createdAt,
    updated_at: steps.at(-1)?.at ?? shipment.createdAt,
    signed_by: null,
    weight,
    est_delivery_date: expectedOn === null ? null : `${expectedOn}T00:00:00Z`,
    shipment_id: id,
    carrier: carrierName,
    tracking_details: steps.map((step) => ({
      object: 'TrackingDetail',
      message: step.note,
      description: '',
      status: saidOf[step.state].status,
      status_detail: saidOf[step.state].detail,
      datetime: step.at,
      source: carrierName,
      carrier_code: '',
      tracking_location: { object: 'TrackingLocation', city: null, state: null, country: null, zip: null },
    })),
    carrier_detail: {
      object: 'CarrierDetail',
      service: label?.service ?? '',
      container_type: null,
      est_delivery_date_local: expectedOn,
      est_delivery_time_local: null,
      origin_location: placeOf(shipment.from),
      origin_tracking_location: null,
      destination_location: placeOf(shipment.to),
      destination_tracking_location: null,
      guaranteed_delivery_date: null,
      alternate_identifier: null,
      initial_delivery_attempt: null,
    },
    public_url: `${publicOrigin}/carrier`,
  }
}

/** The event about a move, as EasyPost posts it. */
export function trackerEvent(carrier: Carrier, moved: Shipment, before: Shipment): object {
  const at = carrier.now().toString()
  return {
    id: newId('evt_', 32),
    object: 'Event',
    description: 'tracker.updated',
    mode,
    previous_attributes: { status: saidOf[before.state].status },
    created_at: at,
    updated_at: at,
    pending_urls: [],
    completed_urls: [],
    user_id: 'user_sandbox',
    status: 'pending',
    result: trackerView(carrier, moved),
  }
}

function placeOf({ city, state, zip }: Address): string {
  return `${city} ${state}, ${zip}`
}
