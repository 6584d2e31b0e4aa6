import { DataTable } from '#app/ui/office/data-table.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import type { previewView } from '#app/views/office/price-list.server.ts'

/** What a version changes of today's rules, and the tires it sells too low. */
export function PreviewPanels({ preview }: { preview: ReturnType<typeof previewView> }) {
  const { counts, changes, below, isMore } = preview
  return (
    <>
      <Panel
        id="difference"
        title="Difference from today"
        note={`${counts.added} added, ${counts.changed} changed, ${counts.removed} removed, ${counts.same} the same.`}
      >
        {changes.length === 0 ? (
          <p className="office-panel-body">No rule changes.</p>
        ) : (
          <DataTable
            caption="Difference from today"
            columns={[
              { key: 'target', label: 'Which', isRowHeader: true },
              { key: 'scope', label: 'For' },
              { key: 'was', label: 'Today' },
              { key: 'is', label: 'In this version' },
            ]}
            rows={changes.map((change) => ({ id: `${change.scope} ${change.target}`, cells: change }))}
          />
        )}
      </Panel>
      <Panel id="below" title="Below the minimum price or our cost" note={isMore ? 'The first 20.' : ''}>
        {below.length === 0 ? (
          <p className="office-panel-body">No tire.</p>
        ) : (
          <DataTable
            caption="Below the minimum price or our cost"
            columns={[
              { key: 'sku', label: 'SKU', isRowHeader: true },
              { key: 'price', label: 'Price', isAmount: true },
              { key: 'map', label: 'Minimum', isAmount: true },
              { key: 'cost', label: 'Cost', isAmount: true },
            ]}
            rows={below.map((tire) => ({ id: tire.sku, cells: tire }))}
          />
        )}
      </Panel>
    </>
  )
}
