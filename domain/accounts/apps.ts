/** What an app may be allowed to do for an account: the scopes that are asked for at the sign-in provider. */
export const appScopes = {
  'account:read': 'See your details, vehicles, addresses and memberships',
  'account:write': 'Change your vehicles and addresses, and join or leave memberships',
  'orders:read': 'See your carts and orders',
  'orders:write': 'Fill carts, place orders at your prices, and cancel them',
  'company:read': 'See your company, its members, orders and invoices',
  'company:write': 'Manage your company and its members',
} as const

export type AppScope = keyof typeof appScopes

/** Of what a token carries the scopes that mean something here, in the order in which they are shown. */
export function knownScopes(scopes: readonly string[]): AppScope[] {
  return (Object.keys(appScopes) as AppScope[]).filter((scope) => scopes.includes(scope))
}

/** An app as the owner of the account sees it. */
export type AccountApp = {
  id: string
  /** What the provider calls it, else its id there. */
  name: string
  scopes: AppScope[]
  firstUsedAt: Temporal.Instant
  lastUsedAt: Temporal.Instant
  /** Since when the owner lets it do nothing any more; null while it may. */
  revokedAt: Temporal.Instant | null
}
