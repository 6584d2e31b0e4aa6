import type { ComponentProps, ReactNode } from 'react'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { stateTabs } from './scheduled-states.ts'

type State = keyof typeof stateTabs

/** The promotions or coupons of one state: tabs of the states, a row each, and the rows as a file. */
export function OfferList({
  offers,
  states,
  state,
  pathOf,
  columns,
  rows,
  next,
  file,
}: {
  offers: 'promotions' | 'coupons'
  states: readonly State[]
  state: State
  pathOf: (state: State) => string
  columns: ComponentProps<typeof DataTable>['columns']
  rows: readonly { id: string; cells: Record<string, ReactNode> }[]
  next: string | null
  file: string
}) {
  return (
    <>
      <ListTabs
        label={`${offers === 'coupons' ? 'Coupons' : 'Promotions'} by state`}
        tabs={states.map((each) => ({ label: stateTabs[each], path: pathOf(each), isOn: each === state }))}
      />
      <Panel id={offers} title={stateTabs[state]} note="Times are Eastern.">
        {rows.length === 0 ? (
          <p className="office-panel-body">No {offers} here.</p>
        ) : (
          <DataTable caption={stateTabs[state]} columns={columns} rows={rows} />
        )}
      </Panel>
      <ListFoot label={`Pages of ${offers}`} older={next} file={file} />
    </>
  )
}
