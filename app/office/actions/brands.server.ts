import { defineActions, formAction, numberedId, type ActionCall } from '#app/office/define-actions.server.ts'
import { descriptionForm, itemStatusForm } from '#domain/catalog/catalog/catalog.ts'
import { describeBrand, findOfficeBrand } from '#domain/catalog/catalog/catalog.server.ts'
import {
  addBrand,
  brandForm,
  changeBrand,
  findBrandCells,
  newBrandForm,
  retireBrand,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { nameRefusals, showEdit } from './catalog-edits.server.ts'

const retirement = (isRetired: boolean, summary: string, description: string) =>
  formAction({ summary, description, form: itemStatusForm }, ({ app, by, id }: ActionCall, { reason }) =>
    showEdit(app, retireBrand(app, by, { id: numberedId(id), isRetired, reason })),
  )

export const brandActions = defineActions({
  resource: 'brands',
  noun: 'brand',
  permission: 'catalog.edit',
  actions: {
    add: formAction(
      { summary: 'Add a brand', description: 'Shoppers see it once it has a tire for sale.', form: newBrandForm },
      ({ app, by }, typed) => addBrand(app, by, typed),
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a brand',
        description: 'Its address stays, so only capitals, spaces and punctuation of its name can change.',
        form: brandForm,
      },
      ({ app, by, id }, typed) => showEdit(app, changeBrand(app, by, numberedId(id), typed)),
    ),
    retire: retirement(true, 'Retire a brand', 'Takes its tires off sale, including those that feeds add later.'),
    restore: retirement(false, 'Restore a brand', 'Its tires are for sale again, except hidden ones.'),
  },
  refusals: nameRefusals('brand', 'brand'),
  async read(app, id) {
    const brand = await findBrandCells(app, numberedId(id))
    return brand && { ...brand.cells, version: brand.mark }
  },
})

export const brandDescriptionActions = defineActions({
  resource: 'brands',
  part: 'description',
  noun: 'brand description',
  permission: 'catalog.edit',
  actions: {
    change: formAction(
      { summary: 'Change the description of a brand', form: descriptionForm },
      ({ app, by, id }, text) => showEdit(app, describeBrand(app, by, { brandId: numberedId(id), ...text })),
    ),
  },
  refusals: { 'not-found': null },
  async read(app, id) {
    const brand = await findOfficeBrand(app, numberedId(id), null)
    return brand && { about: brand.about, version: brand.mark }
  },
})
