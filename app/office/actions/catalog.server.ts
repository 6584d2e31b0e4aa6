import {
  defineActions,
  formAction,
  numberedId,
  type ActionCall,
  type RecordValue,
} from '#app/office/define-actions.server.ts'
import { itemStatusForm } from '#domain/catalog/catalog/catalog.ts'
import { hideItem } from '#domain/catalog/catalog/catalog.server.ts'
import {
  addTire,
  changeTire,
  findTireCells,
  newTireForm,
  tireForm,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { parseDollars } from '#platform/money.ts'
import { refused } from '#platform/outcome.ts'
import { belowMinimumText, type BelowMinimum } from '#domain/catalog/promotions/promotions.ts'
import type { Application } from '#application'
import { editRefusals, showEdit } from './catalog-edits.server.ts'

const hiding = (isHidden: boolean, summary: string, description: string) =>
  formAction({ summary, description, form: itemStatusForm }, ({ app, by, id }: ActionCall, { reason }) =>
    showEdit(app, hideItem(app, by, { itemId: numberedId(id), isHidden, reason })),
  )

export const tireActions = defineActions({
  resource: 'catalog',
  noun: 'tire',
  permission: 'catalog.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a tire to a model',
        description:
          'Fields are named like the columns of a products feed. A minimum advertised price (`map`) also requires that the program’s role may set it.',
        form: newTireForm,
      },
      async ({ app, by }, { modelId, ...typed }) => {
        const added = await showEdit(app, addTire(app, by, modelId, typed))
        return added.ok || added.reason !== 'not-found' ? added : refused('model-not-found')
      },
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a tire',
        description:
          'Such as its price, cost, GTIN or part number. An import that lists this tire replaces these values.',
        form: tireForm,
      },
      ({ app, by, id }, typed) => showEdit(app, changeTire(app, by, numberedId(id), typed)),
    ),
    hide: hiding(true, 'Unlist a tire', 'Feeds don’t list it again.'),
    show: hiding(false, 'List a tire again', 'As long as a feed includes it, or it was added by hand.'),
  },
  refusals: {
    ...editRefusals,
    'model-not-found': { field: 'modelId', text: 'Model not found.', status: 404 },
    'sku-taken': { field: 'sku', text: 'Another tire has this SKU.', status: 409 },
    'gtin-taken': { field: 'gtin', text: 'Another tire has this GTIN.', status: 409 },
    'same-tire': {
      field: 'size',
      text: 'This model already has a tire with this size, load, speed, sidewall and mark.',
      status: 409,
    },
    'below-map': (tire: BelowMinimum) => ({
      field: 'price',
      text: `Below the minimum advertised price: ${belowMinimumText(tire)}. Enter a higher price.`,
    }),
    'map-not-allowed': 'Your role can’t set minimum advertised prices. Leave the minimum as it is.',
    'needs-publisher': 'Your role can’t save this price. A manager or owner can.',
    'needs-yes': (warnings) => ({
      field: 'acceptsBelow',
      text: `${warnings.join('. ')}. Check the box to save anyway.`,
    }),
  },
  read,
})

const amounts = ['price', 'cost', 'map', 'fet']

async function read(app: Application, id: string): Promise<Record<string, RecordValue> | undefined> {
  const tire = await findTireCells(app, numberedId(id))
  if (!tire) return undefined
  const cells = Object.entries(tire.cells).map(([name, text]): [string, RecordValue] => [
    name,
    amounts.includes(name) ? (parseDollars(text) ?? null) : text || null,
  ])
  return { ...Object.fromEntries(cells), version: tire.mark }
}
