import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '#app/routes.ts'

/** Every address of the store: the entries of app/routes.ts, with those inside a layout in place of the layout. */
export const allRoutes: readonly RouteConfigEntry[] = routes.flatMap((route) => route.children ?? [route])
