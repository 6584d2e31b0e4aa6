import { createContext, use } from 'react'

export type Crumb = { readonly label: string; readonly path: string }

/**
 * The breadcrumbs shown on a page, ending with the page itself, collected on the server for structured data. Not set in
 * the browser.
 */
export const ShownCrumbs = createContext<(readonly Crumb[])[] | null>(null)

/** The breadcrumbs to this page; `here` is the page itself. */
export function Crumbs({ crumbs, here }: { crumbs: readonly Crumb[]; here: string }) {
  use(ShownCrumbs)?.push([...crumbs, { label: here, path: '' }])
  return (
    <nav aria-label="Breadcrumb">
      <ol className="crumbs">
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
