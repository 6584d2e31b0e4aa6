import { z } from 'zod'
import type { Deliveries } from '../deliveries.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import { address, type Address } from './addresses.ts'

/** The body of `POST /v2/shipments`. Refuses unknown fields, so unsupported features don't seem to work. */
export const newShipment = z.strictObject({
  /** The store's own reference for the shipment. */
  reference: z.string().max(100).nullish(),
  from_address: address,
  to_address: address,
  parcel: z.strictObject({
    /** In ounces. */
    weight: z
      .number()
      .positive()
      .max(2_400 * 16),
    length: z.number().positive().nullish(),
    width: z.number().positive().nullish(),
    height: z.number().positive().nullish(),
  }),
  is_return: z.boolean().nullish(),
  options: z.looseObject({ hold_for_pickup: z.boolean().nullish() }).nullish(),
})
export type NewShipment = z.output<typeof newShipment>

/** A tracker's statuses of EasyPost that the sandbox plays. */
export type Status =
  | 'unknown'
  | 'pre_transit'
  | 'in_transit'
  | 'out_for_delivery'
  | 'delivered'
  | 'available_for_pickup'
  | 'return_to_sender'
  | 'failure'
  | 'cancelled'
  | 'error'
/** Where a shipment is; several have the same status at EasyPost. */
export type ShipmentState =
  | 'prepared'
  | 'waiting'
  | 'moving'
  | 'delayed'
  | 'held'
  | 'arrived'
  | 'sent-back'
  | 'lost'
  | 'voided'
export type ShipmentStep = { state: ShipmentState; at: string; note: string }
export type Shipment = {
  id: string
  createdAt: string
  reference: string | null
  from: Address
  to: Address
  /** In ounces. */
  weight: number
  isReturn: boolean
  /** Whether the destination holds the package for pickup. Undefined in older shipments. */
  isHeld?: boolean
  refundStatus: 'submitted' | null
  /** Null until the label is bought. */
  label: { trackingNumber: string; boughtAt: string; service: string; formats?: ('pdf' | 'zpl')[] } | null
  state: ShipmentState
  steps: ShipmentStep[]
  /** The day the carrier expects to deliver. */
  expectedOn: string | null
  /** Its scan form. */
  scanFormId?: string
}

export type ScanForm = {
  id: string
  at: string
  status: 'creating' | 'created' | 'failed'
  from: Address | null
  trackingNumbers: string[]
}

export type Carrier = {
  now(): Temporal.Instant
  publicOrigin: string
  /** Seconds between two movements; 0: only manually. */
  paceSeconds: number
  stallSeconds: number
  store: Store
  deliveries: Deliveries
  shipments: Collection<Shipment>
  /** Ids of shipments by tracking number. */
  tracked: Collection<string>
  scanForms: Collection<ScanForm>
  /** The event that EasyPost posts about a move. */
  eventOf(carrier: Carrier, moved: Shipment, before: Shipment): object
}

/** The normal next state after each state. */
const nextState: Record<ShipmentState, ShipmentState | null> = {
  prepared: null,
  waiting: 'moving',
  moving: 'arrived',
  delayed: 'arrived',
  held: 'arrived',
  arrived: null,
  'sent-back': null,
  lost: null,
  voided: null,
}

/** EasyPost's status for each shipment state. */
export const saidOf: Record<ShipmentState, { status: Status; detail: string; note: string }> = {
  prepared: { status: 'unknown', detail: 'unknown', note: '' },
  waiting: { status: 'pre_transit', detail: 'label_created', note: 'Label made, waiting for pickup' },
  moving: { status: 'in_transit', detail: 'departed_facility', note: 'On the way' },
  delayed: { status: 'in_transit', detail: 'delayed', note: 'Delayed on the way, delivery is later than planned' },
  held: { status: 'available_for_pickup', detail: 'arrived_at_pickup_location', note: 'Ready for pickup' },
  arrived: { status: 'delivered', detail: 'arrived_at_destination', note: 'Delivered' },
  'sent-back': { status: 'return_to_sender', detail: 'return', note: 'Delivery failed, returning to sender' },
  lost: { status: 'failure', detail: 'lost', note: 'Lost on the way' },
  voided: { status: 'cancelled', detail: 'cancelled', note: 'Label given back before pickup' },
}

/** ZIP codes that trigger special cases, by the state after 'moving'. */
export const specialZips: Record<string, { afterTransit: ShipmentState; words: string }> = {
  '99950': { afterTransit: 'lost', words: 'Lost on the way' },
  '00544': { afterTransit: 'sent-back', words: 'Nobody takes it; sent back' },
  '00501': { afterTransit: 'delayed', words: 'Delayed once, then delivered' },
}
/** A destination without rates because the carrier doesn't serve it. */
export const unservedZip = '96799'
/** Recipient names for which the carrier's API misbehaves. */
export const specialNames = {
  down: 'Carrier Down',
  slow: 'Carrier Slow',
  failedForm: 'Manifest Failed',
  slowForm: 'Manifest Slow',
}

const daysOfTransit = 1
/** What a delay adds, counted from the day it is known. */
const daysOfDelay = 9

export function createShipment(carrier: Carrier, input: NewShipment): Shipment {
  const isReturn = input.is_return ?? false
  const shipment: Shipment = {
    id: newId('shp_', 32),
    createdAt: carrier.now().toString(),
    reference: input.reference ?? null,
    // EasyPost takes the addresses of the way out, and swaps them for a return.
    from: isReturn ? input.to_address : input.from_address,
    to: isReturn ? input.from_address : input.to_address,
    weight: input.parcel.weight,
    isReturn,
    isHeld: input.options?.hold_for_pickup ?? false,
    refundStatus: null,
    label: null,
    state: 'prepared',
    steps: [],
    expectedOn: null,
  }
  carrier.shipments.put(shipment.id, shipment)
  return shipment
}

/** Buys a prepared shipment's label. Returns null if it already has one. */
export function buyLabel(carrier: Carrier, shipment: Shipment, service: string): Shipment | null {
  if (shipment.label) return null
  const trackingNumber = newId('SW', 14).toUpperCase()
  const label = { trackingNumber, boughtAt: carrier.now().toString(), service }
  carrier.tracked.put(trackingNumber, shipment.id)
  const expectedOn = dayAfter(carrier, daysOfTransit)
  return move(carrier, { ...shipment, label, expectedOn }, 'waiting')
}

export function findByTracking(carrier: Carrier, trackingNumber: string): Shipment | undefined {
  const id = carrier.tracked.get(trackingNumber)
  return id === undefined ? undefined : carrier.shipments.get(id)
}

/** Moves a shipment one step; one in a final state stays unchanged. */
export function advanceShipment(carrier: Carrier, shipment: Shipment): Shipment {
  const special = shipment.state === 'moving' ? specialZips[shipment.to.zip.slice(0, 5)]?.afterTransit : undefined
  const isThere = nextState[shipment.state] === 'arrived' && shipment.state !== 'held'
  const next = special ?? (isThere && shipment.isHeld ? 'held' : nextState[shipment.state])
  if (next === null) return shipment
  return move(carrier, next === 'delayed' ? delayed(carrier, shipment) : shipment, next)
}

/** Delays a shipment in transit by several days. */
export function delayShipment(carrier: Carrier, shipment: Shipment): Shipment {
  return isUnderWay(shipment) ? move(carrier, delayed(carrier, shipment), 'delayed') : shipment
}

/** Marks a shipment still on its way as lost; any other stays unchanged. */
export function loseShipment(carrier: Carrier, shipment: Shipment): Shipment {
  return isUnderWay(shipment) ? move(carrier, shipment, 'lost') : shipment
}

/** Gives back a label before pickup; null if it is too late. A label given back stays so. */
export function refundLabel(carrier: Carrier, shipment: Shipment): Shipment | null {
  if (shipment.refundStatus !== null) return shipment
  return shipment.state === 'waiting' ? move(carrier, { ...shipment, refundStatus: 'submitted' }, 'voided') : null
}

export function isUnderWay({ state }: Shipment): boolean {
  return nextState[state] !== null
}

function delayed(carrier: Carrier, shipment: Shipment): Shipment {
  const later = dayAfter(carrier, daysOfDelay)
  // Delayed again, it is later still.
  const expectedOn =
    shipment.state === 'delayed' && shipment.expectedOn !== null
      ? Temporal.PlainDate.from(shipment.expectedOn).add({ days: daysOfDelay }).toString()
      : later
  return { ...shipment, expectedOn }
}

function dayAfter(carrier: Carrier, days: number): string {
  return carrier.now().toZonedDateTimeISO('UTC').toPlainDate().add({ days }).toString()
}

function move(carrier: Carrier, shipment: Shipment, state: ShipmentState): Shipment {
  const now = carrier.now()
  const step: ShipmentStep = { state, at: now.toString(), note: saidOf[state].note }
  const moved: Shipment = { ...shipment, state, steps: [...shipment.steps, step] }
  const isMoving = carrier.paceSeconds > 0 && nextState[state] !== null
  carrier.shipments.put(moved.id, moved, isMoving ? now.add({ seconds: carrier.paceSeconds }) : null)
  // The caller gave it back, so no webhook is needed.
  if (state === 'voided') return moved
  carrier.deliveries.enqueue('carrier', {
    about: moved.label?.trackingNumber ?? moved.id,
    type: saidOf[state].status,
    body: carrier.eventOf(carrier, moved, shipment),
    dueAt: now,
  })
  return moved
}
