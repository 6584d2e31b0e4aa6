import type { ReactNode } from 'react'
import type { DataColumn } from './data-table.tsx'

type ListRow = { id: string; label: string; path: string; cells: Readonly<Record<string, ReactNode>> }

/** Something to do with the selected rows: `action` gets them as `field`, and shows what it will do before it does it. */
type ListAct = { label: string; action: string; isStop?: boolean }

export type ListProps = {
  caption: string
  columns: readonly DataColumn[]
  rows: readonly ListRow[]
  /** The name under which a selected row's id is sent. */
  field: string
  /** Which of its columns lead on a phone; without it, they follow each other with their labels. */
  layout?: 'orders' | 'messages' | 'customers'
  acts: readonly ListAct[]
}

/** The acts for selected rows; each button sends the form to its own address. */
export function BulkActs({ acts, note, isDisabled }: { acts: readonly ListAct[]; note: string; isDisabled: boolean }) {
  return (
    <div className="office-bulk">
      {acts.map(({ label, action, isStop }) => (
        <button
          key={label}
          className={isStop ? 'btn quiet stop' : 'btn quiet'}
          formAction={action}
          disabled={isDisabled}
        >
          {label}
        </button>
      ))}
      <span className="office-note">{note}</span>
    </div>
  )
}
