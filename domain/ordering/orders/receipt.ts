/**
 * The contents of a receipt. California requires the tire fee as a line item, so each fee and tax gets a separate line
 * (Cal. Pub. Res. Code 42885).
 */
import type { ExplainRow } from '#domain/pricing/pricing/pricing.ts'

export type Receipt = {
  /** The seller; `address` is one line, empty where the store has not set it. */
  store: { name: string; phone: string; email: string; address: string }
  /** The branded store it was placed in, by name and code; empty for our own. */
  soldAt: string[]
  orderNumber: string
  placedOn: string
  paidWith: string
  poNumber: string | null
  billTo: string[]
  shipTo: string[]
  installation: string[]
  /** Whether it is for a service without tires, done at `installation`. */
  isService: boolean
  vehicle: string | null
  rows: Pick<ExplainRow, 'label' | 'detail' | 'amount' | 'kind'>[]
  taxNote: string
  sample: boolean
}
