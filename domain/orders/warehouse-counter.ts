/** Orders that are picked up at a warehouse of ours: their states at the counter. Safe in the browser. */

/** The carrier of what waits at our own counter, and how its parcels are numbered. */
export const counterCarrier = 'Warehouse counter'

/** `overdue`: ready, and kept longer than promised. */
export const pickupStates = ['preparing', 'ready', 'overdue', 'handed-over'] as const
export type PickupState = (typeof pickupStates)[number]

export const pickupStateWords: Readonly<Record<PickupState, string>> = {
  preparing: 'To make ready',
  ready: 'Ready',
  overdue: 'Not picked up in time',
  'handed-over': 'Handed over',
}

/** After so many wrong codes in a row the counter waits. */
export const mostWrongCodes = 5
export const wrongCodeMinutes = 15
