import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { readMatrix, setRate } from '#domain/installer-portal/payouts/payouts.server.ts'
import { payBands, payJobs, rateForm } from '#domain/installer-portal/payouts/payouts.ts'
import { oldSignIn } from './settings.server.ts'

/** What shops are paid per tire. */
export const payoutRateActions = defineActions({
  resource: 'payout-rates',
  hasNoId: true,
  noun: 'payout schedule',
  permission: 'pay.matrix',
  actions: {
    add: formAction(
      {
        summary: 'Change a payout rate from a day on',
        description: 'Earlier jobs aren’t affected. A repeated request has no effect.',
        form: rateForm,
      },
      ({ app, by }, rate) => setRate(app, by, rate),
    ),
  },
  refusals: {
    'not-fresh': oldSignIn,
    'not-in-future': { field: 'startsOn', text: 'Choose a day after today.' },
    'planned-already': 'Another change of this rate is scheduled. Wait until it applies.',
  },
  async read(app) {
    return {
      rates: (await readMatrix(app)).map(({ job, state, rimFromIn, cents, startsOn, endsOn }) => ({
        job,
        band: String(payBands.findIndex(([from]) => from === rimFromIn)),
        state,
        amount: cents,
        startsOn,
        endsOn,
      })),
    }
  },
  facts: z.object({
    rates: z
      .array(
        z.object({
          job: z.enum(payJobs.map(({ job }) => job)),
          band: z.string(),
          state: z.string().nullable().meta({ description: 'Null for all states without a separate rate' }),
          amount: z.int().meta({ description: 'In cents per tire' }),
          startsOn: z.iso.date(),
          endsOn: z.iso.date().nullable().meta({ description: 'The day from which it no longer applies' }),
        }),
      )
      .meta({ description: 'Those that apply today or later' }),
  }),
})
