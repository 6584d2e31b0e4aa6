import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // The full route manifest is over two kilobytes of script that a page of plain links does not need.
  routeDiscovery: { mode: 'lazy' },
  // Separate chunks for client actions split the framework's chunk in two, which costs every page a kilobyte; the
  // actions are one line each.
  splitRouteModules: false,
} satisfies Config
