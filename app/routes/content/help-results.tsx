import { paths } from '#content/paths.ts'
import type { HelpHit } from '#app/content/help.server.ts'
import { pluralForm } from '#platform/count-text.ts'

/** Renders the results, best first. If the search has no results, shows how to get help. */
export function HelpResults({ asked, hits }: { asked: string; hits: readonly HelpHit[] }) {
  if (hits.length === 0) {
    return (
      <section className="panel nothing" aria-labelledby="results">
        <h2 id="results">No answers found</h2>
        <p className="muted">Try fewer or different words, browse the subjects below, or ask us: a person answers.</p>
        <p className="row">
          <a className="btn primary" href={paths.contact()}>
            Ask us
          </a>
          <a className="btn quiet" href={paths.search(asked)}>
            Search tires instead
          </a>
        </p>
      </section>
    )
  }
  return (
    <section aria-labelledby="results">
      <h2 id="results">{pluralForm(hits.length, 'One answer', `${hits.length} answers`)}</h2>
      <ol className="help-hits">
        {hits.map(({ kind, title, path, snippet }) => (
          <li key={path}>
            <p className="tiny muted">{kind}</p>
            <h3>
              <a href={path}>{title}</a>
            </h3>
            <p className="small">
              {snippet.map(({ text, isHit }, index) => (isHit ? <mark key={`${index}-${text}`}>{text}</mark> : text))}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
