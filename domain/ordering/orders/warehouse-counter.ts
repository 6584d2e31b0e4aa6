/** Counter states of orders picked up at our warehouses. Safe in the browser. */

/** The carrier name for pickups at our counter, and their parcel numbering. */
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

/** The number of consecutive wrong codes that locks the counter. */
export const mostWrongCodes = 5
export const wrongCodeMinutes = 15
