/** The list of manufacturer rebates, newest first. */
import { day, defineList, idPlace, money, placeOfId } from '#app/office/define-list.server.ts'
import { rebateValues } from '#app/views/offer-form.ts'
import { rebatePaymentLabels } from '#app/views/rebate-labels.ts'
import { scheduledStates } from '#app/views/scheduled-states.ts'
import { officePaths } from '#content/office-paths.ts'
import { listOfficeRebates } from '#domain/catalog/promotions/promotions.server.ts'
import { rebateFile, rebateStateAt } from '#domain/catalog/promotions/promotions.ts'
import type { OfficeRebate } from '#domain/catalog/catalog/catalog.server.ts'
import { countOf } from '#platform/count-text.ts'
import { storeZone } from '#platform/store-zone.ts'

/** The other columns of the file, which can be imported again. */
const fileColumns = Object.entries(rebateFile.columns)
  .filter(([field]) => field !== 'name')
  .map(([field, label]) => ({ key: `typed-${field}`, label, isFileOnly: true }))

export const rebates = defineList({
  name: 'rebates',
  title: 'Rebates',
  path: officePaths.officeRebates(),
  permission: 'promotions.read',
  caption: 'Rebates, newest first',
  empty: 'No rebates yet. Add the ones that manufacturers offer on your tires.',
  nouns: ['rebate', 'rebates'],
  columns: [
    { key: 'name', label: 'Rebate', isFixed: true },
    { key: 'state', label: 'State' },
    { key: 'subject', label: 'Applies to', isLabeled: true },
    { key: 'amount', label: 'Amount', kind: 'money' },
    { key: 'units', label: 'For', isLabeled: true },
    { key: 'paid', label: 'Paid as', isLabeled: true },
    { key: 'starts', label: 'First day', isLabeled: true },
    { key: 'ends', label: 'Last day', isLabeled: true },
    { key: 'claims', label: 'Claims until', isLabeled: true },
    { key: 'claim', label: 'Claim', isOff: true },
    ...fileColumns,
  ],
  links: [
    { label: 'Import a file', path: officePaths.officeRebatesImport(), permission: 'promotions.edit' },
    { label: 'Add a rebate', path: officePaths.officeRebate('new'), permission: 'promotions.edit', isPrimary: true },
  ],
  news: {
    discarded: 'Draft discarded.',
    imported: 'Rebates imported. Schedule each draft when it’s ready.',
    'imported-same': 'The file matches the current rebates. No changes made.',
  },
  read: async ({ app, can, now }, { after, before }) => {
    const { rebates: found, next } = await listOfficeRebates(app, idPlace(after ?? before))
    return {
      rows: found.map((rebate) => ({
        id: String(rebate.id),
        label: rebate.name,
        path: can('promotions.edit') ? officePaths.officeRebate(String(rebate.id)) : null,
        cells: {
          ...typedCells(rebate),
          name: rebate.name,
          state: scheduledStates[rebateStateAt(rebate, now)].words,
          subject: rebate.subjectName,
          amount: money(rebate.amountCents),
          units: countOf(rebate.units, 'tire'),
          paid: rebatePaymentLabels[rebate.paidAs],
          starts: day(dayOf(rebate.startsAt)),
          // The end is the midnight after the last purchase day.
          ends: day(dayOf(rebate.endsAt).subtract({ days: 1 })),
          claims: day(rebate.lastClaimOn),
          claim: rebate.formUrl ?? rebate.mailTo,
        },
      })),
      next: placeOfId(next),
    }
  },
})

function typedCells(rebate: OfficeRebate): Record<string, string> {
  const typed = { id: String(rebate.id), version: String(rebate.version), ...rebateValues(rebate) }
  return Object.fromEntries(Object.entries(typed).map(([field, value]) => [`typed-${field}`, value]))
}

const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(storeZone).toPlainDate()
