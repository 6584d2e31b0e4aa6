/** What a list of quotes is asked for. Anything else counts as not asked. */
import { quoteStates, type QuoteState } from '#domain/quotes/quotes.ts'

export function readQuotesQuery(query: URLSearchParams): {
  state: QuoteState | null
  email: string | null
  before: number | null
} {
  const state = quoteStates.find((name) => name === query.get('state')) ?? null
  const email = (query.get('email') ?? '').replaceAll('\0', '').trim().toLowerCase().slice(0, 254)
  const before = query.get('before') ?? ''
  return { state, email: email || null, before: /^\d{1,15}$/.test(before) ? Number(before) : null }
}
