import { paths } from '#content/paths.ts'
import { DealCard } from '#app/ui/tire-card-deal.tsx'
import type { DealGroup, DealRow } from './deal-views.server.ts'

/** Deals grouped under headings by what they offer. */
export function DealGroups({ groups }: { groups: DealGroup[] }) {
  return groups.map(({ title, about, cards, rows, more }) => (
    <section key={title} className="deal-group">
      <h2>{title}</h2>
      <p className="muted">{about}</p>
      {cards.length > 0 ? (
        <div className="deal-grid">
          {cards.map((deal) => (
            <DealCard key={deal.path} deal={deal} />
          ))}
        </div>
      ) : null}
      {rows.length > 0 ? <DealRows rows={rows} /> : null}
      {more > 0 ? (
        <p className="small muted">
          And {more} more: choose a brand above, or <a href={paths.types()}>a type of tire</a> and there “On sale”.
        </p>
      ) : null}
    </section>
  ))
}

/** Renders deals without a specific tire, one per line. */
export function DealRows({ rows }: { rows: DealRow[] }) {
  return (
    <ul className="panel deal-rows">
      {rows.map(({ key, name, path, what, ends }) => (
        <li key={key}>
          <a href={path}>
            <span>
              <b>{name}</b>
              <span className="small muted">{what}</span>
            </span>
            <span className="small muted tabular">{ends}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
