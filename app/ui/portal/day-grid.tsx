import type { CSSProperties } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import type { DayJob, DayOwnJob, EmptyTime, ShopDay } from '#domain/installer-portal/portal/portal.ts'
import type { DayProgress } from '#app/views/portal-day.server.ts'
import { openKey, type DayLinks } from './day-links.ts'

/** With more bays than these the day stays a list on wide screens, too. */
const mostColumns = 8
/** With `day-drag.js`, these move the job. */
const arrowKeys = 'ArrowUp ArrowDown ArrowLeft ArrowRight'

/** A day's bays, as a chronological list on phones, and columns by bay on wider screens. */
export function DayGrid({
  shopDay,
  links,
  progress,
  on,
}: {
  shopDay: ShopDay
  links: DayLinks
  /** How far the open jobs are, by their id. */
  progress: Readonly<Record<string, DayProgress>>
  on: string
}) {
  const { columns, jobs, ownJobs, empty, hours, quarters, now, times, firstQuarter } = shopDay
  if (columns.length === 0) return null
  const grid = { '--columns': columns.length, '--quarters': quarters } as CSSProperties
  // In the order of time, which the list of a phone and a screen reader follow.
  const parts = [
    ...jobs.map((job) => ({
      from: job.from,
      node: (
        <Job
          key={job.id}
          job={job}
          isInBay={columns[job.column]?.isBay ?? false}
          href={links[job.id] ?? ''}
          open={links[openKey(job.id)] ?? ''}
          progress={progress[job.id]}
        />
      ),
    })),
    ...ownJobs.map((job) => ({ from: job.from, node: <OwnJob key={job.id} job={job} href={links[job.id] ?? ''} /> })),
  ].toSorted((one, other) => one.from - other.from)
  return (
    <section className="portal-bays" aria-label="Bays">
      <div
        className={columns.length <= mostColumns ? 'portal-grid is-grid' : 'portal-grid'}
        style={grid}
        data-on={on}
        data-first={firstQuarter}
        data-bays={columns.map(({ id, isBay }) => (isBay ? id : '')).join('|')}
        data-times={times.map(({ at, label }) => `${at} ${label}`).join('|')}
      >
        {columns.map(({ id, label }, index) => (
          <div key={id} className="portal-bay" style={{ '--column': index } as CSSProperties}>
            {label}
          </div>
        ))}
        {hours.map(({ quarter, label }) => (
          <div key={quarter} className="portal-hour" style={{ '--from': quarter } as CSSProperties}>
            {label}
          </div>
        ))}
        {now === null ? null : (
          <div className="portal-now" style={{ '--from': Math.floor(now) } as CSSProperties} aria-hidden />
        )}
        {empty.map((time) => (
          <Empty
            key={`${time.bayId}-${time.at}`}
            time={time}
            bay={columns[time.column]?.label ?? ''}
            href={links[`${time.bayId}-${time.at}`] ?? ''}
          />
        ))}
        {parts.map(({ node }) => node)}
      </div>
    </section>
  )
}

function placeOf({ column, from, to }: { column: number; from: number; to: number }): CSSProperties {
  return { '--column': column, '--from': from, '--to': to } as CSSProperties
}

function Empty({ time, bay, href }: { time: EmptyTime; bay: string; href: string }) {
  return (
    <a
      className="portal-free"
      style={placeOf(time)}
      href={href}
      aria-label={`Add job, ${bay}, ${time.label}`}
      data-empty={time.at}
    >
      <Icon name="plus" size="s" /> Add job
    </a>
  )
}

function Job({
  job,
  isInBay,
  href,
  open,
  progress,
}: {
  job: DayJob
  isInBay: boolean
  href: string
  open: string
  progress: DayProgress | undefined
}) {
  const canMove = job.state === 'booked' || job.state === 'short'
  return (
    <article
      className={`portal-job is-${job.state}${progress?.state ? ' is-begun' : ''}`}
      style={placeOf(job)}
      {...(canMove && isInBay ? { 'data-drag': href } : {})}
    >
      <h2>
        <a href={open}>
          {job.time} <span>{job.who}</span>
        </a>
      </h2>
      <p>{job.vehicle}</p>
      {job.tires.map((tire) => (
        <p key={tire}>{tire}</p>
      ))}
      {job.dropOffCode ? <p className="tabular">Drop-off {job.dropOffCode}</p> : null}
      {job.news ? <p className="portal-job-news">{job.news}</p> : null}
      {progress?.state ? <p className="portal-state">{progress.state}</p> : null}
      {job.state === 'booked' ? null : <p className="portal-state">{job.words}</p>}
      {progress ? <p>{[job.pieces, progress.counted].filter(Boolean).join(', ')}</p> : null}
      <p className="portal-place">
        <span>{job.bay}</span> <span>{job.order}</span>{' '}
        {canMove ? (
          <a
            className="portal-move"
            href={href}
            aria-label={`Move ${job.who}, ${job.time}`}
            aria-keyshortcuts={isInBay ? arrowKeys : undefined}
          >
            Move
          </a>
        ) : null}
      </p>
    </article>
  )
}

function OwnJob({ job, href }: { job: DayOwnJob; href: string }) {
  const kind = job.isBlock ? ' is-block' : ''
  const state = `${job.isDone ? ' is-done' : ''}${job.overlap ? ' is-over' : ''}`
  return (
    <article
      className={`portal-job is-own${kind}${state}`}
      style={placeOf(job)}
      {...(job.isDone ? {} : { 'data-drag': href })}
    >
      <h2>
        {job.time} <span>{job.title}</span>
      </h2>
      {job.lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
      {job.overlap ? (
        <p className="portal-overlap">
          <Icon name="warning" size="s" /> {job.overlap}
        </p>
      ) : null}
      <p className="portal-place">
        <span>{job.bay}</span> <span>{job.isDone ? 'Done' : 'Own job'}</span>{' '}
        <a
          className="portal-move"
          href={href}
          aria-label={`Change ${job.title}, ${job.time}`}
          aria-keyshortcuts={arrowKeys}
        >
          Change
        </a>
      </p>
    </article>
  )
}
