import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { DataTable } from './data-table.tsx'
import { BulkActs, type ListProps } from './list-acts.tsx'
import type { LiveTable } from './live-table.tsx'

/**
 * A list of rows that lead to pages. The server sends a table of links with checkboxes in a form. With script it becomes
 * a grid: arrows or J and K move, Enter opens, Space selects. If that script does not load, the table stays.
 */
export function OfficeList(props: ListProps) {
  const [Live, setLive] = useState<typeof LiveTable | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    let isGone = false
    import('./live-table.tsx').then(
      ({ LiveTable: loaded }) => {
        if (isGone) return
        // Whoever was faster than the script stays on the row that has the focus.
        const path = focusedPath(form.current)
        flushSync(() => setLive(() => loaded))
        if (path !== null) rowTo(path)?.focus()
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  const { caption, columns, rows, field, acts, layout } = props
  if (Live) return <Live {...props} />
  const table = (
    <DataTable
      caption={caption}
      columns={acts.length > 0 ? [{ key: 'select', label: 'Select' }, ...columns] : columns}
      rows={rows.map(({ id, label, cells }) => ({
        id,
        cells: { ...cells, select: <input type="checkbox" name={field} value={id} aria-label={`Select ${label}`} /> },
      }))}
    />
  )
  return (
    <form className={layout ? `office-list is-${layout}` : 'office-list'} method="get" ref={form}>
      {table}
      {acts.length > 0 ? <BulkActs acts={acts} note="Select rows first." isDisabled={false} /> : null}
    </form>
  )
}

/** Where the row with the focus leads; null if none of `list` has it. */
function focusedPath(list: HTMLElement | null): string | null {
  const focused = document.activeElement
  const row = list?.contains(focused) ? focused?.closest('tr') : undefined
  return row?.querySelector('a[href]')?.getAttribute('href') ?? null
}

function rowTo(path: string): HTMLElement | null {
  const link = document.querySelector(`[role=grid] a[href="${CSS.escape(path)}"]`)
  return link?.closest<HTMLElement>('[role=row]') ?? null
}
