import type { ReactNode } from 'react'
import { Unbroken } from './unbroken.tsx'

export type DataColumn = { key: string; label: string; isAmount?: boolean; isRowHeader?: boolean }
export type DataRow = { id: string; cells: Readonly<Record<string, ReactNode>>; isMuted?: boolean }

/**
 * A dense table that becomes a list on a phone, with each cell's column label. `caption` describes it for screen
 * readers; `footer` has the total rows. Amounts are aligned to the right.
 */
export function DataTable({
  caption,
  columns,
  rows,
  footer = [],
}: {
  caption: string
  columns: readonly DataColumn[]
  rows: readonly DataRow[]
  footer?: readonly Readonly<Record<string, ReactNode>>[]
}) {
  return (
    <table className="office-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, label, isAmount }) => (
            <th key={key} scope="col" className={isAmount ? 'amount' : undefined} data-column={key}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells, isMuted }) => (
          <tr key={id} className={isMuted ? 'muted' : undefined}>
            <Cells columns={columns} cells={cells} />
          </tr>
        ))}
      </tbody>
      {footer.length > 0 ? (
        <tfoot>
          {footer.map((cells, index) => (
            <tr key={index}>
              <Cells columns={columns} cells={cells} />
            </tr>
          ))}
        </tfoot>
      ) : null}
    </table>
  )
}

function Cells({ columns, cells }: { columns: readonly DataColumn[]; cells: DataRow['cells'] }) {
  return columns.map(({ key, label, isAmount, isRowHeader }) => {
    const content = cells[key]
    const isEmpty = content === undefined || content === null || content === ''
    const className = [isAmount ? 'amount' : '', isEmpty ? 'is-empty' : ''].filter(Boolean).join(' ') || undefined
    return isRowHeader ? (
      <th key={key} scope="row" className={className} data-column={key}>
        <Unbroken>{content}</Unbroken>
      </th>
    ) : (
      <td key={key} className={className} data-label={label} data-column={key}>
        <Unbroken>{content}</Unbroken>
      </td>
    )
  })
}
