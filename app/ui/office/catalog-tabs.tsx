import { officePaths } from '#content/office-paths.ts'
import { ListTabs } from './list-parts.tsx'

/** The three lists of the catalog. */
export function CatalogTabs({ at }: { at: 'tires' | 'brands' | 'imports' }) {
  return (
    <ListTabs
      label="Catalog"
      tabs={[
        { label: 'Tires', path: officePaths.officeCatalog(), isOn: at === 'tires' },
        { label: 'Brands and lines', path: officePaths.officeBrands(), isOn: at === 'brands' },
        { label: 'Imports', path: officePaths.officeImports(), isOn: at === 'imports' },
      ]}
    />
  )
}
