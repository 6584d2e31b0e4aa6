/** The list of brands by name. */
import { defineList } from '#app/office/define-list.server.ts'
import { tierLabels } from '#app/views/catalog-labels.ts'
import { officePaths } from '#content/office-paths.ts'
import { listOfficeBrands } from '#domain/catalog/catalog/catalog.server.ts'

export const brands = defineList({
  name: 'brands',
  title: 'Brands and models',
  path: officePaths.officeBrands(),
  crumbs: [{ label: 'Catalog', path: officePaths.officeCatalog() }],
  permission: 'catalog.read',
  caption: 'Brands by name',
  nouns: ['brand', 'brands'],
  columns: [
    { key: 'name', label: 'Brand', isFixed: true },
    { key: 'tier', label: 'Tier' },
    { key: 'lines', label: 'Models', kind: 'count' },
    { key: 'about', label: 'Description' },
    { key: 'logo', label: 'Logo' },
    { key: 'status', label: 'Status' },
  ],
  links: [{ label: 'Add a brand', path: officePaths.officeNewBrand(), permission: 'catalog.edit', isPrimary: true }],
  read: async ({ app }, { after, before }) => {
    const { brands: found, next } = await listOfficeBrands(app, after ?? before)
    return {
      rows: found.map(({ id, name, tier, lines, about, logoKey, isRetired }) => ({
        id: String(id),
        label: name,
        path: officePaths.officeBrand(id),
        cells: {
          name,
          tier: tierLabels[tier] ?? tier,
          lines,
          about: { text: about.length > 60 ? `${about.slice(0, 60)}…` : about, file: about },
          logo: logoKey ? 'Uploaded' : 'None',
          status: isRetired ? { text: 'Retired' } : 'Active',
        },
      })),
      next,
    }
  },
})
