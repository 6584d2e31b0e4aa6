import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // The list of all routes is two kilobytes and more of script that a page of plain links does not need.
  routeDiscovery: { mode: 'lazy' },
  // A chunk for each client action tears the framework's in two, which costs every page a kilobyte; they are a line
  // each.
  splitRouteModules: false,
} satisfies Config
