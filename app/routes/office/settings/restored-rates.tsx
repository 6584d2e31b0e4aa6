import { TablePanel } from '#app/office/table.tsx'
import type { readRestoredRates } from '#app/views/office/terms.server.ts'
import { officePaths } from '#content/office-paths.ts'

type Restored = NonNullable<Awaited<ReturnType<typeof readRestoredRates>>>

/** Shows how earlier rates differ from the current ones. */
export function RestoredRates({ at, rows }: Pick<Restored, 'at' | 'rows'>) {
  return (
    <TablePanel
      id="restored"
      title={`Rates of ${at}`}
      note={rows.length === 0 ? undefined : 'Not saved yet. Check the preview, then save'}
      isOpen
      end={
        <a className="btn quiet small" href={officePaths.officeShippingRates()}>
          Discard
        </a>
      }
      empty="These are the current rates."
      columns={{ what: 'Setting', now: 'Now', restored: 'Restored' }}
      rows={rows}
    />
  )
}
