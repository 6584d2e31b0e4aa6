/**
 * The parts of the router on every page. The server uses React Router. A browser uses the router of its page, which is
 * either small (app/router/page-router.tsx) or, if a module of the page imports from react-router, React Router
 * (app/router/full-router.tsx).
 */
import type { ComponentType, ReactNode } from 'react'
import * as reactRouter from 'react-router'

/** The page and its parents, the outermost first. */
export type Match = { id: string; params: object; handle: unknown; loaderData: unknown }
/** The props of a page's component. */
export type PageProps = { params: object; loaderData: unknown; actionData: unknown; matches: readonly unknown[] }
export type NavigateOptions = { replace?: boolean; preventScrollReset?: boolean }

export type RouteModule = {
  default?: ComponentType
  ErrorBoundary?: ComponentType
  Layout?: ComponentType<{ children: ReactNode }>
  handle?: unknown
  meta?: (args: Match & { location: reactRouter.Location; matches: readonly Match[] }) => reactRouter.MetaDescriptor[]
}

declare global {
  interface Window {
    /** The page's route modules, the outermost first, written into the document by React Router's <Scripts>. */
    __reactRouterRouteModules?: Readonly<Record<string, RouteModule>>
  }
}

/** Returns the document's route modules by ID. */
export function routeModules(): Readonly<Record<string, RouteModule>> {
  return window.__reactRouterRouteModules ?? {}
}

export type RouterParts = {
  Links: ComponentType
  Outlet: ComponentType
  /** Renders the document. */
  Router: ComponentType
  Scripts: ComponentType
  useLocation(): reactRouter.Location
  useMatches(): readonly Match[]
  useNavigate(): (path: string, options?: NavigateOptions) => void | Promise<void>
  useNavigation(): { state: 'idle' | 'loading' | 'submitting' }
  usePageProps(): PageProps
  useRouteError(): unknown
  useRouteLoaderData(id: string): unknown
}

let chosen: RouterParts | undefined

/** Sets the router of this document, before the page is rendered. */
export function chooseRouter(parts: RouterParts): void {
  chosen = parts
}

/** Returns whether a module of the page has chosen its router. */
export function hasRouter(): boolean {
  return chosen !== undefined
}

function parts(): RouterParts {
  if (!chosen) throw new Error('No router was chosen.')
  return chosen
}

export const useLocation: RouterParts['useLocation'] = import.meta.env.SSR
  ? reactRouter.useLocation
  : () => parts().useLocation()
export const useMatches: RouterParts['useMatches'] = import.meta.env.SSR
  ? reactRouter.useMatches
  : () => parts().useMatches()
export const useNavigate: RouterParts['useNavigate'] = import.meta.env.SSR
  ? reactRouter.useNavigate
  : () => parts().useNavigate()
export const useNavigation: RouterParts['useNavigation'] = import.meta.env.SSR
  ? reactRouter.useNavigation
  : () => parts().useNavigation()
export const useRouteError: RouterParts['useRouteError'] = import.meta.env.SSR
  ? reactRouter.useRouteError
  : () => parts().useRouteError()

/** Returns the data of a parent's loader, such as "root"; undefined if it failed. */
export const useRouteLoaderData = (
  import.meta.env.SSR ? reactRouter.useRouteLoaderData : (id: string) => parts().useRouteLoaderData(id)
) as typeof reactRouter.useRouteLoaderData

/** Returns the status of an error response; undefined in a browser, which shows the page that the server sent. */
export function sentStatus(error: unknown): number | undefined {
  return import.meta.env.SSR && reactRouter.isRouteErrorResponse(error) ? error.status : undefined
}

export const Links: ComponentType = import.meta.env.SSR ? reactRouter.Links : chosenPart('Links')
export const Outlet: ComponentType = import.meta.env.SSR ? reactRouter.Outlet : chosenPart('Outlet')
export const Scripts: ComponentType = import.meta.env.SSR ? reactRouter.Scripts : chosenPart('Scripts')
/** The document, in a browser only. */
export const Router: ComponentType = chosenPart('Router')

function chosenPart(name: 'Links' | 'Outlet' | 'Router' | 'Scripts'): ComponentType {
  return function Part() {
    const Chosen = parts()[name]
    return <Chosen />
  }
}

/** For the default export of each route module in a browser; vite.config.ts replaces React Router's function. */
export function UNSAFE_withComponentProps(Page: ComponentType<PageProps>): ComponentType {
  return function PageWithProps(): ReactNode {
    return <Page {...parts().usePageProps()} />
  }
}

/** The same for error boundaries. */
export function UNSAFE_withErrorBoundaryProps(Boundary: ComponentType<PageProps & { error: unknown }>): ComponentType {
  return function BoundaryWithProps(): ReactNode {
    return <Boundary {...parts().usePageProps()} error={parts().useRouteError()} />
  }
}
