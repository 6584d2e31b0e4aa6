import { requireStaff } from '#app/server/office.server.ts'
import { CatalogTabs } from '#app/ui/office/catalog-tabs.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { listOfficeBrands } from '#domain/catalog/catalog.server.ts'
import type { Route } from './+types/catalog-brands.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Brands', officePaths.officeBrands())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'catalog.read', officePaths.officeBrands())
  const after = url.searchParams.get('after')?.replaceAll('\0', '').slice(0, 80) || null
  const [{ brands, next }, views] = await Promise.all([
    listOfficeBrands(staff.shop, after),
    readViewTabs(staff, 'brands', url.searchParams),
  ])
  return {
    file: views.file,
    brands,
    isFirst: after === null,
    older: next && officePaths.officeBrands({ after: next }),
  }
}

const tiers: Readonly<Record<string, string>> = { value: 'Value', mid: 'Mid', premium: 'Premium' }

export default function CatalogBrands({ loaderData: { file, brands, isFirst, older } }: Route.ComponentProps) {
  return (
    <OfficePage title="Brands and lines">
      <CatalogTabs at="brands" />
      <Panel id="brands" title="Brands by name">
        <DataTable
          caption="Brands"
          columns={[
            { key: 'name', label: 'Brand', isRowHeader: true },
            { key: 'tier', label: 'Tier' },
            { key: 'lines', label: 'Lines', isAmount: true },
            { key: 'about', label: 'Description' },
            { key: 'logo', label: 'Logo' },
          ]}
          rows={brands.map(({ id, name, tier, lines, about, logoKey }) => ({
            id: String(id),
            cells: {
              name: <a href={officePaths.officeBrand(id)}>{name}</a>,
              tier: tiers[tier] ?? tier,
              lines: String(lines),
              about: about === '' ? 'None' : `${about.slice(0, 60)}${about.length > 60 ? '…' : ''}`,
              logo: logoKey ? <img src={paths.uploadedPicture(logoKey)} alt={`Logo of ${name}`} height={20} /> : 'None',
            },
          }))}
        />
      </Panel>
      <ListFoot label="Pages of brands" newer={isFirst ? null : officePaths.officeBrands()} older={older} file={file} />
    </OfficePage>
  )
}
