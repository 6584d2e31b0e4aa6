import type { ReactNode } from 'react'
import { Meta } from '#app/router/meta.tsx'
import {
  Links,
  Outlet,
  Scripts,
  sentStatus,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from '#app/router/router.tsx'
import { patternContext, applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { readShell, type Shell } from '#app/views/shell.server.ts'
import { SiteFooter } from '#app/ui/site-footer.tsx'
import { SiteHeader } from '#app/ui/site-header.tsx'
import { ErrorView } from '#app/ui/error-view.tsx'
import { ClosedNote } from '#app/ui/closed-note.tsx'
import { LostView } from '#app/ui/lost-view.tsx'
import { OfflineNote } from '#app/ui/offline-note.tsx'
import type { Route } from './+types/root.ts'
import styles from '#app/ui/styles/store.css?url'
import archivo from '#app/ui/fonts/archivo.woff2?url'
import inter from '#app/ui/fonts/inter.woff2?url'

// Preloads the fonts with a lower priority than the style sheet. The first paint uses a system font until they load.
export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: archivo, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', fetchPriority: 'low' },
  { rel: 'preload', href: inter, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', fetchPriority: 'low' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

export const middleware: Route.MiddlewareFunction[] = [
  ({ pattern, context }, next) => {
    context.set(patternContext, `/${pattern.replace(/^\//, '')}`)
    return next()
  },
]

export async function loader({ context, url }: Route.LoaderArgs): Promise<Shell> {
  return readShell(context.get(applicationContext), context.get(visitorContext), context.get(signedInContext), {
    isFirstPage: url.pathname === '/',
  })
}

function StoreHead({ shell }: { shell: Shell }) {
  return (
    <>
      {shell.isClosed ? <ClosedNote /> : null}
      <SiteHeader shell={shell} />
    </>
  )
}

export function Layout({ children }: { children: ReactNode }) {
  const loaded = useRouteLoaderData<Shell>('root')
  const shell = lastShell(loaded)
  const matches = useMatches()
  // Pages without hydration declare it in their handle and load no script.
  const script = !matches.some((match) => (match.handle as { script?: boolean } | undefined)?.script === false)
  const chrome = !matches.some((match) => (match.handle as { chrome?: boolean } | undefined)?.chrome === false)
  // Pages where tires can be picked for comparison declare that too: they bring the compare bar; the others do not load
  // it.
  const bar = matches
    .map((match) => (match.handle as { bar?: (shell: Shell) => ReactNode } | undefined)?.bar)
    .find(Boolean)
  // Steps of the checkout bring what places the focus and the scroll position when the router shows them.
  const arrival = matches
    .map((match) => (match.handle as { arrival?: () => ReactNode } | undefined)?.arrival)
    .find(Boolean)
  // Back-office pages render their own header from their loader data.
  const head = matches
    .map((match) => (match.handle as { head?: (data: unknown) => ReactNode } | undefined)?.head?.(match.loaderData))
    .find(Boolean)
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={shell?.dealer?.color ?? '#14161A'} />
        {/* With a precedence, React puts it before all scripts, which would delay the first paint on a slow line. */}
        <link rel="stylesheet" href={styles} precedence="default" />
        {shell?.store.colors ? <link rel="stylesheet" href={shell.store.colors} precedence="default" /> : null}
        <PageMeta />
        <Links />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        {chrome && shell ? <StoreHead shell={shell} /> : head}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        {bar && shell ? bar(shell) : null}
        {chrome && loaded ? <Foot shell={loaded} /> : null}
        <OfflineNote />
        {arrival?.()}
        {script ? <Scripts /> : null}
      </body>
    </html>
  )
}

/** Error pages have their own title. */
function PageMeta() {
  const error = useRouteError()
  return error === undefined || error === null ? <Meta /> : null
}

/** The footer never changes, so the browser reuses the server's HTML and doesn't load its code. */
function Foot({ shell }: { shell: Shell }) {
  if (import.meta.env.SSR) return <SiteFooter shell={shell} />
  return <footer className="site-footer" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
}

export default function App() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const shell = useRouteLoaderData<Shell>('root')
  // Only the server has the error. It responds with 500, or with 503 while the database is down.
  if (import.meta.env.SSR)
    return <ErrorView status={sentStatus(error)} phone={shell?.store.phone} store={shell?.store.name} />
  // Like the footer, the server's error page stays. Only errors that happen later, in the browser, are rendered there.
  if (isSentError)
    return <div className="wrap error-page" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  return <LostView error={error} phone={lastShell(shell)?.store.phone} />
}

/**
 * If a navigation fails to load, it brings no shell, and the header must stay: the browser, which serves one visitor,
 * reuses the last one.
 */
function lastShell(loaded: Shell | undefined): Shell | undefined {
  if (import.meta.env.SSR) return loaded
  if (loaded) kept = loaded
  return kept
}

let kept: Shell | undefined
const isSentError = !import.meta.env.SSR && document.querySelector('.error-page') !== null
