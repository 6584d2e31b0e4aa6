/** Lists tax rates, tire fees, and taxability by state. */
import { defineList, statesView, stateOf } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listStateTaxes } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { taxableKinds, tireFeeText } from '#domain/pricing/sales-tax/sales-tax.ts'
import type { TaxableKind } from '#domain/pricing/pricing/pricing.ts'
import { dateText } from '#platform/day-text.ts'
import { formatRate } from '#platform/money.ts'

const states = ['all', 'unverified', 'verified', 'updated'] as const

const taxedText = (kinds: readonly TaxableKind[]) => kinds.map((kind) => taxableKinds[kind]).join(', ')

export const taxes = defineList({
  name: 'taxes',
  title: 'Taxes and fees',
  path: officePaths.officeTaxes(),
  permission: 'sales-tax.read',
  caption: 'Taxes and fees by state',
  nouns: ['state', 'states'],
  view: statesView(states, { all: 'All', unverified: 'Unverified', verified: 'Verified', updated: 'Built-in updated' }),
  columns: [
    { key: 'state', label: 'State', isFixed: true },
    { key: 'code', label: 'Code', isFileOnly: true },
    { key: 'rate', label: 'State rate', isLabeled: true },
    { key: 'fee', label: 'Tire fee', isLabeled: true },
    { key: 'feeName', label: 'Fee name on receipts', isFileOnly: true },
    { key: 'taxed', label: 'Taxed', isLabeled: true },
    { key: 'starts', label: 'Since', isOff: true },
    { key: 'checked', label: 'Checked' },
    { key: 'verified', label: 'Verified', isFileOnly: true },
    { key: 'source', label: 'Source', isLabeled: true },
    { key: 'seen', label: 'Last change', isFileOnly: true },
    // Only where staff set other values.
    { key: 'builtInRate', label: 'Built-in rate', isFileOnly: true },
    { key: 'builtInFee', label: 'Built-in fee', isFileOnly: true },
    { key: 'builtInTaxed', label: 'Built-in taxed', isFileOnly: true },
    { key: 'builtInSource', label: 'Built-in source', isFileOnly: true },
    { key: 'builtInSince', label: 'Built-in since', isFileOnly: true },
    { key: 'builtInUpdated', label: 'Built-in updated', isFileOnly: true },
  ],
  links: [
    { label: 'Local sales tax', path: officePaths.officeSalesTax(), permission: 'sales-tax.read' },
    { label: 'Import a file', path: officePaths.officeTaxesImport(), permission: 'sales-tax.edit' },
  ],
  news: {
    imported: 'Taxes and fees imported. New orders use them from their start day.',
    'imported-same': 'The file matches the current taxes and fees. No changes made.',
  },
  read: async ({ app }, query) => {
    const state = stateOf(states, query)
    const all = await listStateTaxes(app)
    return {
      rows: all
        .filter(({ isVerified, builtIn }) => {
          if (state === 'updated') return builtIn?.isUpdated === true
          return state === 'all' || isVerified === (state === 'verified')
        })
        .map((tax) => {
          const ratePpm = tax.importedPpm ?? tax.ratePpm
          return {
            id: tax.state,
            label: tax.name,
            path: officePaths.officeTax(tax.state),
            cells: {
              state: tax.name,
              code: tax.state,
              rate: { text: ratePpm === 0 ? 'None' : formatRate(ratePpm), file: formatRate(tax.ratePpm) },
              fee: tireFeeText(tax.tireFee),
              feeName: tax.tireFeeName,
              taxed: { text: ratePpm === 0 ? null : taxedText(tax.taxed), file: taxedText(tax.taxed) },
              starts: { text: dateText(tax.startsOn), file: tax.startsOn },
              checked: {
                text: tax.isVerified && tax.checkedOn ? `Verified ${dateText(tax.checkedOn)}` : 'Unverified',
                file: tax.checkedOn,
                ...(!tax.isVerified && { tone: 'signal' as const }),
              },
              verified: tax.isVerified ? 'yes' : 'no',
              source: tax.source,
              seen: tax.seen,
              builtInRate: tax.builtIn && formatRate(tax.builtIn.ratePpm),
              builtInFee: tax.builtIn && tireFeeText(tax.builtIn.tireFee),
              builtInTaxed: tax.builtIn && taxedText(tax.builtIn.taxed),
              builtInSource: tax.builtIn && tax.builtIn.source,
              builtInSince: tax.builtIn && tax.builtIn.validFrom,
              builtInUpdated: tax.builtIn && (tax.builtIn.isUpdated ? 'yes' : 'no'),
            },
          }
        }),
      next: null,
    }
  },
})
