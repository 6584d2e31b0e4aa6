/** What a program may ask a person for at the store's API, in the words of the page that asks. */
export const apiScopes: Readonly<Record<string, string>> = {
  'account:read': 'See your details, vehicles, addresses and memberships',
  'account:write': 'Change your vehicles and addresses, and join or leave memberships',
  'orders:read': 'See your carts and orders',
  'orders:write': 'Fill carts, place orders at your prices, and cancel them',
  'company:read': 'See your company, its members, orders and invoices',
  'company:write': 'Manage your company and its members',
}
