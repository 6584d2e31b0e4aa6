import { isRouteErrorResponse } from 'react-router'
import type { ReactNode } from 'react'
import { officePaths } from '#content/office-paths.ts'
import { SentFault } from '#app/ui/sent-fault.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import type { OfficePageName, OfficeView } from '#app/server/office.server.ts'
import officeKeys from '#app/ui/office/office-keys.js?url'
import styles from '#app/ui/styles/office.css?url'
import { Find } from './find.tsx'
import { Rail } from './office-rail.tsx'

/** The style sheet that only the back office loads. */
export const officeLinks = () => [{ rel: 'stylesheet', href: styles }]

/**
 * How the root draws a page of the back office: with the rail instead of the store's header and footer, and with the
 * script that its search box and lists use, unless the page says that it has neither.
 */
export const officeHandle = (at?: OfficePageName, { script = true }: { script?: boolean } = {}) => ({
  script,
  chrome: false,
  head: (data: unknown) => {
    const office = (data as { office?: OfficeView } | undefined)?.office
    return office ? <Rail office={office} at={at} /> : null
  },
})

/** The document head of an office page; no search engine may list it. */
export function officeHead(matches: Parameters<typeof pageHead>[0], title: string, path: string) {
  return pageHead(matches, { title: `${title} · Back office`, description: 'For staff.', path, isIndexed: false })
}

export type OfficeCrumb = { label: string; path: string }

/**
 * A page beside the rail. `crumbs` lead here from the pages above; `tags` stand next to the title and `end` at the
 * right end of its row, for the state of what is shown and the page's own links.
 */
export function OfficePage({
  office,
  title,
  crumbs = [],
  tags,
  end,
  searched = '',
  children,
}: {
  office: OfficeView
  title: string
  crumbs?: readonly OfficeCrumb[]
  tags?: ReactNode
  end?: ReactNode
  /** What the search box holds. */
  searched?: string
  children: ReactNode
}) {
  return (
    <div className="office">
      {/* React Aria finds its style element and adds none, which the page's policy would block: office-lists.css has it. */}
      <span id="react-aria-pressable-style" hidden />
      <div className="office-bar">
        {crumbs.length > 0 ? <Crumbs crumbs={crumbs} here={title} /> : null}
        <Find searched={searched} />
        <Who office={office} />
      </div>
      <header className="office-head">
        <h1>{title}</h1>
        {tags}
        {end ? <div className="office-end">{end}</div> : null}
      </header>
      <div className="office-work">{children}</div>
      <Keys />
      <script type="module" src={officeKeys} />
    </div>
  )
}

function Crumbs({ crumbs, here }: { crumbs: readonly OfficeCrumb[]; here: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="office-crumbs">
        {crumbs.map(({ label, path }) => (
          <li key={path}>
            <a href={path}>{label}</a>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  )
}

const keys: readonly [key: string, does: string][] = [
  ['/', 'Search'],
  ['J or ↓', 'Next row of a list'],
  ['K or ↑', 'Previous row'],
  ['Enter', 'Open the row'],
  ['Space', 'Select the row'],
  ['F', 'Refund, on an order'],
  ['N', 'Add a note, on an order'],
  ['V', 'Record the VIN, on an order'],
  ['?', 'Show or hide these keys'],
]

/** The keys of office pages, shown by the button or by ?. */
function Keys() {
  return (
    <div className="office-keys" id="office-keys" popover="auto" role="dialog" aria-label="Keys">
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Who({ office: { who, roles } }: { office: OfficeView }) {
  return (
    <div className="office-who">
      <span>
        {who} · {roles}
      </span>
      <button className="link" popoverTarget="office-keys">
        Keys
      </button>
      <form method="post" action={officePaths.officeSignOut()}>
        <button className="link">Sign out</button>
      </form>
    </div>
  )
}

/** What an office page shows in place of itself: a refused role gets a way on, everything else the store's error page. */
export function OfficeFault({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : undefined
  if (status !== 403) return <SentFault status={status} />
  return (
    <div className="wrap narrow-page">
      <p className="muted tabular">403</p>
      <h1>Your role cannot open this page</h1>
      <p>An owner can give you a role that can. Nothing was changed.</p>
      <p>
        <a className="btn" href={officePaths.office()}>
          Back to Today
        </a>
      </p>
    </div>
  )
}
