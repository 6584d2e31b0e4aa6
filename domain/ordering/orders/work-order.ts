import type { RequirementRow } from '#domain/catalog/fitment/fitment.ts'

/** Everything a shop needs to install one order's tires, in printable form. Safe in the browser. */
export type WorkOrder = {
  store: { name: string; phone: string }
  orderNumber: string
  /** The number the shop quotes when it contacts us about the job. */
  poNumber: string
  /** Why the job must not be done; null for one that is to be done. */
  stop: string | null
  shop: string[]
  appointment: string
  customer: string[]
  vehicle: string
  fitment: WorkOrderFitment
  torque: string
  /** A service without tires: "Tire rotation"; null for an installation. */
  service: string | null
  /** Front and rear tires differ and must not be swapped. */
  isStaggered: boolean
  positions: { position: string; tire: string; quantity: number }[]
  /** States that the shop collects no payment. */
  money: string
  /** What the shop does and is not to collect for: "Installation, 4". */
  prepaid: string[]
  parcels: { title: string; pieces: string; contents: string[]; tracking: string; arrival: string }[]
  sample: boolean
}

/** What the vehicle requires and the verdict on each set of tires, so that a shop can refuse a wrong tire on sight. */
export type WorkOrderFitment = {
  /** What to check where the order has no verdict, or one without the requirement; null where it has all. */
  toCheck: string | null
  sets: {
    /** "Fits", "Fits with conditions" or "Not known". */
    verdict: string
    /** The reasons and conditions, as the customer read them. */
    lines: string[]
    /** "Rules FR6, FR10 of rule book 2026.11.2, checked Nov 25, 2026." */
    basis: string
    /** "The door label, confirmed by the customer." */
    source: string | null
    rows: RequirementRow[]
  }[]
}
