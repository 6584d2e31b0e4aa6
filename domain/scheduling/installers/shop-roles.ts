/** Roles of shop team members. */
export type ShopRole = 'owner' | 'technician'

export const shopRoleNames: Readonly<Record<ShopRole, string>> = { owner: 'Owner', technician: 'Technician' }

/** A role in a shop's portal, which is a team member's or the store's staff acting for it. */
export type PortalRole = ShopRole | 'staff'
