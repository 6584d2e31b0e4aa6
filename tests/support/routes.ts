import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '#app/routes.ts'

/** All routes of the store, from app/routes.ts, with layouts replaced by their children. */
export const allRoutes: readonly RouteConfigEntry[] = routes.flatMap((route) => route.children ?? [route])
