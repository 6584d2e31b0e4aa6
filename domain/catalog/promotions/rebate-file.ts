/** The file of rebates that staff export, edit, and import. Safe in the browser. */
import { filterParts } from '#domain/catalog/catalog/catalog.ts'
import type { DraftFile } from './draft-file.ts'
import { rebateChangeForm, type RebateChange } from './rebate-form.ts'

const columns = {
  id: 'ID',
  version: 'Version',
  name: 'Rebate',
  amount: 'Amount',
  units: 'Tires',
  paidAs: 'Payment',
  subject: 'Subject',
  type: 'Tire type',
  category: 'Category',
  size: 'Size',
  season: 'Season',
  vehicleClass: 'Vehicle class',
  supplier: 'Supplier',
  startsOn: 'First purchase day',
  lastPurchaseOn: 'Last purchase day',
  lastClaimOn: 'Last claim day',
  formUrl: 'Claim form',
  mailTo: 'Mailing address',
} as const
export type RebateFileField = keyof typeof columns

export const rebateFile: DraftFile<RebateFileField, RebateChange> = {
  noun: 'rebate',
  columns,
  optional: [...filterParts, 'formUrl', 'mailTo'],
  form: rebateChangeForm,
  key: 'name',
  keyOf: ({ name }) => name,
}
