/** The roles of the people of a shop. */
export type ShopRole = 'owner' | 'technician'

export const shopRoleNames: Readonly<Record<ShopRole, string>> = { owner: 'Owner', technician: 'Technician' }
