import { Contents } from '#app/ui/contents.tsx'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { AskUs } from '#app/ui/ask-us.tsx'
import type { readWrittenPage } from '#app/views/written-page.server.ts'

type WrittenPageData = Awaited<ReturnType<typeof readWrittenPage>>

/** A page of copy; `children` stand between its text and the ways to ask. */
export function WrittenArticle({ page, children }: { page: WrittenPageData; children?: React.ReactNode }) {
  return (
    <div className="wrap reading">
      <Crumbs crumbs={page.crumbs} here={page.title} />
      <article>
        <header className="article-head">
          <h1>{page.title}</h1>
          <p className="article-lead">{page.description}</p>
          <p className="article-facts small muted">
            <span>
              Updated <time dateTime={page.updated.day}>{page.updated.text}</time>
            </span>
          </p>
          {page.note ? <p className="notice small">{page.note}</p> : null}
          {page.doors.length > 0 ? (
            <p className="page-doors">
              {page.doors.map(({ label, path }, index) => (
                <a key={label} className={index === 0 ? 'btn primary' : 'btn quiet'} href={path}>
                  {label}
                </a>
              ))}
            </p>
          ) : null}
        </header>
        <Contents headings={page.headings} />
        <div className="article-text" dangerouslySetInnerHTML={{ __html: page.html }} />
        {children}
        <AskUs />
      </article>
      <section className="related" aria-labelledby="related-pages">
        <h2 id="related-pages">Read next</h2>
        <ul className="read-next">
          {page.related.map(({ label, path }) => (
            <li key={path}>
              <a href={path}>
                {label} <Icon name="right" size="s" />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
