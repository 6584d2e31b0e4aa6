/** The list of warehouses, with the fastest ones for each zone. */
import { ListPage } from '#app/office/list-page.tsx'
import { warehouses } from '#app/office/lists/warehouses.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { TablePanel } from '#app/office/table.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readCoverage, uncoveredText, type CoverageRow } from '#app/views/office/coverage.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import type { Route } from './+types/warehouses.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Warehouses', officePaths.officeWarehouses())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, warehouses)
  const coverage = await readCoverage(reader.app, await listWarehouses(reader.app))
  return {
    data,
    coverage,
    uncovered: uncoveredText(coverage),
    mayAdd: reader.can('warehouses.manage'),
    mayImport: reader.can('catalog.import'),
  }
}

export default function Warehouses({
  loaderData: { data, coverage, uncovered, mayAdd, mayImport },
}: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      after={
        <Columns
          body={<Coverage rows={coverage} uncovered={uncovered} />}
          last={mayAdd ? <BeforeAdding mayImport={mayImport} /> : undefined}
        />
      }
    />
  )
}

function Coverage({ rows, uncovered }: { rows: readonly CoverageRow[]; uncovered: string | null }) {
  const none = <span className="muted">None</span>
  return (
    <div className="stack">
      {uncovered === null ? null : (
        <Notice tone="signal" title={`No warehouse with tires ships to ${uncovered}`}>
          <p>Shoppers there can’t order for delivery. Turn the zone on in a warehouse, or import its stock.</p>
        </Notice>
      )}
      <TablePanel
        id="coverage"
        title="Coverage"
        note="Fastest warehouses with tires, for an order placed now"
        columns={{ zone: 'Zone', first: 'First choice', second: 'Second choice', arrives: 'Order to arrival' }}
        amounts={['arrives']}
        rows={rows.map(({ zone, city, first, second, arrives }) => ({
          id: zone,
          cells: {
            zone: (
              <>
                {zone}
                <small>{city}</small>
              </>
            ),
            first: first ?? none,
            second: second ?? none,
            arrives,
          },
        }))}
      />
    </div>
  )
}

function BeforeAdding({ mayImport }: { mayImport: boolean }) {
  return (
    <Panel id="before-adding" title="Before you add one">
      <PanelBody>
        <p className="muted">
          You need its address, the hour its last truck leaves, and one carrier account. Stock can follow later by file.
        </p>
        {mayImport ? (
          <p>
            <a href={officePaths.officeImports()}>Import a stock file</a>
          </p>
        ) : null}
      </PanelBody>
    </Panel>
  )
}
