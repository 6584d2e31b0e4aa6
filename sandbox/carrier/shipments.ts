import { z } from 'zod'
import type { Deliveries } from '../deliveries.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'

const line = z.string().trim().min(1).max(100)
const party = z.strictObject({
  name: line,
  street: line,
  street2: z.string().trim().max(100).optional(),
  city: line,
  state: z.string().regex(/^[A-Z]{2}$/, 'two capital letters'),
  zip: z.string().regex(/^\d{5}(-\d{4})?$/, '5 digits, or 5+4'),
})

export const newShipment = z.strictObject({
  /** The store's own reference for the shipment. */
  reference: line,
  /** A warehouse is identified by name and place; the street is optional. */
  from: party.partial({ street: true }),
  to: party,
  pieces: z.int().min(1).max(200),
  weightLb: z.number().positive().max(20_000),
})
export type NewShipment = z.output<typeof newShipment>

export type ShipmentState =
  | 'pending-carrier-pickup'
  | 'in-transit'
  | 'delayed'
  | 'delivered'
  | 'returned'
  | 'lost'
  | 'canceled'
export type ShipmentEvent = { id: string; state: ShipmentState; at: string; note: string }
export type Shipment = NewShipment & { trackingNumber: string; state: ShipmentState; events: ShipmentEvent[] }

export type Carrier = {
  now(): Temporal.Instant
  publicOrigin: string
  /** Seconds between two movements; 0: only manually. */
  paceSeconds: number
  stallSeconds: number
  store: Store
  deliveries: Deliveries
  shipments: Collection<Shipment>
}

/** The normal next state after each state. */
const nextState: Record<ShipmentState, ShipmentState | null> = {
  'pending-carrier-pickup': 'in-transit',
  'in-transit': 'delivered',
  delayed: 'delivered',
  delivered: null,
  returned: null,
  lost: null,
  canceled: null,
}

/** ZIP codes that trigger special cases: after 'in-transit' comes the state named here. */
export const specialZips: Record<string, { afterTransit: ShipmentState; words: string }> = {
  '99950': { afterTransit: 'lost', words: 'Lost on the way' },
  '00544': { afterTransit: 'returned', words: 'Nobody takes it; sent back' },
  '00501': { afterTransit: 'delayed', words: 'Delayed once, then delivered' },
}
/** A destination the carrier does not serve. */
export const unservedZip = '96799'
/** Recipient names for which the carrier's API misbehaves. */
export const specialNames = { down: 'Carrier Down', slow: 'Carrier Slow' }

const notes: Record<ShipmentState, string> = {
  'pending-carrier-pickup': 'Label made, waiting for pickup',
  'in-transit': 'On the way',
  delayed: 'Delayed on the way, delivery is later than planned',
  delivered: 'Delivered',
  returned: 'Nobody took it, on its way back',
  lost: 'Lost on the way',
  canceled: 'Canceled before pickup',
}

export function createShipment(carrier: Carrier, input: NewShipment): Shipment {
  const shipment: Shipment = {
    ...input,
    trackingNumber: newTrackingNumber(),
    state: 'pending-carrier-pickup',
    events: [],
  }
  return move(carrier, shipment, 'pending-carrier-pickup')
}

/** Moves a shipment one step; one in a final state stays unchanged. */
export function advanceShipment(carrier: Carrier, shipment: Shipment): Shipment {
  const special = shipment.state === 'in-transit' ? specialZips[shipment.to.zip.slice(0, 5)]?.afterTransit : undefined
  const next = special ?? nextState[shipment.state]
  return next === null ? shipment : move(carrier, shipment, next)
}

/** Marks a shipment still in transit as lost; any other stays unchanged. */
export function loseShipment(carrier: Carrier, shipment: Shipment): Shipment {
  return nextState[shipment.state] === null ? shipment : move(carrier, shipment, 'lost')
}

/** Cancels before pickup; returns null if it is too late. A canceled shipment stays canceled. */
export function cancelShipment(carrier: Carrier, shipment: Shipment): Shipment | null {
  if (shipment.state === 'canceled') return shipment
  return shipment.state === 'pending-carrier-pickup' ? move(carrier, shipment, 'canceled') : null
}

/** A shipment as the carrier's API returns it. */
export function shipmentView(carrier: Carrier, shipment: Shipment): object {
  const { trackingNumber, reference, state, pieces, weightLb, from, to, events } = shipment
  const labelUrl = `${carrier.publicOrigin}/carrier/labels/${trackingNumber}`
  return { trackingNumber, reference, state, labelUrl, pieces, weightLb, from, to, events }
}

function move(carrier: Carrier, shipment: Shipment, state: ShipmentState): Shipment {
  const now = carrier.now()
  const event: ShipmentEvent = { id: newId('ce_', 16), state, at: now.toString(), note: notes[state] }
  const moved: Shipment = { ...shipment, state, events: [...shipment.events, event] }
  const isMoving = carrier.paceSeconds > 0 && nextState[state] !== null
  carrier.shipments.put(moved.trackingNumber, moved, isMoving ? now.add({ seconds: carrier.paceSeconds }) : null)
  // The caller canceled it, so no callback is needed.
  if (state === 'canceled') return moved
  const { trackingNumber, reference } = shipment
  carrier.deliveries.enqueue('carrier', {
    about: trackingNumber,
    type: state,
    body: { eventId: event.id, trackingNumber, reference, state, at: event.at, note: event.note },
    dueAt: now,
  })
  return moved
}

function newTrackingNumber(): string {
  return newId('SW', 14).toUpperCase()
}
