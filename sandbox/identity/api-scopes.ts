/** The scopes of the store's door for shopping agents, worded for the consent page. */
export const agentScopes: Readonly<Record<string, string>> = {
  'dev.ucp.shopping.cart:manage': 'Fill carts at your prices',
  'dev.ucp.shopping.checkout:manage': 'Prepare your checkouts, for you to finish',
  'dev.ucp.shopping.order:read': 'See the orders it prepared for you',
}

/** The scopes of the store's API that an app may request, worded for the consent page. */
export const apiScopes: Readonly<Record<string, string>> = {
  'account:read': 'See your details, vehicles, addresses and memberships',
  'account:write': 'Change your vehicles and addresses, and join or leave memberships',
  'orders:read': 'See your carts and orders',
  'orders:write': 'Fill carts, place orders at your prices, and cancel them',
  'company:read': 'See your company, its members, orders and invoices',
  'company:write': 'Manage your company and its members',
}
