/** The tabs, filters, and links to adjacent pages around an office list. */
import type { ReactNode } from 'react'
import { countText } from '#platform/count-text.ts'

export type ListTab = { label: string; path: string; isOn: boolean; count?: number }

/** Links to the parts of a page or to the pages next to it. */
export function ListTabs({ label, tabs }: { label: string; tabs: readonly ListTab[] }) {
  return (
    <nav className="office-tabs" aria-label={label}>
      {tabs.map(({ label: words, path, isOn, count }) => (
        <a key={path} href={path} aria-current={isOn ? 'page' : undefined}>
          {words}
          {count === undefined ? null : <b> {countText(count)}</b>}
        </a>
      ))}
    </nav>
  )
}

/** The filters of a list, as a form that leads to an address. `clear` is the address without them, if any is set. */
export function ListFilters({
  label,
  action,
  clear,
  children,
}: {
  label: string
  action: string
  clear: string | null
  children: ReactNode
}) {
  return (
    <form className="office-filters" action={action} role="search" aria-label={label}>
      {children}
      <div className="office-filter-acts">
        <button className="btn quiet">Apply</button>
        {clear === null ? null : <a href={clear}>Clear filters</a>}
      </div>
    </form>
  )
}

/** A filter that is typed. */
export function FilterText({ name, label, value, most }: { name: string; label: string; value: string; most: number }) {
  return (
    <label className="field" htmlFor={name}>
      {label}
      <input className="input" id={name} name={name} defaultValue={value} maxLength={most} autoComplete="off" />
    </label>
  )
}

/** The pages on either side, and the file of everything that matches; null for what there is not. */
export function ListFoot({
  label,
  newer = null,
  older,
  file,
}: {
  label: string
  newer?: string | null
  older: string | null
  file: string | null
}) {
  return (
    <div className="office-list-foot">
      <nav aria-label={label}>
        {newer === null ? null : (
          <a className="btn quiet" href={newer} rel="prev">
            Newer
          </a>
        )}
        {older === null ? null : (
          <a className="btn quiet" href={older} rel="next">
            Older
          </a>
        )}
      </nav>
      {file === null ? null : (
        <a className="btn quiet" href={file}>
          Export all as CSV
        </a>
      )}
    </div>
  )
}
