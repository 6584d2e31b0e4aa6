/** The list of parts that are sold with tires, by SKU. */
import { defineList, money } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { countText } from '#platform/count-text.ts'
import { listParts } from '#domain/supply/parts/parts.server.ts'
import {
  factTexts,
  partColumns,
  partKindOf,
  partKinds,
  partName,
  partValues,
  type Part,
} from '#domain/supply/parts/parts.ts'

/** The other columns of the file, which can be imported again. */
const fileColumns = Object.entries(partColumns).map(([field, label]) => ({
  key: `typed-${field}`,
  label,
  isFileOnly: true,
}))

export const parts = defineList({
  name: 'parts',
  title: 'Parts',
  path: officePaths.officeParts(),
  permission: 'catalog.read',
  caption: 'Parts by SKU',
  empty: 'No parts yet. Add the ones that you sell with tires, such as pressure sensors.',
  nouns: ['part', 'parts'],
  view: {
    name: 'kind',
    label: 'Kind',
    tabs: [['', 'All'], ...partKinds.map(({ key, name }) => [key, name] as const)],
  },
  columns: [
    { key: 'part', label: 'Part', isFixed: true },
    { key: 'type', label: 'Type' },
    { key: 'facts', label: 'Details', isLabeled: true },
    { key: 'unit', label: 'Unit price', kind: 'money' },
    { key: 'units', label: 'Available', kind: 'count', isLabeled: true },
    { key: 'status', label: 'Status' },
    ...fileColumns,
  ],
  links: [
    { label: 'Import a file', path: officePaths.officePartsImport(), permission: 'catalog.edit' },
    { label: 'Add a part', path: officePaths.officePart('new'), permission: 'catalog.edit', isPrimary: true },
  ],
  news: { imported: 'Parts imported.', 'imported-same': 'The file matches the current parts. No changes made.' },
  read: async ({ app }, { filters, after }) => {
    const { parts: found, next } = await listParts(app, { kind: filters['kind'] ?? null, after })
    return { rows: found.map(rowOf), next }
  },
})

function rowOf(part: Part) {
  const kind = partKindOf(part.kind)
  return {
    id: part.sku,
    label: partName(part),
    path: officePaths.officePart(part.sku),
    cells: {
      part: { text: partName(part), note: part.sku, file: partName(part) },
      type: kind?.name ?? part.kind,
      facts: factTexts(kind, part.facts).join(', '),
      unit: money(part.priceCents),
      units: { text: countText(part.units), file: part.units, value: part.units },
      status: part.isOnSale ? 'For sale' : { text: 'Not for sale' },
      ...Object.fromEntries(Object.entries(partValues(part)).map(([field, value]) => [`typed-${field}`, value])),
    },
  }
}
