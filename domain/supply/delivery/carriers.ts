/** The carriers that a warehouse can be limited to. Safe in the browser. */

/** Carriers with known tracking pages. */
export const carrierNames = ['UPS', 'FedEx', 'USPS', 'OnTrac'] as const
export type CarrierName = (typeof carrierNames)[number]

/** Whether a warehouse limited to `carriers` (any, if empty) ships with a carrier. */
export function shipsWith(carriers: readonly string[], carrier: string): boolean {
  return carriers.length === 0 || carriers.includes(carrier)
}
