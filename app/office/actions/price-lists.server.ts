import { fileFaults } from '#app/office/decision.server.ts'
import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { endForm, listScheduleForm } from '#domain/catalog/promotions/promotions.ts'
import {
  assignPriceList,
  discardPriceList,
  endPriceList,
  makePriceList,
  schedulePriceList,
  uploadPriceList,
} from '#domain/pricing/price-tiers/price-tiers.server.ts'
import {
  assignForm,
  newListForm,
  priceListColumns,
  versionUploadForm,
} from '#domain/pricing/price-tiers/price-tiers.ts'
import { ok, refused } from '#platform/outcome.ts'
import { endDescription, scheduleDescription, scheduleRefusals } from './scheduled.server.ts'

export const priceListActions = defineActions({
  resource: 'price-lists',
  noun: 'price list',
  permission: 'price-lists.edit',
  actions: {
    add: formAction(
      { summary: 'Create a price list', description: 'Its ID is its `slug`.', form: newListForm },
      async ({ app, by }, list) => {
        const made = await makePriceList(app, by, list)
        return made.ok ? ok(list) : made
      },
      ({ slug }) => slug,
    ),
    assign: formAction(
      {
        summary: 'Assign a price list to an account type',
        description: 'Replaces the list of that type. An empty `type` unassigns the list.',
        form: assignForm,
      },
      ({ app, by, id }, { type }) => assignPriceList(app, by, { slug: id, type }),
    ),
  },
  refusals: {
    gone: { text: 'Price list not found.', status: 404 },
    'slug-taken': { field: 'slug', text: 'Another price list has this address.', status: 409 },
  },
})

export const priceListVersionActions = defineActions({
  resource: 'price-list-versions',
  noun: 'price list version',
  permission: 'price-lists.edit',
  actions: {
    add: formAction(
      {
        summary: 'Draft a version of a price list',
        description: `\`list\` is the slug of the list, and \`file\` its rules as CSV text with the columns ${priceListColumns.join(', ')}. Upload larger files in the back office. \`formKey\` is a UUID that you choose: sent again, it returns the same draft.`,
        form: versionUploadForm,
      },
      async ({ app, by }, { list, file, ...version }) => {
        const drafted = await uploadPriceList(app, by, { slug: list, ...version, file: new Blob([file]) })
        return !drafted.ok && drafted.reason === 'gone' ? refused('no-list') : drafted
      },
      String,
    ),
    schedule: formAction(
      {
        summary: 'Schedule a version of a price list',
        description: `Ends the previous version at that time. ${scheduleDescription} \`acceptsBelow\` is \`yes\` to sell tires below their minimum price or cost.`,
        form: listScheduleForm,
      },
      ({ app, by, id }, schedule) => schedulePriceList(app, by, { id: numberedId(id), ...schedule }),
    ),
    end: formAction(
      { summary: 'End a version of a price list', description: endDescription, form: endForm },
      ({ app, by, id }, { reason }) => endPriceList(app, by, { id: numberedId(id), reason }),
    ),
    discard: plainAction({ summary: 'Discard a draft of a price list' }, ({ app, by, id }) =>
      discardPriceList(app, by, numberedId(id)),
    ),
  },
  refusals: {
    ...scheduleRefusals,
    faults: fileFaults,
    'no-list': { text: 'Price list not found.', status: 404 },
    'over-your-limit': { text: concessionMessages['over-your-limit'], status: 403 },
    'not-fresh': { text: concessionMessages['not-fresh'], status: 403 },
    'start-taken': { field: 'startsAt', text: 'Another version starts at that time.' },
    'below-floor': {
      field: 'acceptsBelow',
      text: 'This sells tires below their minimum price or our cost. Check this box if you mean to.',
    },
  },
})
