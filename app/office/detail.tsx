/**
 * The layout of office detail pages. A header has the state, the next step, and a menu. Below it, panels are in two
 * columns from 1,200 px and in one column on narrower screens.
 */
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Tag, Timer, type Tone } from '#app/ui/office/office-parts.tsx'
import type { DetailActions } from './detail-actions.ts'
import { ActionsMenu } from './detail-menu.tsx'

/** The right end of the head, with the previous and next rows in the user's view, and the actions. */
export type DetailHead = {
  neighbors: { newer: string | null; older: string | null }
  actions: DetailActions
}

export type DetailNotice = {
  tone: 'stop' | 'signal' | 'go'
  title: string
  text?: string
  link?: { label: string; path: string }
  /** Whether it is the result of the last action. */
  isNews?: boolean
}

/** `children` stand above the columns; `forms` are first in one column, then `body` and `side`. */
export function DetailPage({
  state,
  timer,
  tags,
  head,
  end,
  notices = [],
  children,
  forms,
  body,
  side,
  ...page
}: Omit<ComponentProps<typeof OfficePage>, 'children'> & {
  state?: { label: string; tone: Tone }
  timer?: { text: string; tone: Tone } | null
  head?: DetailHead
  notices?: readonly DetailNotice[]
  children?: ReactNode
  forms?: ReactNode
  body: ReactNode
  side?: ReactNode
}) {
  return (
    <OfficePage
      {...page}
      tags={
        <>
          {tags}
          {state ? <Tag tone={state.tone}>{state.label}</Tag> : null}
          {timer ? <Timer tone={timer.tone}>{timer.text}</Timer> : null}
        </>
      }
      end={head ? <HeadActions head={head} /> : end}
    >
      {notices.map(({ tone, title: news, text, link, isNews }) => (
        <Notice key={news} tone={tone} title={news} isNews={isNews ?? false}>
          {text || link ? (
            <p>
              {text} {link ? <a href={link.path}>{link.label}</a> : null}
            </p>
          ) : null}
        </Notice>
      ))}
      {children}
      <Columns first={forms} body={body} last={side} />
    </OfficePage>
  )
}

function HeadActions({ head: { actions, neighbors } }: { head: DetailHead }) {
  return (
    <div className="office-detail-acts">
      <Neighbor path={neighbors.newer} rel="prev" label="Previous in this view" icon="left" />
      <Neighbor path={neighbors.older} rel="next" label="Next in this view" icon="right" />
      <ActionsMenu actions={actions} />
      {actions.primary ? (
        <a
          className={actions.primary.isOpen ? 'btn quiet' : 'btn primary'}
          href={actions.primary.path}
          aria-current={actions.primary.isOpen ? 'true' : undefined}
          aria-keyshortcuts={actions.primary.hotkey}
        >
          {actions.primary.name}
        </a>
      ) : null}
    </div>
  )
}

function Neighbor({
  path,
  rel,
  label,
  icon,
}: {
  path: string | null
  rel: 'prev' | 'next'
  label: string
  icon: 'left' | 'right'
}) {
  return path === null ? null : (
    <a className="btn quiet office-icon-btn" href={path} rel={rel} aria-label={label} title={label}>
      <Icon name={icon} size="s" />
    </a>
  )
}

/** A part of a panel that folds, closed unless `isOpen`; `note` is its summary. */
export function Fold({
  title,
  note,
  isOpen = false,
  children,
}: {
  title: string
  note: ReactNode
  isOpen?: boolean
  children: ReactNode
}) {
  return (
    <details className="office-fold" open={isOpen}>
      <summary>
        {title} <span className="office-note">{note}</span>
        <Icon name="down" size="s" />
      </summary>
      {children}
    </details>
  )
}
