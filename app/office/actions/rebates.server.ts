import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import { recordOf, rebateValues } from '#app/views/offer-form.ts'
import {
  changeRebateDraft,
  correctRebate,
  rebateDrafts,
  draftRebate,
  endRebate,
  findOfficeRebate,
  importRebates,
  scheduleRebate,
} from '#domain/catalog/promotions/promotions.server.ts'
import {
  draftFileLimits,
  endForm,
  maxDraftFileBytes,
  rebateChangeForm,
  rebateCorrectionForm,
  rebateDraftForm,
  rebateScheduleForm,
} from '#domain/catalog/promotions/promotions.ts'
import { importAction, importRefusals } from '#app/office/file-import.server.ts'
import { z } from 'zod'
import { dateText } from '#platform/day-text.ts'
import { endDescription, scheduleRefusals, subjectRefusals } from './scheduled.server.ts'

/** Returns the rebate number in an address. */
export const rebateId = (text: string) => numberedId(text)

export const rebateActions = defineActions({
  resource: 'rebates',
  noun: 'rebate',
  permission: 'promotions.edit',
  actions: {
    add: formAction(
      {
        summary: 'Draft a rebate',
        description:
          '`subject` is a brand such as `kestrel`, or a model such as `kestrel/alltide-as2`. Send `formUrl`, or `mailTo` if shoppers mail the claim form. Days are in Eastern Time.',
        form: rebateDraftForm,
      },
      ({ app, by }, draft) => draftRebate(app, by, draft),
      String,
    ),
    change: formAction(
      { summary: 'Change a rebate draft', description: 'Replaces the terms of a draft.', form: rebateChangeForm },
      ({ app, by, id }, change) => changeRebateDraft(app, by, rebateId(id), change),
    ),
    schedule: formAction(
      {
        summary: 'Schedule a rebate',
        description: 'Shoppers see it immediately. Its amount and tires can no longer be changed.',
        form: rebateScheduleForm,
      },
      ({ app, by, id }, { version }) => scheduleRebate(app, by, { id: rebateId(id), version }),
    ),
    correct: formAction(
      {
        summary: 'Correct a running rebate',
        description:
          'Replaces its name, claim address, and last days. Its address, amount, and tires stay. The last purchase day can’t move to a past day, and the last claim day only later.',
        form: rebateCorrectionForm,
      },
      ({ app, by, id }, change) => correctRebate(app, by, rebateId(id), change),
    ),
    end: formAction(
      {
        summary: 'End a rebate',
        description: `${endDescription} Earlier purchases can still be claimed.`,
        form: endForm,
      },
      ({ app, by, id }, { reason }) => endRebate(app, by, { id: rebateId(id), reason }),
    ),
    discard: plainAction({ summary: 'Discard a rebate draft' }, ({ app, by, id }) =>
      rebateDrafts.discard(app, by, rebateId(id)),
    ),
  },
  refusals: {
    ...subjectRefusals,
    gone: scheduleRefusals.gone,
    'name-taken': { field: 'name', text: 'Another rebate has this name.', status: 409 },
    'no-subject': { field: 'subject', text: 'Brand or model not found in the catalog.' },
    'ends-in-past': { field: 'lastPurchaseOn', text: 'Enter today or a later day.' },
    'claims-earlier': (lastClaimOn) => ({
      field: 'lastClaimOn',
      text: `Enter ${dateText(lastClaimOn)} or a later day. Shoppers bought with that claim deadline.`,
    }),
    'claims-over': { field: 'lastClaimOn', text: 'The last claim day is over.' },
  },
  read: async (app, id) => {
    const rebate = await findOfficeRebate(app, rebateId(id))
    if (!rebate) return undefined
    const { amountCents: amount, units, version } = rebate
    return { ...recordOf(rebateValues(rebate)), amount, units, version }
  },
})

export const rebateFileActions = defineActions({
  resource: 'rebates',
  noun: 'rebate file',
  permission: 'promotions.edit',
  hasNoId: true,
  actions: {
    import: importAction(
      {
        summary: 'Import rebates',
        description: `CSV as the list is exported, ${draftFileLimits}. A row without an ID drafts a rebate, and other rows change their drafts. If a row has an error, no rows are imported.`,
        result: z.object({ drafted: z.int(), changed: z.int() }),
      },
      maxDraftFileBytes,
      importRebates,
    ),
  },
  refusals: importRefusals(maxDraftFileBytes),
})
