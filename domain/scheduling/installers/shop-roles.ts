/** Roles of shop team members. */
export type ShopRole = 'owner' | 'technician'

export const shopRoleNames: Readonly<Record<ShopRole, string>> = { owner: 'Owner', technician: 'Technician' }

/** A role in a shop's portal, held by a team member or by store staff acting for the shop. */
export type PortalRole = ShopRole | 'staff'
