/** An office list page, with views, search and filters, rows, preview, and the adjacent pages. */
import { useEffect, useRef, type ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { EmptyState } from '#app/ui/office/empty-state.tsx'
import { OfficePage } from '#app/ui/office/office-page.tsx'
import { Facts } from '#app/ui/office/office-parts.tsx'
import { ListBar } from './list-bar.tsx'
import { ListPreviewPanel } from './list-preview.tsx'
import { ListTable, type CellRenderers } from './list-table.tsx'
import type { ListTab, ListView } from './list.ts'
import type { ListData } from './read-list.server.ts'
import { usePreview } from './use-preview.ts'

/** The page of a list. `data` is from `readList`; `before` and `after` are additional content around the list. */
export function ListPage({
  data: { list, preview, counts },
  before,
  after,
  render,
  reply,
}: {
  data: ListData
  /** The refusal of a form on the page. */
  reply?: FormReply | undefined
  before?: ReactNode
  after?: ReactNode
  /** What the cells of some columns show instead of their text, such as a form. */
  render?: CellRenderers
}) {
  if (!list) return null
  if (list.start) {
    return (
      <OfficePage title={list.title} crumbs={list.crumbs} news={list.news} reply={reply}>
        <EmptyState {...list.start} />
      </OfficePage>
    )
  }
  return (
    <OfficePage
      title={list.title}
      crumbs={list.crumbs}
      end={list.links.length > 0 ? <ListLinks links={list.links} /> : undefined}
      news={list.news}
      reply={reply}
    >
      {before}
      <ListFrame list={list} preview={preview} counts={counts} render={render} />
      {list.hasPreviews ? <ListKeys hasBulk={list.bulk !== null} /> : null}
      {after}
    </OfficePage>
  )
}

function ListFrame({
  list,
  preview,
  counts,
  render,
}: Pick<ListData, 'preview' | 'counts'> & {
  list: ListView
  render: CellRenderers | undefined
}) {
  const shown = usePreview(list, preview)
  return (
    <div className="list-frame">
      <ListTabs title={list.title} tabs={list.tabs} manage={list.manage} />
      <ListBar list={list} counts={counts} />
      {list.facts.length > 0 ? <Facts facts={list.facts} /> : null}
      <div className={shown.preview ? 'list-work has-preview' : 'list-work'}>
        <div className="list-main">
          {list.rows.length === 0 ? (
            <EmptyList list={list} />
          ) : (
            <ListTable list={list} previewed={shown} render={render} />
          )}
          <ListFoot list={list} />
        </div>
        {shown.preview ? <ListPreviewPanel list={list} shown={shown} preview={shown.preview} /> : null}
      </div>
    </div>
  )
}

const rowKeys = [
  ['J K', 'next, previous'],
  ['X', 'select'],
  ['Space', 'preview'],
  ['Enter', 'open'],
  ['?', 'all shortcuts'],
] as const

/** The shortcuts of the list. CSS shows them only where they work, with a keyboard and script. */
function ListKeys({ hasBulk }: { hasBulk: boolean }) {
  return (
    <p className="list-keys">
      {rowKeys
        .filter(([key]) => key !== 'X' || hasBulk)
        .map(([key, does]) => (
          <span key={key}>
            {key.split(' ').map((each) => (
              <kbd key={each}>{each}</kbd>
            ))}{' '}
            {does}
          </span>
        ))}
    </p>
  )
}

function ListLinks({ links }: Pick<ListView, 'links'>) {
  return links.map(({ label, path, isPrimary, hotkey }) => (
    <a
      key={path}
      className={isPrimary ? 'btn primary' : 'btn quiet'}
      href={path}
      aria-keyshortcuts={hotkey ?? undefined}
    >
      {/^(Add|New) /.test(label) ? <Icon name="plus" size="s" /> : null}
      {label}
      {hotkey ? <kbd aria-hidden="true">{hotkey.toUpperCase()}</kbd> : null}
    </a>
  ))
}

function ListTabs({ title, tabs, manage }: { title: string; tabs: readonly ListTab[]; manage: string | null }) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const row = nav.current
    const tab = row?.querySelector<HTMLElement>('[aria-current]')
    // Scrolling it into view would also make the Tab key start there instead of at the top of the page.
    if (row && tab) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
  }, [])
  return (
    <nav className="list-tabs" aria-label={`Views of ${title}`} ref={nav}>
      {tabs.map(({ label, path, count, isOn, note, isSaved }) => (
        <a
          key={path}
          className={isSaved ? 'is-saved' : undefined}
          href={path}
          title={note ?? undefined}
          aria-current={isOn ? 'page' : undefined}
        >
          {label}
          {count === null || count === '0' ? null : <span className="list-count"> {count}</span>}
        </a>
      ))}
      {manage === null ? null : <a href={manage}>Edit views</a>}
    </nav>
  )
}

function EmptyList({ list: { empty, chips } }: { list: ListView }) {
  return (
    <div className="list-empty">
      <p className="strong">{empty}</p>
      {chips.length > 0 ? (
        <ul>
          {chips.map(({ label, value, without, left }) => (
            <li key={label}>
              <a href={without}>
                Remove {label}: {value}
              </a>
              {left === null ? null : ` (${left})`}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function ListFoot({ list: { title, newer, older, total } }: { list: ListView }) {
  return (
    <div className="list-foot">
      {total === null ? null : <span>{total}</span>}
      {newer === null && older === null ? null : (
        <nav aria-label={`Pages of ${title}`}>
          {newer === null ? null : (
            <a className="btn quiet" href={newer} rel="prev">
              Previous
            </a>
          )}
          {older === null ? null : (
            <a className="btn quiet" href={older} rel="next">
              Next
            </a>
          )}
        </nav>
      )}
    </div>
  )
}
