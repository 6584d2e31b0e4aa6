import { type RouteConfig, index, route } from '@react-router/dev/routes'

/** Every address of the store, in one list. */
export default [
  index('routes/storefront/home.tsx'),
  route('zip', 'routes/storefront/zip.tsx'),
  route('sales', 'routes/content/terms-of-sale.tsx'),
  route('cart', 'routes/checkout/cart.tsx'),
  route('checkout/shipping', 'routes/checkout/shipping.tsx'),
  route('checkout/shipping-confirmation', 'routes/checkout/shipping-confirmation.tsx'),
  route('checkout/services', 'routes/checkout/services.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
