/** The file of coupons that staff export, edit, and import. Safe in the browser. */
import type { DraftFile } from '#domain/catalog/promotions/promotions.ts'
import { filterParts } from '#domain/catalog/catalog/catalog.ts'
import { couponChangeForm, type CouponChange } from './coupon-form.ts'

const columns = {
  id: 'ID',
  version: 'Version',
  code: 'Code',
  name: 'Name',
  kind: 'Kind',
  amount: 'Amount',
  subject: 'Subject',
  type: 'Tire type',
  category: 'Category',
  size: 'Size',
  season: 'Season',
  vehicleClass: 'Vehicle class',
  supplier: 'Supplier',
  fundedBy: 'Funded by',
  stacks: 'Combines with promotions',
  minimum: 'Minimum in dollars',
  advertised: 'Suggested to customers',
  usesMost: 'Maximum uses',
  personMost: 'Maximum per customer',
} as const
export type CouponFileField = keyof typeof columns

export const couponFile: DraftFile<CouponFileField, CouponChange> = {
  noun: 'coupon',
  columns,
  optional: filterParts,
  form: couponChangeForm,
  key: 'code',
  keyOf: ({ code }) => code,
}
