import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import {
  cancelStateTaxChange,
  changeStateTax,
  findStateTax,
  useBuiltInTax,
} from '#domain/pricing/sales-tax/sales-tax.server.ts'
import {
  cancelStateTaxForm,
  resetStateTaxForm,
  stateTaxForm,
  taxableKindNames,
  tireFeeText,
} from '#domain/pricing/sales-tax/sales-tax.ts'

/** Returns the state's code in an address; empty, which no state has, for any other text. */
export const stateOf = (text: string) => (/^[A-Z]{2}$/.test(text) ? text : '')

export const stateTaxActions = defineActions({
  resource: 'taxes',
  noun: 'state',
  permission: 'sales-tax.edit',
  actions: {
    change: formAction(
      {
        summary: 'Change a state’s taxes and fees',
        description: 'Now, or at the start of `startsOn`. Orders keep the rates and fees they were placed under.',
        form: stateTaxForm,
      },
      ({ app, by, id }, input) => changeStateTax(app, by, { state: stateOf(id), ...input }),
    ),
    reset: formAction(
      {
        summary: 'Return a state to the store’s built-in taxes and fees',
        description: 'Now, with their updates from then on. Refused if the state has them.',
        form: resetStateTaxForm,
      },
      ({ app, by, id }, { seen }) => useBuiltInTax(app, by, { state: stateOf(id), seen }),
    ),
    cancel: formAction(
      {
        summary: 'Cancel a scheduled change of a state’s taxes and fees',
        description: 'Only before it starts.',
        form: cancelStateTaxForm,
      },
      ({ app, by, id }, { change }) => cancelStateTaxChange(app, by, { state: stateOf(id), change }),
    ),
  },
  refusals: {
    'no-state': null,
    'starts-in-past': { field: 'startsOn', text: 'Choose a day from today to two years ahead.' },
    'checked-later': { field: 'checkedOn', text: 'Choose today or an earlier day.' },
    'too-many': 'This state has reached the limit of 500 changes.',
    'has-built-in': 'This state has the store’s built-in taxes and fees.',
    gone: 'This change was canceled already.',
    started: 'This change has started. Save what should apply instead.',
  },
  async read(app, id) {
    const found = await findStateTax(app, stateOf(id))
    if (!found) return undefined
    const { ratePpm, tireFee, tireFeeName, taxed, source, checkedOn, isVerified } = found.view
    return {
      rate: String(ratePpm / 10_000),
      tireFee: tireFeeText(tireFee),
      tireFeeName,
      source,
      checkedOn,
      startsOn: null,
      isVerified,
      seen: found.seen,
      ...Object.fromEntries(taxableKindNames.map((kind) => [`taxed-${kind}`, taxed.includes(kind)])),
    }
  },
})
