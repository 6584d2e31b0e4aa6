/** A table of a page in its panel. */
import type { ComponentProps, ReactNode } from 'react'
import { DataTable, type DataRow } from '#app/ui/office/data-table.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

/**
 * Renders a table with a caption. Shows `empty` if there are no rows. `columns` maps keys to labels. The first column
 * names the row. Columns in `amounts` are right-aligned. `children` are rendered below the table, in the panel.
 */
export function TablePanel({
  caption,
  columns,
  amounts = [],
  rows,
  empty,
  lead,
  children,
  ...panel
}: Omit<ComponentProps<typeof Panel>, 'children'> & {
  /** What the table is, where the title does not say it. */
  caption?: string
  columns: Readonly<Record<string, string>>
  amounts?: readonly string[]
  rows: readonly DataRow[]
  empty?: ReactNode
  /** What precedes the table in the panel. */
  lead?: ReactNode
  children?: ReactNode
}) {
  return (
    <Panel {...panel}>
      {lead}
      {rows.length === 0 ? (
        empty === undefined ? null : (
          <PanelBody>
            <p>{empty}</p>
          </PanelBody>
        )
      ) : (
        <DataTable
          caption={caption ?? panel.title}
          columns={Object.entries(columns).map(([key, label], index) => ({
            key,
            label,
            isRowHeader: index === 0,
            isAmount: amounts.includes(key),
          }))}
          rows={rows}
        />
      )}
      {children}
    </Panel>
  )
}

/** A page of earlier changes, newest first. `older` is the next page's URL. */
export function HistoryPanel({
  older,
  ...table
}: Omit<ComponentProps<typeof TablePanel>, 'id' | 'title'> & { older: string | null }) {
  return (
    <>
      <TablePanel id="history" title="History" {...table} />
      {older === null ? null : (
        <p>
          <a className="btn" href={older} rel="next">
            Older changes
          </a>
        </p>
      )}
    </>
  )
}
