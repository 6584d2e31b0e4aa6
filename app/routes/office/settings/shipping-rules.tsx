/** The store's zones and exceptions on the page of shipping rates. */
import type { ReactNode } from 'react'
import { DataTable, type DataRow } from '#app/ui/office/data-table.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { readShippingRules } from '#app/views/office/shipping-plan.server.ts'
import { officePaths, type ShippingRuleKind } from '#content/office-paths.ts'

type Rules = Awaited<ReturnType<typeof readShippingRules>>

/** The result messages of zones and exceptions. */
export const planNews = {
  saved: 'Saved. New carts use the rates at once.',
  moved: 'Saved. The states that were in other zones are in this one now.',
  removed: 'Removed. New carts use the other rates at once.',
}

export function AddLink({ kind, children }: { kind: ShippingRuleKind; children: ReactNode }) {
  return (
    <a className="btn quiet small" href={officePaths.officeShippingRule(kind, 'new')}>
      {children}
    </a>
  )
}

/** A row of a zone that has a separate page. */
export function ownZoneRow({ id, path, name, places, amounts }: Rules['ownZones'][number]): DataRow {
  return {
    id: String(id),
    cells: {
      zone: (
        <>
          <a href={path}>{name}</a>
          <small>{places}</small>
        </>
      ),
      ...amounts,
    },
  }
}

/** The zones for roles that can't change them. */
export function zoneFacts({ ownZones }: Pick<Rules, 'ownZones'>): [string, string][] {
  return ownZones.map(({ name, places, amounts }) => [
    `${name} (${places})`,
    `${amounts.tire} per tire, ${amounts.oversize} oversize, ${amounts.handling} handling, free from: ${amounts['free-from']}`,
  ])
}

export function ExceptionsPanel({ exceptions, mayManage }: { exceptions: Rules['exceptions']; mayManage: boolean }) {
  return (
    <Panel
      id="exceptions"
      title="Exceptions"
      note="Come before the zones"
      end={mayManage ? <AddLink kind="exceptions">Add exception</AddLink> : undefined}
    >
      {exceptions.length === 0 ? (
        <PanelBody>
          <p className="office-note">No exceptions.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Exceptions"
          columns={[
            { key: 'tires', label: 'For', isRowHeader: true },
            { key: 'where', label: 'Where' },
            { key: 'rate', label: 'Rate', isAmount: true },
            { key: 'until', label: 'Until' },
          ]}
          rows={exceptions.map(({ id, path, tires, count, where, rate, until }) => ({
            id: String(id),
            cells: {
              tires: (
                <>
                  {mayManage ? <a href={path}>{tires}</a> : tires}
                  {count ? <small>{count}</small> : null}
                </>
              ),
              where,
              rate,
              until: until ?? 'No end',
            },
          }))}
        />
      )}
    </Panel>
  )
}
