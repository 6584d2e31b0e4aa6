/** The roles of the people of a shop. */
export type ShopRole = 'owner' | 'technician'

export const shopRoleNames: Readonly<Record<ShopRole, string>> = { owner: 'Owner', technician: 'Technician' }

/** A role in the portal of a shop: one of its people's, or the store's staff in its name. */
export type PortalRole = ShopRole | 'staff'
