/** What a shop has to know to install the tires of one order, ready to print. Safe in the browser. */
export type WorkOrder = {
  store: { name: string; phone: string }
  orderNumber: string
  /** The number the shop quotes when it asks us about the job. */
  poNumber: string
  /** Why the job must not be done; null for one that is to be done. */
  stop: string | null
  shop: string[]
  appointment: string
  customer: string[]
  vehicle: string
  torque: string
  /** Front and rear differ: never swap them. */
  isStaggered: boolean
  positions: { position: string; tire: string; quantity: number }[]
  /** That nothing is to be collected. */
  money: string
  /** What the shop does and is not to collect for: "Installation, 4". */
  prepaid: string[]
  parcels: { title: string; pieces: string; contents: string[]; tracking: string; arrival: string }[]
  sample: boolean
}
