import { Fragment } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { countText } from '#app/office/navigation.ts'
import type { HomeQueues, QueueRow } from '#app/views/office/home.server.ts'
import { countOf } from '#platform/count-text.ts'
import { Panel, PanelBody } from './office-parts.tsx'

/** The task lists with work, by deadline; the empty ones behind a line at the end. */
export function WaitingWork({
  queues: { waiting, empty },
  zone,
  next,
}: {
  queues: HomeQueues
  zone: string
  /** The next appointment, shown without open tasks. */
  next: string | null
}) {
  const total = waiting.reduce((sum, { count }) => sum + count, 0)
  return (
    <Panel
      id="queues"
      title="Needs attention"
      note={
        waiting.length > 0
          ? `${total} in ${countOf(waiting.length, 'queue')}, soonest first · Times in ${zone}`
          : undefined
      }
    >
      {waiting.length > 0 ? (
        <ul className="office-queues">
          {waiting.map((queue) => (
            <QueueLink key={queue.slug} queue={queue} />
          ))}
        </ul>
      ) : (
        <PanelBody>
          <p className="strong">Nothing needs you right now</p>
          {next === null ? null : <p className="muted">Next deadline: {next}</p>}
        </PanelBody>
      )}
      {empty.length > 0 ? <EmptyQueues empty={empty} isOnly={waiting.length === 0} /> : null}
    </Panel>
  )
}

/** The whole row leads to the list, except for the names of its oldest entries, which lead to their pages. */
function QueueLink({ queue: { slug, title, path, count, due, when, tone, first } }: { queue: QueueRow }) {
  return (
    <li id={slug}>
      <span className={`office-due tone-${tone}`}>
        {due} <small>{when}</small>
      </span>
      <span className="office-queue-text">
        <a className="office-queue-list" href={path}>
          {title}
        </a>
        <span className="office-queue-first">
          {first.map(({ name, path: page }, index) => (
            <Fragment key={index}>
              {index > 0 ? ' · ' : null}
              {page === null ? name : <a href={page}>{name}</a>}
            </Fragment>
          ))}
        </span>
      </span>
      <span className="office-queue-count">
        {countText(count)}
        <span className="visually-hidden"> waiting</span>
      </span>
      <Icon name="right" size="s" />
    </li>
  )
}

function EmptyQueues({ empty, isOnly }: { empty: HomeQueues['empty']; isOnly: boolean }) {
  return (
    <details className="office-queues-empty">
      <summary>
        <Icon name="check-circle" size="s" />
        <span>
          Nothing waiting in {countOf(empty.length, isOnly ? 'queue' : 'other queue')}. <u>Show all queues</u>
        </span>
      </summary>
      <ul>
        {empty.map(({ slug, title, path }) => (
          <li key={slug}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </details>
  )
}
