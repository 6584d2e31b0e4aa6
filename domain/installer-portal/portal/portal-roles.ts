/** Who may see and do what in the portal of a shop. Pages, use cases and tests all read this table. */
import type { PortalRole } from '#domain/scheduling/installers/installers.ts'

type Rule = { readonly words: string; readonly roles: readonly PortalRole[] }

/** Every permission, in words, with the roles that have it. */
const portalPermissions = {
  'day.read': { words: 'See the day by bay', roles: ['owner', 'technician'] },
  'jobs.work': { words: 'Work on the day’s jobs', roles: ['owner', 'technician'] },
  'own-job.edit': { words: 'Enter, change, finish, and cancel shop jobs', roles: ['owner', 'technician'] },
  'appointment.move': { words: 'Move an online appointment', roles: ['owner', 'technician'] },
  'set-up.read': { words: 'See what a new shop still lacks', roles: ['owner', 'technician', 'staff'] },
  'set-up.edit': {
    words: 'Set hours, bays, prices, job lengths and blackout days of a new shop',
    roles: ['owner', 'staff'],
  },
  'capacity.read': { words: 'See hours, bays and notice from each day on', roles: ['owner', 'technician', 'staff'] },
  'capacity.edit': { words: 'Change hours, bays, notice and blackout days of an open shop', roles: ['owner', 'staff'] },
  'prices.read': { words: 'See the price lists and job lengths of the shop', roles: ['owner', 'technician', 'staff'] },
  'prices.edit': { words: 'Change the prices and job lengths of an open shop', roles: ['owner', 'staff'] },
  'profile.edit': { words: 'Edit the shop’s public page', roles: ['owner'] },
  'people.edit': { words: 'Invite people, change their role and end it', roles: ['owner'] },
  'emails.edit': { words: 'Choose your notifications about the shop', roles: ['owner', 'technician'] },
  'feed.edit': { words: 'Make and end the address of the shop’s calendar feed', roles: ['owner'] },
  'shop.open': { words: 'Open a new shop to shoppers', roles: ['owner', 'staff'] },
  'stops.read': { words: 'See where the van comes on a day', roles: ['owner', 'technician'] },
  'area.edit': { words: 'Choose the ZIP codes a van comes to', roles: ['owner', 'staff'] },
  'store.edit': { words: 'Make the store under the shop’s name and see what it sold', roles: ['owner'] },
  'pay.read': { words: 'See what the shop is paid', roles: ['owner'] },
  'pay.dispute': { words: 'Dispute pay', roles: ['owner'] },
  'pay.bank': { words: 'Enter and change bank details at the payout provider', roles: ['owner'] },
} as const satisfies Record<string, Rule>

export type PortalPermission = keyof typeof portalPermissions

/** Permissions of a closed shop, which can finish its started job, and see past jobs and payouts. */
const afterClosing: readonly PortalPermission[] = [
  'day.read',
  'jobs.work',
  'capacity.read',
  'prices.read',
  'emails.edit',
  'stops.read',
  'pay.read',
  'pay.dispute',
  'pay.bank',
]

/** Whether a shop that is closed for good still allows what a permission is for. */
export function canAfterClosing(permission: PortalPermission): boolean {
  return afterClosing.includes(permission)
}

/** Whether a role has a permission. */
export function portalCan(role: PortalRole, permission: PortalPermission): boolean {
  const rule: Rule = portalPermissions[permission]
  return rule.roles.includes(role)
}
