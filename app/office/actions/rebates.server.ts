import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import { addRebate, changeRebate, findOfficeRebate, retireRebate } from '#domain/catalog/catalog/catalog.server.ts'
import { rebateForm, rebateVersionForm } from '#domain/catalog/catalog/catalog.ts'
import { storeDay } from '#platform/store-zone.ts'

/** Returns the rebate number in an address. */
export const rebateId = (text: string) => numberedId(text)

export const rebateActions = defineActions({
  resource: 'rebates',
  noun: 'rebate',
  permission: 'promotions.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a rebate',
        description:
          '`subject` is a brand such as `kestrel`, or a model such as `kestrel/alltide-as2`. Send `formUrl`, or `mailTo` if shoppers mail the claim form. Days are in Eastern Time.',
        form: rebateForm,
      },
      ({ app, by }, draft) => addRebate(app, by, draft),
      ({ id }) => String(id),
    ),
    change: formAction(
      { summary: 'Change a rebate', description: 'Its address in the store stays.', form: rebateForm },
      ({ app, by, id }, draft) => changeRebate(app, by, rebateId(id), draft),
    ),
    retire: formAction(
      {
        summary: 'Retire a rebate',
        description: 'It ends now, or never starts. Earlier purchases can still be claimed.',
        form: rebateVersionForm,
      },
      ({ app, by, id }, { version }) => retireRebate(app, by, { id: rebateId(id), version }),
    ),
  },
  refusals: {
    gone: null,
    'name-taken': { field: 'name', text: 'Another rebate has this name.', status: 409 },
    'no-subject': { field: 'subject', text: 'Brand or model not found in the catalog.' },
    'other-state': 'This rebate has already ended.',
  },
  read: async (app, id) => {
    const rebate = await findOfficeRebate(app, rebateId(id))
    if (!rebate) return undefined
    const { name, amountCents, units, paidAs, subject, formUrl, mailTo, lastClaimOn, version } = rebate
    const startsOn = storeDay(rebate.startsAt).toString()
    const lastPurchaseOn = storeDay(rebate.endsAt.subtract({ nanoseconds: 1 })).toString()
    const days = { startsOn, lastPurchaseOn, lastClaimOn }
    return { name, amount: amountCents, units, paidAs, subject, formUrl, mailTo, ...days, version }
  },
})
