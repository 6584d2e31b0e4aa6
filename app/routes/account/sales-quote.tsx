import { checkForm, formRefusal, readForm, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { quoteMessages } from '#content/messages/quotes.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { serverPaths } from '#content/server-paths.ts'
import { findOwnQuote, sendAgain, withdrawQuote } from '#domain/ordering/quotes/quotes.server.ts'
import { mostQuoteMails, reasonForm } from '#domain/ordering/quotes/quotes.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import { AccountPage } from './account-page.tsx'
import { quoteIdOf, requireSalesTool } from './require-sales-tool.server.ts'
import { salesQuoteView, type SalesQuoteView } from './sales-quote-view.server.ts'
import type { Route } from './+types/sales-quote.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageHead(matches, {
    title: loaderData ? `Quote ${loaderData.quote.number}` : 'Quote',
    description: 'Your quote and its status.',
    path: serverPaths.salesTool(),
    isIndexed: false,
  })

const news: Readonly<Record<string, string>> = {
  sent: quoteMessages.sent,
  again: 'Email queued to be sent again.',
  withdrawn: 'Quote withdrawn. Its link no longer works.',
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = quoteIdOf(params.quoteId)
  const { app, by } = await requireSalesTool(context, serverPaths.salesQuote(id))
  const found = await findOwnQuote(app, by.accountId, id)
  if (!found) throw new Response(null, { status: 404 })
  return { news: news[url.searchParams.get('done') ?? ''] ?? null, quote: await salesQuoteView(app, found) }
}

const refusals = {
  'not-allowed': 'Your account is no longer a sales account.',
  'not-possible': 'This quote was just updated.',
  'too-often': `A quote is emailed ${countOf(mostQuoteMails, 'time')} at most. Give the customer its link.`,
  'too-many': 'You have sent as many emails as we allow in a day. Try again tomorrow.',
} as const

/** `again` sends the email once more, `withdraw` ends the quote. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const id = quoteIdOf(params.quoteId)
  const { app, by } = await requireSalesTool(context, serverPaths.salesQuote(id))
  if (!(await findOwnQuote(app, by.accountId, id))) throw new Response(null, { status: 404 })
  const fields = await readForm(request)
  const intent = fields.get('intent')
  if (intent === 'again') {
    const seen = fields.get('mails') ?? ''
    const sent = await sendAgain(app, by, { id, mails: /^\d{1,2}$/.test(seen) ? Number(seen) : 0 })
    if (sent.ok) return seeOther(serverPaths.salesQuote(id, 'again'))
    if (sent.reason === 'not-found') throw new Response(null, { status: 404 })
    const reply = formRefusal(fields, refusals[sent.reason])
    if (sent.reason === 'too-many') return refuseTry(context, reply, sent.detail)
    return refuseForm(reply, sent.reason === 'not-allowed' ? 403 : 409)
  }
  if (intent !== 'withdraw') return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const checked = checkForm(reasonForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const ended = await withdrawQuote(app, by, { id, reason: checked.value.reason })
  if (ended.ok) return seeOther(serverPaths.salesQuote(id, 'withdrawn'))
  if (ended.reason === 'not-found') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, refusals[ended.reason]), ended.reason === 'not-allowed' ? 403 : 409)
}

export default function SalesQuote({ loaderData: { news: done, quote }, actionData: reply }: Route.ComponentProps) {
  const isWithdrawal = reply?.values['intent'] === 'withdraw'
  return (
    <AccountPage title={`Quote ${quote.number}`} at="sales-tool">
      {done && !reply ? (
        <p className="notice" role="status">
          {done}
        </p>
      ) : null}
      {reply && !isWithdrawal ? <ErrorSummary reply={reply} /> : null}
      <p className="row wrap-row">
        <span className={`tag ${quote.tone}`}>{quote.words}</span>
        <a href={serverPaths.salesTool()}>All your quotes</a>
      </p>
      {quote.hasBounced ? (
        <p className="notice">
          The customer’s mail server refused the address. Withdraw this quote and send one to the right address.
        </p>
      ) : null}
      {quote.order ? (
        <section className="panel padded stack" aria-labelledby="order">
          <h2 id="order">Order {quote.order.number}</h2>
          <p className="tabular">
            {quote.order.total}. {quote.order.state}.
          </p>
        </section>
      ) : null}
      <QuotedPanel quote={quote} />
      <Steps quote={quote} />
      {quote.link ? <LinkPanel link={quote.link} /> : null}
      <Acts quote={quote} reply={isWithdrawal ? reply : undefined} />
    </AccountPage>
  )
}

function QuotedPanel({ quote: { details, tires, note, rows } }: { quote: SalesQuoteView }) {
  return (
    <section className="panel padded stack" aria-labelledby="quoted">
      <h2 id="quoted">What you quoted</h2>
      <dl className="account-details">
        {details.map(([term, words]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <ul className="tabular">
        {tires.map(({ itemId, words }) => (
          <li key={itemId}>{words}</li>
        ))}
      </ul>
      {note ? <p>“{note}”</p> : null}
      <OrderSummary rows={rows} caption="What the customer pays" />
    </section>
  )
}

function Steps({ quote: { steps } }: { quote: SalesQuoteView }) {
  return (
    <section className="panel padded stack" aria-labelledby="steps">
      <h2 id="steps">Quote activity</h2>
      <ol className="sales-steps">
        {steps.map(({ key, time, words, who, note }) => (
          <li key={key}>
            <span className="small muted tabular">{time}</span>
            <span>
              <b>{words}</b>
              {who ? `, ${who}` : ''}
              {note ? `: ${note}` : ''}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The same link as in the email, for a text or a call. */
function LinkPanel({ link }: { link: string }) {
  return (
    <section className="panel padded stack share" aria-labelledby="link">
      <h2 id="link">Link</h2>
      <label className="field">
        Anyone with this link can open the quote
        <input className="input" readOnly value={link} />
      </label>
      <p>
        <button className="btn with-script" type="button" data-interaction="copy">
          Copy link
        </button>
      </p>
      <p className="small" role="status" />
    </section>
  )
}

function Acts({ quote, reply }: { quote: SalesQuoteView; reply: FormReply | undefined }) {
  if (!quote.canSendAgain && !quote.canWithdraw) return null
  return (
    <section className="panel padded stack" aria-labelledby="acts">
      <h2 id="acts">What you can do</h2>
      {quote.canSendAgain ? (
        <form method="post">
          <input type="hidden" name="mails" value={quote.mails} />
          <button className="btn" name="intent" value="again">
            Send the email again
          </button>
        </form>
      ) : null}
      {quote.canWithdraw ? (
        <form method="post" className="account-form stack" noValidate>
          <ErrorSummary reply={reply} labels={{ reason: 'Why' }} />
          <Field
            name="reason"
            label="Why withdraw it"
            reply={reply}
            maxLength={500}
            autoComplete="off"
            required
            hint="For you and the store. The customer isn’t notified."
          />
          <p>
            <button className="btn quiet" name="intent" value="withdraw">
              Withdraw the quote
            </button>
          </p>
        </form>
      ) : null}
    </section>
  )
}
