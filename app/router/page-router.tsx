/**
 * The router of pages that only change their query, such as a listing's filters or a product's quantity. It requests
 * the new data from React Router's server and renders the page again; any other URL is loaded as a document. It is a
 * tenth of React Router's size, and pages with its forms, fetchers, or nested navigation have React Router instead.
 */
import {
  Component,
  createContext,
  startTransition,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import type { Location } from 'react-router'
import { readPageData } from '#app/router/page-data.ts'
import { chooseRouter, routeModules, type Match, type NavigateOptions } from '#app/router/router.tsx'

type ById<Value> = Readonly<Record<string, Value>>

declare global {
  interface Window {
    /** Written into the document by React Router's <Scripts>. `stream` has the loaders' data. */
    __reactRouterContext?: { stream?: ReadableStream<Uint8Array> }
    __reactRouterManifest?: { routes: ById<{ path?: string }> }
  }
}

type Page = {
  location: Location
  loaderData: ById<unknown>
  actionData: ById<unknown> | null
  /** Why the data could not be loaded, or the page not be rendered. */
  error?: unknown
}
type PageData = Pick<Page, 'loaderData' | 'actionData'> & { errors: ById<unknown> | null }
type Navigate = (path: string, options?: NavigateOptions) => Promise<void>

const Shown = createContext<Page & { isLoading: boolean; navigate: Navigate }>({
  location: { pathname: '', search: '', hash: '', state: null, key: '' },
  loaderData: {},
  actionData: null,
  isLoading: false,
  navigate: () => Promise.resolve(),
})
/** The ID of the route that is rendered here. */
const RouteId = createContext('root')

const routeIds = () => Object.keys(routeModules())

function locationOf({ pathname, search, hash }: URL): Location {
  return { pathname, search, hash, state: null, key: 'default' }
}

/** Reads the data of the document, and chooses this router for it. */
export async function choosePageRouter(): Promise<void> {
  const stream = window.__reactRouterContext?.stream
  if (!stream) throw new Error('The document has no data.')
  const { loaderData, actionData, errors } = readPageData(await new Response(stream).text()) as PageData
  const [error] = Object.values(errors ?? {})
  const first: Page = { location: locationOf(new URL(location.href)), loaderData, actionData, error }
  chooseRouter({
    Links: Empty,
    Outlet: NextRoute,
    Router: () => <PageRouter first={first} />,
    Scripts: Empty,
    useLocation: () => use(Shown).location,
    useMatches: () => matchesOf(use(Shown)),
    useNavigate: () => use(Shown).navigate,
    useNavigation: () => ({ state: use(Shown).isLoading ? 'loading' : 'idle' }),
    usePageProps,
    useRouteError: () => use(Shown).error,
    useRouteLoaderData: (id) => use(Shown).loaderData[id],
  })
}

/** The document's links never change, and its scripts ran already. */
function Empty() {
  return null
}

function usePageProps() {
  const shown = use(Shown)
  const id = use(RouteId)
  const matches = matchesOf(shown)
  return { params: paramsOf(shown), loaderData: shown.loaderData[id], actionData: shown.actionData?.[id], matches }
}

function matchesOf({ location, loaderData }: Page): Match[] {
  const params = paramsOf({ location })
  return Object.entries(routeModules()).map(([id, { handle }]) => ({ id, params, handle, loaderData: loaderData[id] }))
}

/** The parts of the path that are named in the page's pattern, such as "brands/:brand". */
function paramsOf({ location }: Pick<Page, 'location'>): Record<string, string> {
  const pattern = routeIds().flatMap((id) => window.__reactRouterManifest?.routes[id]?.path?.split('/') ?? [])
  const values = location.pathname.split('/').slice(1)
  return Object.fromEntries(
    pattern.flatMap((part, at) =>
      part.startsWith(':') ? [[part.replaceAll(/[:?]/g, ''), decodeURIComponent(values[at] ?? '')]] : [],
    ),
  )
}

function NextRoute() {
  const ids = routeIds()
  const id = ids[ids.indexOf(use(RouteId)) + 1]
  const Next = id === undefined ? undefined : routeModules()[id]?.default
  return id !== undefined && Next ? (
    <RouteId value={id}>
      <Next />
    </RouteId>
  ) : null
}

function PageRouter({ first }: { first: Page }) {
  const [page, setPage] = useState(first)
  const [isLoading, setIsLoading] = useState(false)
  const current = useRef<AbortController>(null)

  async function show(url: URL, isNew: boolean, isReplaced: boolean): Promise<void> {
    current.current?.abort()
    const visit = new AbortController()
    current.current = visit
    setIsLoading(true)
    const next = await readPage(url, visit.signal)
    if (visit.signal.aborted) return
    if (!next) return isNew ? location.assign(url) : location.reload()
    if (isNew && isReplaced) history.replaceState(null, '', url)
    else if (isNew) history.pushState(null, '', url)
    startTransition(() => {
      setPage(next)
      setIsLoading(false)
    })
  }
  const goBack = useEffectEvent(() => {
    const url = new URL(location.href)
    if (url.pathname + url.search !== page.location.pathname + page.location.search) return void show(url, false, false)
    // Back at this page before the other one had loaded.
    current.current?.abort()
    setIsLoading(false)
  })
  useEffect(() => {
    const back = () => goBack()
    window.addEventListener('popstate', back)
    return () => window.removeEventListener('popstate', back)
  }, [])

  const navigate: Navigate = (path, { replace = false } = {}) => {
    const url = new URL(path, location.href)
    return show(url, true, replace || url.href === location.href)
  }
  const shown = { ...page, isLoading, navigate }
  const { Layout = Fragmented, default: Root = Empty, ErrorBoundary = Empty } = routeModules()['root'] ?? {}
  const failed = (error: unknown) => (
    <Shown value={{ ...shown, error }}>
      <Layout>
        <ErrorBoundary />
      </Layout>
    </Shown>
  )
  return (
    <Failing page={page} failed={failed}>
      <Shown value={shown}>
        <Layout>
          {/* In the same layout, because its parts that only the server renders would be empty in a new one. */}
          {page.error === undefined ? <Root /> : <ErrorBoundary />}
        </Layout>
      </Shown>
    </Failing>
  )
}

function Fragmented({ children }: { children: ReactNode }) {
  return children
}

/** Shows the error of a page that could not be rendered, until there is another page. */
class Failing extends Component<
  { page: Page; failed: (error: unknown) => ReactNode; children: ReactNode },
  { page: Page; error?: unknown }
> {
  override state: { page: Page; error?: unknown } = { page: this.props.page }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  static getDerivedStateFromProps({ page }: { page: Page }, state: { page: Page }) {
    return page === state.page ? null : { page, error: undefined }
  }
  override render() {
    return this.state.error === undefined ? this.props.children : this.props.failed(this.state.error)
  }
}

/**
 * Returns the page at `url`, with an error if there was no response, or null for a page that must be loaded as a
 * document, such as a redirect or another route.
 */
async function readPage({ href, pathname, search, origin }: URL, signal: AbortSignal): Promise<Page | null> {
  const at = { location: locationOf(new URL(href)), loaderData: {}, actionData: null }
  const path = `${pathname}${pathname.endsWith('/') ? '_' : ''}.data${search}`
  try {
    const response = await fetch(new URL(path, origin), { signal })
    if (!response.ok && !response.headers.has('x-remix-response'))
      return { ...at, error: new Error(`${response.status} ${response.statusText}`) }
    const results = resultsIn(await response.text())
    return results ? { ...at, loaderData: results } : null
  } catch (error) {
    return { ...at, error }
  }
}

/** The data of this document's routes. Null if a loader failed, or the response is for other routes. */
function resultsIn(text: string): ById<unknown> | null {
  try {
    const results = readPageData(text) as ById<{ data?: unknown }>
    const ids = Object.keys(results)
    const isComplete = ids.length > 0 && ids.every((id) => id in routeModules() && 'data' in (results[id] ?? {}))
    return isComplete ? Object.fromEntries(ids.map((id) => [id, results[id]?.data])) : null
  } catch {
    return null
  }
}
