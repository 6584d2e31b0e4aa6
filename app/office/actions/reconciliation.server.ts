import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { readDay } from '#app/views/office/times.ts'
import { resolveDay, type ReconciledDay } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { longestNote, providerNames } from '#domain/aftercare/reconciliation/reconciliation.ts'
import { countOf } from '#platform/count-text.ts'
import { refused } from '#platform/outcome.ts'

const providers = Object.keys(providerNames) as ReconciledDay['provider'][]

/** Returns the provider and day of an ID such as "stripe-2026-11-20"; undefined for other text. */
export function reconciledDayOf(id: string): Pick<ReconciledDay, 'provider' | 'day'> | undefined {
  const provider = providers.find((each) => id.startsWith(`${each}-`))
  const day = provider && readDay(id.slice(provider.length + 1))
  return provider && day ? { provider, day: Temporal.PlainDate.from(day) } : undefined
}

export const reconciliationActions = defineActions({
  resource: 'reconciliation',
  noun: 'day',
  permission: 'reconciliation.resolve',
  actions: {
    resolve: formAction(
      {
        summary: 'Resolve a reconciled day',
        description: 'With an explanation of its difference. Its ID is such as `stripe-2026-11-20`.',
        form: z.object({ note: z.string().default('') }),
      },
      async ({ app, by, id }, { note }) => {
        const of = reconciledDayOf(id)
        return of ? resolveDay(app, { of, note, by }) : refused('not-found')
      },
    ),
  },
  refusals: {
    'no-note': { field: 'note', text: `Explain the difference, in up to ${countOf(longestNote, 'character')}.` },
    'not-open': 'This day is already resolved, or was never compared.',
  },
})
