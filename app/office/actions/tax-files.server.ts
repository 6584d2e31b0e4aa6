/** Uploads of sales tax rates and of state taxes and fees. */
import { z } from 'zod'
import { fileFaults } from '#app/office/decision.server.ts'
import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import { readSentText } from '#app/office/sent-file.server.ts'
import {
  discardRates,
  importRates,
  importStateTaxes,
  previewRates,
  uploadRates,
} from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { maxStateTaxBytes, mostRateBytes, rateColumns, ratesForm } from '#domain/pricing/sales-tax/sales-tax.ts'
import { refused } from '#platform/outcome.ts'

const csv = ['text/csv'] as const

/** An import replaces all rates for the states in the file. */
export const rateFileActions = defineActions({
  resource: 'sales-tax',
  noun: 'rate file',
  permission: 'sales-tax.edit',
  actions: {
    add: formAction(
      {
        summary: 'Upload sales tax rates',
        description: `CSV with the columns ${rateColumns.join(', ')}, up to ${mostRateBytes / 1024 / 1024} MB. \`formKey\` is a UUID that you choose, and sending it again returns the same file. Read what it changes, and import it.`,
        form: ratesForm,
        file: csv,
      },
      async ({ app, by, file }, rates) => {
        if (!file) return refused('no-file')
        const text = await readSentText(file, mostRateBytes)
        if (text === undefined) return refused('too-large')
        return uploadRates(app, by, { ...rates, fileName: file.name.slice(0, 200) || 'rates.csv', text })
      },
      String,
    ),
    import: plainAction(
      {
        summary: 'Import uploaded rates',
        description: 'Replaces the rates of every state in it. Prices update immediately.',
      },
      ({ app, by, id }) => importRates(app, by, numberedId(id)),
    ),
    discard: plainAction({ summary: 'Discard uploaded rates' }, ({ app, by, id }) =>
      discardRates(app, by, numberedId(id)),
    ),
  },
  refusals: {
    gone: 'This file was already imported or discarded.',
    'no-file': { field: 'file', text: 'Choose a CSV file.' },
    'too-large': { field: 'file', text: `The file is larger than ${mostRateBytes / 1024 / 1024} MB.` },
    faults: fileFaults,
  },
  async read({ db }, id) {
    const preview = await previewRates(db, numberedId(id))
    if (!preview) return undefined
    const { fileName, rowCount, states, changes } = preview
    return { fileName, rows: rowCount, states, ...changes }
  },
  facts: z.object({
    fileName: z.string(),
    rows: z.int(),
    states: z.array(z.string()).meta({ description: 'All of their rates are replaced' }),
    added: z.int(),
    changed: z.int(),
    same: z.int(),
    removed: z.int(),
  }),
})

export const stateTaxFileActions = defineActions({
  resource: 'taxes',
  noun: 'tax file',
  permission: 'sales-tax.edit',
  hasNoId: true,
  actions: {
    import: plainAction(
      {
        summary: 'Import state taxes and fees',
        description: `CSV as the list is exported, up to ${maxStateTaxBytes / 1024} kB. If a row has an error, no rows are imported.`,
        file: csv,
        result: z.object({ changed: z.int() }),
      },
      async ({ app, by, file }) => {
        if (!file) return refused('no-file')
        const text = await readSentText(file, maxStateTaxBytes)
        return text === undefined ? refused('too-large') : importStateTaxes(app, by, text)
      },
    ),
  },
  refusals: {
    'no-file': { field: 'file', text: 'Choose a CSV file.' },
    'too-large': { field: 'file', text: `The file is larger than ${maxStateTaxBytes / 1024} kB.` },
    faults: fileFaults,
  },
})
