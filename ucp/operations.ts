/** The operations of the REST binding, each with the capability it is part of. */
import type { UcpAnswer } from '#ucp/answers.ts'
import { lookupCatalog, readProduct, searchCatalog } from '#ucp/catalog.ts'
import type { UcpContext } from '#ucp/context.ts'
import type { AgentScope } from '#ucp/linking.ts'
import { cancelCart, createCart, readCart, updateCart } from '#ucp/carts.ts'
import { cancelCheckout, completeCheckout, createCheckout, readCheckout, updateCheckout } from '#ucp/checkouts.ts'
import { lookupLocations, searchLocations } from '#ucp/locations.ts'
import { readOrder } from '#ucp/orders.ts'
import { capabilityNames as names } from '#ucp/profile.ts'

export type UcpOperation = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly capability: string
  readonly hasBody: boolean
  /** Changes something, so that a key makes it happen once. */
  readonly isChange: boolean
  /** Only for a platform that signs, where it publishes keys. */
  readonly isSigned: boolean
  /** The scope that a linked account must have granted. Guests don't need a scope. */
  readonly scope: AgentScope | null
  readonly handle: (context: UcpContext, id: string, input: unknown) => Promise<UcpAnswer>
}

const reads = { hasBody: true, isChange: false, isSigned: false, scope: null } as const
const changes = { hasBody: true, isChange: true, isSigned: false } as const
const shows = { method: 'GET', hasBody: false, isChange: false, isSigned: false } as const
const ofCarts = { capability: names.cart, scope: 'dev.ucp.shopping.cart:manage' } as const
const ofCheckouts = { capability: names.checkout, scope: 'dev.ucp.shopping.checkout:manage' } as const
const ofOrders = { capability: names.order, scope: 'dev.ucp.shopping.order:read' } as const

export const operations: readonly UcpOperation[] = [
  {
    method: 'POST',
    path: '/catalog/search',
    capability: names.search,
    ...reads,
    handle: (of, _, input) => searchCatalog(of, input),
  },
  {
    method: 'POST',
    path: '/catalog/lookup',
    capability: names.lookup,
    ...reads,
    handle: (of, _, input) => lookupCatalog(of, input),
  },
  {
    method: 'POST',
    path: '/catalog/product',
    capability: names.lookup,
    ...reads,
    handle: (of, _, input) => readProduct(of, input),
  },
  {
    method: 'POST',
    path: '/locations/search',
    capability: names.locationSearch,
    ...reads,
    handle: (of, _, input) => searchLocations(of, input),
  },
  {
    method: 'POST',
    path: '/locations/lookup',
    capability: names.locationLookup,
    ...reads,
    handle: (of, _, input) => lookupLocations(of, input),
  },
  {
    method: 'POST',
    path: '/carts',
    ...ofCarts,
    ...changes,
    handle: (of, _, input) => createCart(of, input),
  },
  { ...shows, path: '/carts/:id', ...ofCarts, handle: (of, id) => readCart(of, id) },
  { method: 'PUT', path: '/carts/:id', ...ofCarts, ...changes, handle: updateCart },
  {
    method: 'POST',
    path: '/carts/:id/cancel',
    ...ofCarts,
    ...changes,
    handle: (of, id) => cancelCart(of, id),
  },
  {
    method: 'POST',
    path: '/checkout-sessions',
    ...ofCheckouts,
    ...changes,
    handle: (of, _, input) => createCheckout(of, input),
  },
  { ...shows, path: '/checkout-sessions/:id', ...ofCheckouts, handle: (of, id) => readCheckout(of, id) },
  { method: 'PUT', path: '/checkout-sessions/:id', ...ofCheckouts, ...changes, handle: updateCheckout },
  {
    method: 'POST',
    path: '/checkout-sessions/:id/complete',
    ...ofCheckouts,
    ...changes,
    handle: completeCheckout,
  },
  {
    method: 'POST',
    path: '/checkout-sessions/:id/cancel',
    ...ofCheckouts,
    ...changes,
    handle: (of, id) => cancelCheckout(of, id),
  },
  { ...shows, ...ofOrders, path: '/orders/:id', isSigned: true, handle: (of, id) => readOrder(of, id) },
]
