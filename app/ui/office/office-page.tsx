import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { pageHead } from '#app/ui/page-head.ts'

/** The document head of an office page; no search engine may list it. */
export function officeHead(matches: Parameters<typeof pageHead>[0], title: string, path: string) {
  return pageHead(matches, { title: `${title} · Back office`, description: 'For staff.', path, isIndexed: false })
}

export type OfficeCrumb = { label: string; path: string }

/**
 * A page within the shell (office-shell.tsx). `crumbs` are links to parent pages. `tags` is next to the title and `end`
 * at the right end of its row, for the status and the page's own links.
 */
export function OfficePage({
  title,
  crumbs = [],
  tags,
  end,
  news,
  reply,
  children,
}: {
  title: string
  crumbs?: readonly OfficeCrumb[]
  tags?: ReactNode
  end?: ReactNode
  /** The result of the last action, and a form error without a field, announced at the top. */
  news?: string | null | undefined
  reply?: FormReply | undefined
  children: ReactNode
}) {
  return (
    <div className="office">
      {/* React Aria finds its style element and doesn't add one, which the page's policy would block; office-lists.css
          has its rules. */}
      <span id="react-aria-pressable-style" hidden />
      {crumbs.length > 0 ? <Crumbs crumbs={crumbs} here={title} /> : null}
      <header className="office-head">
        <h1>{title}</h1>
        {tags}
        {end ? <div className="office-end">{end}</div> : null}
      </header>
      <div className="office-work">
        {news && !reply ? <Notice tone="go" title={news} isNews /> : null}
        {reply && Object.keys(reply.errors).length === 0 ? <ErrorSummary reply={reply} /> : null}
        {children}
      </div>
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
