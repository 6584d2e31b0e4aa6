/** The operations of the REST binding, each with the capability it is part of. */
import type { UcpAnswer } from '#ucp/answers.ts'
import { lookupCatalog, readProduct, searchCatalog } from '#ucp/catalog.ts'
import type { UcpContext } from '#ucp/context.ts'
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
  readonly handle: (context: UcpContext, id: string, input: unknown) => Promise<UcpAnswer>
}

const reads = { hasBody: true, isChange: false, isSigned: false } as const
const changes = { hasBody: true, isChange: true, isSigned: false } as const
const shows = { method: 'GET', hasBody: false, isChange: false, isSigned: false } as const

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
    capability: names.cart,
    ...changes,
    handle: (of, _, input) => createCart(of, input),
  },
  { ...shows, path: '/carts/:id', capability: names.cart, handle: (of, id) => readCart(of, id) },
  { method: 'PUT', path: '/carts/:id', capability: names.cart, ...changes, handle: updateCart },
  {
    method: 'POST',
    path: '/carts/:id/cancel',
    capability: names.cart,
    ...changes,
    handle: (of, id) => cancelCart(of, id),
  },
  {
    method: 'POST',
    path: '/checkout-sessions',
    capability: names.checkout,
    ...changes,
    handle: (of, _, input) => createCheckout(of, input),
  },
  { ...shows, path: '/checkout-sessions/:id', capability: names.checkout, handle: (of, id) => readCheckout(of, id) },
  { method: 'PUT', path: '/checkout-sessions/:id', capability: names.checkout, ...changes, handle: updateCheckout },
  {
    method: 'POST',
    path: '/checkout-sessions/:id/complete',
    capability: names.checkout,
    ...changes,
    handle: completeCheckout,
  },
  {
    method: 'POST',
    path: '/checkout-sessions/:id/cancel',
    capability: names.checkout,
    ...changes,
    handle: (of, id) => cancelCheckout(of, id),
  },
  { ...shows, path: '/orders/:id', capability: names.order, isSigned: true, handle: (of, id) => readOrder(of, id) },
]
