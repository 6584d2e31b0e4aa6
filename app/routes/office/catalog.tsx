import { requireStaff } from '#app/server/office.server.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { CatalogTabs } from '#app/ui/office/catalog-tabs.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFilters, ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { itemRow, readCatalogQuery, statusWords } from '#app/views/office-catalog.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { itemStatuses } from '#domain/catalog/catalog.ts'
import { findOfficeLine, listBrands, listOfficeItems } from '#domain/catalog/catalog.server.ts'
import type { Route } from './+types/catalog.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Catalog', officePaths.officeCatalog())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'catalog.read', officePaths.officeCatalog())
  const { query, filters } = readCatalogQuery(url.searchParams)
  const [{ items, next }, brands, line] = await Promise.all([
    listOfficeItems(shop, query),
    listBrands(shop.catalog),
    query.lineId === null ? undefined : findOfficeLine(shop, query.lineId),
  ])
  return {
    filters,
    line: line ? { id: line.id, name: `${line.brand} ${line.name}` } : null,
    brands: brands.map(({ slug, name }) => ({ slug, name })),
    statuses: itemStatuses.map((value) => ({ value, label: statusWords[value].words })),
    rows: items.map(itemRow),
    isFirst: query.after === null,
    first: officePaths.officeCatalog(filters),
    older: next && officePaths.officeCatalog({ ...filters, after: next }),
    file: officePaths.officeCatalogFile(filters),
    isFiltered: Object.values(filters).some((value) => value !== undefined),
  }
}

export default function CatalogPage({ loaderData }: Route.ComponentProps) {
  const { filters, line, brands, statuses, rows, isFirst, first, older, file, isFiltered } = loaderData
  return (
    <OfficePage title="Catalog">
      <CatalogTabs at="tires" />
      <ListFilters
        label="Tires"
        action={officePaths.officeCatalog()}
        clear={isFiltered ? officePaths.officeCatalog() : null}
      >
        {line ? <input type="hidden" name="line" value={line.id} /> : null}
        <Field name="sku" label="SKU begins with" value={filters.sku} maxLength={60} autoComplete="off" />
        <SelectField name="brand" label="Brand" value={filters.brand}>
          <option value="">Any</option>
          {brands.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field
          name="size"
          label="Size"
          value={filters.size}
          maxLength={30}
          autoComplete="off"
          placeholder="225/65R17"
        />
        <SelectField name="status" label="Status" value={filters.status}>
          <option value="">Any</option>
          {statuses.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </ListFilters>
      <Panel id="tires" title={line ? `Tires of ${line.name}` : 'Tires by SKU'} note="On sale or not">
        {rows.length === 0 ? (
          <PanelBody>
            <p>No tire matches.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption="Tires"
            columns={[
              { key: 'sku', label: 'SKU', isRowHeader: true },
              { key: 'tire', label: 'Line' },
              { key: 'size', label: 'Size' },
              { key: 'price', label: 'Price', isAmount: true },
              { key: 'stock', label: 'In stock', isAmount: true },
              { key: 'status', label: 'Status' },
            ]}
            rows={rows.map(({ id, sku, path, tire, linePath, status, ...cells }) => ({
              id,
              cells: {
                ...cells,
                sku: <a href={path}>{sku}</a>,
                tire: <a href={linePath}>{tire}</a>,
                status: <Tag tone={status.tone}>{status.words}</Tag>,
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of tires" newer={isFirst ? null : first} older={older} file={file} />
    </OfficePage>
  )
}
