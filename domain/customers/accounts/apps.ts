/** App permissions for an account. Apps request them as scopes at the sign-in provider. */
export const appScopes = {
  'account:read': 'See your details, vehicles, addresses and memberships',
  'account:write': 'Change your vehicles and addresses, and join or leave memberships',
  'orders:read': 'See your carts and orders',
  'orders:write': 'Fill carts, place orders at your prices, and cancel them',
  'company:read': 'See your company, its members, orders and invoices',
  'company:write': 'Manage your company and its members',
} as const

/** What a shopping agent may do for an account, by the names of its protocol (UCP). */
export const agentScopes = {
  'dev.ucp.shopping.cart:manage': 'Fill carts at your prices',
  'dev.ucp.shopping.checkout:manage': 'Prepare your checkouts, for you to finish',
  'dev.ucp.shopping.order:read': 'See the orders it prepared for you',
} as const

/** Every scope, as the account's owner reads it. */
export const allScopes = { ...appScopes, ...agentScopes }

export type AppScope = keyof typeof allScopes

/** Filters a token's scopes to the known ones, in display order. */
export function knownScopes(scopes: readonly string[]): AppScope[] {
  return (Object.keys(allScopes) as AppScope[]).filter((scope) => scopes.includes(scope))
}

/** An app as shown to the account's owner. */
export type AccountApp = {
  id: string
  /** Its name at the provider, else its id there. */
  name: string
  scopes: AppScope[]
  firstUsedAt: Temporal.Instant
  lastUsedAt: Temporal.Instant
  /** When the owner revoked access; null while allowed. */
  revokedAt: Temporal.Instant | null
}
