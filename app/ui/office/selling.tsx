import { TirePicture } from '#app/ui/tire-picture.tsx'
import type { SellingRow } from '#app/views/office/home.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { DataTable } from './data-table.tsx'
import { Panel, PanelBody } from './office-parts.tsx'

/** Best-selling tires, with their remaining stock. Sales and the link are for roles with access to reports. */
export function Selling({
  rows,
  hasSales,
  title,
  note,
}: {
  rows: readonly SellingRow[]
  hasSales: boolean
  title: string
  note: string
}) {
  return (
    <Panel
      id="selling"
      title={title}
      note={note}
      end={hasSales ? <a href={officePaths.officeReports()}>Reports</a> : undefined}
    >
      {rows.length === 0 ? (
        <PanelBody>
          <p>No tires ordered yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption={title}
          columns={[
            { key: 'tire', label: 'Tire', isRowHeader: true },
            { key: 'sold', label: 'Sold', isAmount: true },
            { key: 'stock', label: 'In stock', isAmount: true },
            ...(hasSales ? [{ key: 'sales', label: 'Sales', isAmount: true }] : []),
          ]}
          rows={rows.map(({ itemId, picture, tire, size, path, sold, stock, isLow, sales }) => ({
            id: String(itemId),
            cells: {
              tire: (
                <span className="office-sold">
                  {picture ? <TirePicture picture={picture} alt="" size={64} /> : null}
                  <span>
                    {path === null ? tire : <a href={path}>{tire}</a>}
                    {size === null ? null : <small>{size}</small>}
                  </span>
                </span>
              ),
              sold: String(sold),
              stock: isLow ? <span className="office-low">{stock} left</span> : String(stock),
              sales,
            },
          }))}
        />
      )}
    </Panel>
  )
}
