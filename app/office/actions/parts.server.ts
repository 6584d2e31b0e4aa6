import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { importAction, importRefusals } from '#app/office/file-import.server.ts'
import { addPart, changePart, countPart, findPart, importParts } from '#domain/supply/parts/parts.server.ts'
import { maxPartFileBytes, partFileLimits, partForm, partStockForm } from '#domain/supply/parts/parts.ts'

export const partActions = defineActions({
  resource: 'parts',
  noun: 'part',
  permission: 'catalog.edit',
  readPermission: 'catalog.read',
  actions: {
    add: formAction(
      {
        summary: 'Add a part',
        description: 'Its ID is its SKU. Shoppers can add it to tires once it has stock.',
        form: partForm,
      },
      ({ app, by }, draft) => addPart(app, by, draft),
      ({ sku }) => sku,
    ),
    change: formAction(
      {
        summary: 'Change a part',
        description: 'Its kind and SKU stay. Orders have the price at which they were placed.',
        form: partForm,
      },
      ({ app, by, id }, draft) => changePart(app, by, id, draft),
    ),
    count: formAction(
      {
        summary: 'Set a part’s available units in a warehouse',
        form: partStockForm,
      },
      ({ app, by, id }, counted) => countPart(app, by, id, counted),
    ),
  },
  refusals: {
    gone: null,
    'changed-meanwhile': 'This part was changed after you opened it. Load the page again.',
    'sku-taken': { field: 'sku', text: 'Another part has this SKU.', status: 409 },
    'not-our-warehouse': { field: 'warehouse', text: 'Choose one of the store’s open warehouses.' },
  },
  facts: z.object({
    stock: z.array(z.object({ warehouse: z.int(), code: z.string(), units: z.int() })),
  }),
  async read(app, id) {
    const found = await findPart(app, id)
    if (!found) return undefined
    const { part, stock } = found
    const { kind, sku, brand, name, facts, priceCents: price, costCents: cost, isOnSale, version } = part
    return {
      kind,
      sku,
      brand,
      name,
      ...facts,
      price,
      cost,
      sale: isOnSale ? 'on' : 'off',
      version,
      stock: stock.flatMap(({ warehouseId: warehouse, code, units }) =>
        units === null ? [] : [{ warehouse, code, units }],
      ),
    }
  },
})

export const partFileActions = defineActions({
  resource: 'parts',
  noun: 'part file',
  permission: 'catalog.edit',
  hasNoId: true,
  actions: {
    import: importAction(
      {
        summary: 'Import parts',
        description: `CSV as the list is exported, ${partFileLimits}. A row with a new SKU adds a part, and other rows change theirs. If a row has an error, no rows are imported.`,
        result: z.object({ added: z.int(), changed: z.int() }),
      },
      maxPartFileBytes,
      importParts,
    ),
  },
  refusals: importRefusals(maxPartFileBytes),
})
