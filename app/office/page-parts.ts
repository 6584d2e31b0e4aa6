/**
 * Fields and buttons of pages that need another permission than their page and aren't declared with a list or a record.
 * The pages check them by name, and the table of permissions lists them.
 */
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import type { PermissionGrants } from './permission-grants.ts'

export type PagePart = { permission: Permission; kind: keyof PermissionGrants; label: string }

export const pageParts = {
  ledger: { permission: 'ledger.read', kind: 'fields', label: 'Orders: Ledger' },
  'ship-to': { permission: 'orders.ship-to', kind: 'fields', label: 'Orders: Ship to, while packing' },
  'work-order': { permission: 'orders.print', kind: 'actions', label: 'Print work orders' },
  'price-difference': { permission: 'orders.waive', kind: 'actions', label: 'Waive the price difference of a change' },
  registrations: { permission: 'tire-registrations.export', kind: 'actions', label: 'Export tire registrations' },
  'legal-pages': { permission: 'legal.publish', kind: 'actions', label: 'Publish the privacy policy and the terms' },
  'setup-checks': { permission: 'setup.manage', kind: 'actions', label: 'Store setup: Run checks' },
  'store-state': { permission: 'store.open', kind: 'actions', label: 'Store setup: Open or close the store' },
  'payment-scripts': {
    permission: 'payment-pages.approve',
    kind: 'actions',
    label: 'Approve scripts of payment pages',
  },
  'pay-approval': { permission: 'pay.approve', kind: 'actions', label: 'Approve or reverse shop payouts' },
} as const satisfies Record<string, PagePart>

/** Whether these roles see or use a part of a page. */
export function canUse(roles: readonly StaffRole[], part: keyof typeof pageParts): boolean {
  return staffCan(roles, pageParts[part].permission)
}
