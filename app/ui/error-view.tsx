import { use } from 'react'
import { technicalMessages } from '#content/messages/technical.ts'
import { paths } from '#content/paths.ts'
import { ServerRenderedParts } from '#app/ui/server-rendered.tsx'
import { ErrorDrawing } from '#app/ui/error-drawing.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** What to do, by status; the opening lines of a page are the specification's. */
const remedies: Record<number, string> = {
  400: 'Something in the address or the form did not arrive as it should. Go back and send it once more.',
  401: 'This page is for someone who is signed in. Open it from the link in our email.',
  403: 'This page belongs to someone else. If it is yours, open it from the link in our email.',
  413: 'What you sent is larger than we take. Go back, shorten it or choose a smaller file.',
  422: 'Something in the form needs another look. Go back: what you typed is still there.',
  429: 'Too many requests. Wait a minute, then continue.',
}

/**
 * The error pages, as the server sends them. Without a `status`, the error is ours. `isTitled`: the route of the page
 * has given the document its title.
 */
export function ErrorView({
  status,
  phone,
  store,
  isTitled = false,
}: {
  status: number | undefined
  phone: string | undefined
  store: string | undefined
  isTitled?: boolean
}) {
  const isMissing = status === 404 || status === 410
  const { title, heading, text } = wordsFor(status)
  return (
    <div className="wrap error-page">
      {isTitled ? null : <title>{`${title} · ${store ?? 'Sidewall'}`}</title>}
      <meta name="robots" content="noindex" />
      <div className="error-words">
        {status === undefined ? null : <p className="muted tabular">{status}</p>}
        <h1>{heading}</h1>
        <p>{text}</p>
        {isMissing ? null : <p className="muted">Please call {phone ?? 'us'} for sales or try to refresh this page.</p>}
        {status === undefined || status >= 500 ? <Reference /> : null}
        <ErrorWays />
      </div>
      <ErrorDrawing isMissing={isMissing} />
    </div>
  )
}

function wordsFor(status: number | undefined): { title: string; heading: string; text: string } {
  if (status === 404 || status === 410) {
    return {
      title: 'Page not found',
      heading: technicalMessages.missing,
      text:
        status === 410
          ? 'This page is gone for good. Look for what took its place:'
          : 'It may have moved, or the address has a typo. Search, or start from one of these:',
    }
  }
  if (status === undefined || status >= 500) {
    return {
      title: 'One moment',
      heading: technicalMessages.fault,
      text: 'This is our error. Your orders and payments are safe.',
    }
  }
  return {
    title: 'Something went wrong',
    heading: technicalMessages.tryAgain,
    text: remedies[status] ?? 'Go back one page, and try it again from there.',
  }
}

/** The id that identifies the error in our log. */
function Reference() {
  const requestId = use(ServerRenderedParts)['request-id']
  return requestId === undefined ? null : <p className="muted">Reference: {requestId}</p>
}

function ErrorWays() {
  return (
    <>
      <form className="error-search" action={paths.search()} role="search" aria-label="From here">
        <label className="visually-hidden" htmlFor="error-query">
          Vehicle, size or brand
        </label>
        <input
          className="input"
          id="error-query"
          name="q"
          placeholder="Vehicle, size or brand"
          maxLength={120}
          autoComplete="off"
        />
        <button className="btn primary">
          <Icon name="search" size="s" /> Search
        </button>
      </form>
      <ul className="error-links">
        {ways.map(({ label, path }) => (
          <li key={path}>
            <a className="btn quiet" href={path}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

const ways = [
  { label: 'Find tires', path: paths.home() },
  { label: 'All sizes', path: paths.sizes() },
  { label: 'Track an order', path: paths.trackOrder() },
  { label: 'Help center', path: paths.help() },
]
