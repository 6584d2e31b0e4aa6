/** The list of tire types, each with its categories, in display order. */
import { defineList } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { countText } from '#platform/count-text.ts'
import { listTireTypes, type TireTypeLevel } from '#domain/catalog/catalog-import/catalog-import.server.ts'

const counted = (count: number) => ({ text: countText(count), file: count, value: count })

export const tireTypes = defineList({
  name: 'tire-types',
  title: 'Tire types',
  path: officePaths.officeTireTypes(),
  permission: 'catalog.read',
  caption: 'Tire types and their categories in display order',
  empty: 'No tire types yet.',
  nouns: ['type or category', 'types and categories'],
  view: {
    name: 'kind',
    label: 'Kind',
    tabs: [
      ['', 'All'],
      ['types', 'Types'],
      ['categories', 'Categories'],
    ],
  },
  columns: [
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'kind', label: 'Kind' },
    { key: 'type', label: 'Tire type', isFileOnly: true },
    { key: 'slug', label: 'Name in feeds', isLabeled: true },
    { key: 'definition', label: 'Description', isOff: true },
    { key: 'audience', label: 'Who it is for', isFileOnly: true },
    { key: 'models', label: 'Models', kind: 'count', isLabeled: true },
    { key: 'tires', label: 'Tires for sale', kind: 'count', isLabeled: true },
    { key: 'status', label: 'Status' },
  ],
  links: [
    { label: 'Add a type', path: officePaths.officeTireType('types', 'new'), permission: 'catalog.edit' },
    {
      label: 'Add a category',
      path: officePaths.officeTireType('categories', 'new'),
      permission: 'catalog.edit',
      isPrimary: true,
    },
  ],
  news: { added: 'Added. Shoppers see it once it has a tire for sale.' },
  read: async ({ app }, { filters }) => {
    const { types, categories } = await listTireTypes(app)
    const rows = types.flatMap((type) => [
      { ...type, level: 'types' as const, of: type.name },
      ...categories
        .filter((category) => category.type === type.slug)
        .map((category) => ({ ...category, level: 'categories' as const, of: type.name })),
    ])
    const level = filters['kind'] as TireTypeLevel | undefined
    return {
      rows: rows
        .filter((row) => level === undefined || row.level === level)
        .map((row) => ({
          id: `${row.level}-${row.slug}`,
          label: row.name,
          path: officePaths.officeTireType(row.level, row.slug),
          cells: {
            name: row.name,
            kind:
              row.level === 'types'
                ? { text: 'Type', file: 'Type' }
                : { text: `Category of ${row.of}`, file: 'Category' },
            type: row.of,
            slug: row.slug,
            definition: row.definition,
            audience: row.audience,
            models: counted(row.models),
            tires: counted(row.tires),
            status: row.isRetired ? { text: 'Retired' } : 'Active',
          },
        })),
      next: null,
    }
  },
})
