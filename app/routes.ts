import { type RouteConfig, index, route } from '@react-router/dev/routes'

/** Every address of the store, in one list. */
export default [
  index('routes/storefront/home.tsx'),
  route('zip', 'routes/storefront/zip.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
