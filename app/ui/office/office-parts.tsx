/** The components of office pages. All are rendered by the server and work without script. */
import type { ReactNode } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { Unbroken } from './unbroken.tsx'

export type Tone = 'go' | 'signal' | 'stop' | 'plain'

const tagTones: Record<Tone, string> = {
  go: 'tag tone-go',
  signal: 'tag tone-amber',
  stop: 'tag tone-stop',
  plain: 'tag',
}

/** A state in a word or two. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={tagTones[tone]}>{children}</span>
}

/** Shows the time remaining, or the age. The tone is `stop` once overdue and `signal` when close. */
export function Timer({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`office-timer tone-${tone}`}>
      {tone === 'plain' ? null : <Icon name="clock" size="s" />}
      {children}
    </span>
  )
}

/**
 * A page with two columns on a wide screen, with `body` on the left, and 352 px on the right with `first` above `last`.
 * On a narrow screen the order is first, body, last.
 */
export function Columns({ first, body, last }: { first?: ReactNode; body: ReactNode; last?: ReactNode }) {
  return (
    <div className={first && last ? 'office-columns duo' : 'office-columns'}>
      {first ? <div className="office-stack first">{first}</div> : null}
      <div className="office-stack body">{body}</div>
      {last ? <div className="office-stack last">{last}</div> : null}
    </div>
  )
}

/**
 * A titled box; `id` names it in the address. Text and forms inside go into a `PanelBody`, tables directly. `isOpen`
 * marks the panel that the reader is working in.
 */
export function Panel({
  id,
  title,
  note,
  end,
  isOpen = false,
  children,
}: {
  id: string
  title: string
  note?: ReactNode
  end?: ReactNode
  isOpen?: boolean
  children: ReactNode
}) {
  return (
    <section className={isOpen ? 'office-panel is-open' : 'office-panel'} id={id} aria-labelledby={`${id}-title`}>
      <div className="office-panel-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {note ? <span className="office-note">{note}</span> : null}
        {end ? <span className="office-end">{end}</span> : null}
      </div>
      {children}
    </section>
  )
}

/** Padded content of a panel; several are divided by lines. `isPair` puts its children next to each other. */
export function PanelBody({ isPair = false, children }: { isPair?: boolean; children: ReactNode }) {
  return <div className={isPair ? 'office-panel-body office-pair' : 'office-panel-body'}>{children}</div>
}

/** The few facts that a page begins with. */
export function Facts({ facts }: { facts: readonly { label: string; value: ReactNode; meta?: ReactNode }[] }) {
  return (
    <dl className="office-facts">
      {facts.map(({ label, value, meta }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Unbroken>{value}</Unbroken>
            {meta ? (
              <small>
                <Unbroken>{meta}</Unbroken>
              </small>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const noticeIcons = { stop: 'warning', signal: 'warning', go: 'check-circle' } as const

/** Important information above everything else. `isNews` announces the result of the last action. */
export function Notice({
  tone,
  title,
  isNews = false,
  children,
}: {
  tone: 'stop' | 'signal' | 'go'
  title: string
  isNews?: boolean
  children?: ReactNode
}) {
  return (
    <div className={`office-notice tone-${tone}`} role={isNews ? 'status' : undefined}>
      <Icon name={noticeIcons[tone]} />
      <div>
        <p className="strong">{title}</p>
        {children}
      </div>
    </div>
  )
}

/** Labels with their values, one below the other; labels may repeat. */
export function KeyValues({ rows }: { rows: readonly (readonly [label: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="office-values">
      {rows.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export type TimelineDay = {
  day: string
  entries: readonly { kind: string; time: string; tone?: Tone; body: ReactNode }[]
}

/** Events by day, newest first, with times in the location named in the panel's note. */
export function Timeline({ days }: { days: readonly TimelineDay[] }) {
  return days.map(({ day, entries }) => (
    <div key={day}>
      <h3 className="office-day">{day}</h3>
      <ol className="office-timeline">
        {entries.map(({ kind, time, tone = 'plain', body }, index) => (
          <li key={index} className={`tone-${tone}`}>
            <div className="office-timeline-head">
              <span>{kind}</span>
              <time>{time}</time>
            </div>
            {body}
          </li>
        ))}
      </ol>
    </div>
  ))
}

/** Available actions, as links to this page's forms, or to other pages. `isOn` marks the open one. */
export function Acts({
  acts,
}: {
  acts: readonly { label: string; path: string; isOn?: boolean; isStop?: boolean; hotkey?: string }[]
}) {
  return (
    <ul className="office-acts">
      {acts.map(({ label, path, isOn, isStop, hotkey }) => (
        <li key={label}>
          <a
            className={['btn quiet', isOn ? 'is-on' : '', isStop ? 'stop' : ''].filter(Boolean).join(' ')}
            href={path}
            aria-current={isOn ? 'true' : undefined}
            aria-keyshortcuts={hotkey}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Unavailable actions, with reasons. */
export function RefusedActs({ refused }: { refused: readonly { act: string; why: string }[] }) {
  if (refused.length === 0) return null
  return (
    <>
      <h3>Not possible now</h3>
      <ul className="office-refused">
        {refused.map(({ act, why }) => (
          <li key={act}>
            <b>{act}</b>
            <span>{why}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
