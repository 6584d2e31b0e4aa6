import { defineActions, formAction, numberedId, type ActionCall } from '#app/office/define-actions.server.ts'
import { descriptionForm, itemStatusForm } from '#domain/catalog/catalog/catalog.ts'
import { describeLine, findOfficeLine } from '#domain/catalog/catalog/catalog.server.ts'
import {
  addLine,
  changeLine,
  findLineCells,
  lineForm,
  newLineForm,
  retireLine,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { countOf } from '#platform/count-text.ts'
import { refused } from '#platform/outcome.ts'
import { nameRefusals, showEdit } from './catalog-edits.server.ts'

const retirement = (isRetired: boolean, summary: string, description: string) =>
  formAction({ summary, description, form: itemStatusForm }, ({ app, by, id }: ActionCall, { reason }) =>
    showEdit(app, retireLine(app, by, { id: numberedId(id), isRetired, reason })),
  )

export const modelActions = defineActions({
  resource: 'models',
  noun: 'model',
  permission: 'catalog.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a model to a brand',
        description: 'Fields are named like the columns of a products feed: `line` is the name of the model.',
        form: newLineForm,
      },
      async ({ app, by }, { brandId, cells }) => {
        const added = await addLine(app, by, brandId, { cells })
        return added.ok || added.reason !== 'not-found' ? added : refused('brand-not-found')
      },
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a model',
        description:
          'Its address stays, so only capitals, spaces and punctuation of its name can change. An import that lists this model replaces these values.',
        form: lineForm,
      },
      ({ app, by, id }, typed) => showEdit(app, changeLine(app, by, numberedId(id), typed)),
    ),
    retire: retirement(true, 'Retire a model', 'Takes its tires off sale, including those that feeds add later.'),
    restore: retirement(false, 'Restore a model', 'Its tires are for sale again, except hidden ones.'),
  },
  refusals: {
    ...nameRefusals('line', 'model'),
    'brand-not-found': { field: 'brandId', text: 'Brand not found.', status: 404 },
    graded: (count) => ({
      field: 'tread',
      text: `Winter tires have no UTQG grades. Remove the grades from ${countOf(count, 'tire')} of this model first.`,
    }),
  },
  async read(app, id) {
    const line = await findLineCells(app, numberedId(id))
    return line && { ...line.cells, version: line.mark }
  },
})

export const modelDescriptionActions = defineActions({
  resource: 'models',
  part: 'description',
  noun: 'model description',
  permission: 'catalog.edit',
  actions: {
    change: formAction(
      {
        summary: 'Change the description of a model',
        description: 'Replaces the feed’s description. An empty one uses the feed’s.',
        form: descriptionForm,
      },
      ({ app, by, id }, text) => showEdit(app, describeLine(app, by, { lineId: numberedId(id), ...text })),
    ),
  },
  refusals: { 'not-found': null },
  async read(app, id) {
    const line = await findOfficeLine(app, numberedId(id))
    return line && { about: line.ownAbout ?? '', version: line.mark }
  },
})
