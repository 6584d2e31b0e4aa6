import { html } from 'hono/html'
import { dollars, shopperPage, type Html } from '../pages/layout.ts'
import type { Ledger, StoredSession } from './ledger.ts'
import { pageMethods, type PayLaterType } from './page-methods.ts'
import { answerOnPage, expireSession, successUrl } from './sessions.ts'

const answers = [
  { answer: 'approves', label: 'Approve' },
  { answer: 'approves-but-keeps', label: 'Approve, and refuse refunds later' },
  { answer: 'declines', label: 'Decline' },
  { answer: 'stalls', label: 'Answer later' },
  { answer: 'expires', label: 'Let the page expire' },
] as const

/** A lender's page, on which the visitor chooses what the lender answers. */
export function lenderPage({ session }: StoredSession, type: PayLaterType, failure: string | null): Html {
  const { name } = pageMethods[type]
  return shopperPage(
    name,
    html`<h1>${name}: pay ${dollars(session.amount_total ?? 0)} over time</h1>
      ${failure && html`<p class="error" role="alert">${failure}</p>`}
      <p>This sandbox plays the lender. Choose its answer.</p>
      <form method="post">
        ${answers.map(
          ({ answer, label }, at) =>
            html`<p>
              <button class="button wide${at === 0 ? ' primary' : ''}" name="answer" value="${answer}">${label}</button>
            </p>`,
        )}
      </form>
      ${session.cancel_url && html`<p><a href="${session.cancel_url}">Go back without paying</a></p>`}`,
    'page',
  )
}

/** Applies the answer. Returns the next URL. Returns null for a decline, which the page shows. */
export function answerLender(ledger: Ledger, stored: StoredSession, type: PayLaterType, answer: string): string | null {
  const { session } = stored
  if (answer === 'expires') {
    expireSession(ledger, null, session.id)
    return session.cancel_url ?? `/pay/${session.id}`
  }
  const found = answers.find((one) => one.answer === answer)?.answer
  if (found === undefined || found === 'expires') return `/pay/${session.id}`
  const intent = answerOnPage(ledger, session.id, type, found)
  return intent.status === 'requires_payment_method' ? null : successUrl(stored)
}
