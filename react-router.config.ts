import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // The list of all routes is two kilobytes and more of script that a page of plain links does not need.
  routeDiscovery: { mode: 'lazy' },
} satisfies Config
