import type { ReactNode } from 'react'

/** Shown instead of a page that the user's role can't open (403), with a link to another page. */
export function RefusedPage({ title, link, children }: { title: string; link: ReactNode; children: ReactNode }) {
  return (
    <div className="wrap narrow-page">
      <p className="muted tabular">403</p>
      <h1>{title}</h1>
      <p>{children}</p>
      <p>{link}</p>
    </div>
  )
}
