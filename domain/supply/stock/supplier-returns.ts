/** Returns of our stock to suppliers, and their forms. Safe in the browser. */
import { z } from 'zod'
import { dollars, optionalText } from '#platform/form-fields.ts'
import { addField, idField, versionField } from './stock-orders.ts'

export const supplierReturnStates = ['draft', 'sent', 'credited', 'canceled'] as const
export type SupplierReturnState = (typeof supplierReturnStates)[number]

export const supplierReturnStateNames: Readonly<Record<SupplierReturnState, string>> = {
  draft: 'Draft',
  sent: 'Sent',
  credited: 'Credited',
  canceled: 'Canceled',
}

/** "SR-1001" */
export function supplierReturnNumber(id: number): string {
  return `SR-${id}`
}

/** Returns the expected credit in cents. */
export function expectedCredit(lines: readonly { quantity: number; unitCreditCents: number }[]): number {
  return lines.reduce((sum, { quantity, unitCreditCents }) => sum + quantity * unitCreditCents, 0)
}

/** The form of a new return. */
export const newSupplierReturnForm = z.object({
  key: z.uuid('Load this page again.').describe('A new UUID per return'),
  supplier: idField('Choose a supplier.'),
  warehouse: idField('Choose a warehouse.'),
  add: addField,
  note: optionalText(400),
})

const rmaMessage = 'Enter the supplier’s RMA number, up to 60 characters.'

/** The form that sends a return. */
export const sendSupplierReturnForm = z.object({
  version: versionField,
  rma: z
    .string(rmaMessage)
    .trim()
    .regex(/^[^<>\p{Cc}]{1,60}$/u, rmaMessage)
    .describe('The supplier’s RMA number'),
})

/** The form that records the supplier's credit. */
export const creditSupplierReturnForm = z.object({
  version: versionField,
  credit: dollars('Enter the credit in dollars, such as 352.60.', 1_000_000_000),
  reference: optionalText(60),
})

/** The form that cancels a draft. */
export const supplierReturnVersionForm = z.object({ version: versionField })
