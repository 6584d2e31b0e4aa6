import type { FormReply } from '#app/forms/form.ts'
import { quoteActions } from '#app/office/actions/quotes.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { button, OfficeForm } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag, Timeline } from '#app/ui/office/office-parts.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import requirementStyles from '#app/ui/styles/requirement-table.css?url'
import { officePaths } from '#content/office-paths.ts'
import { findQuote } from '#domain/ordering/quotes/quotes.server.ts'
import { countOf } from '#platform/count-text.ts'
import { newId } from '#platform/ids.ts'
import { cleanText } from '#platform/plain-text.ts'
import { quoteNews, quoteRefusals, quoteSteps } from './quote-action.server.ts'
import { DraftForm } from './quote-draft.tsx'
import { QuotePreview } from './quote-parts.tsx'
import { AfterSending, QuoteActs, SentQuote } from './quote-sent.tsx'
import { quoteView, type QuoteView } from '#app/views/office/quote.server.ts'
import type { Route } from './+types/quote.ts'

export const links = () => [{ rel: 'stylesheet', href: requirementStyles }]
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Quote ${loaderData.quote.number}` : 'Quote', officePaths.officeQuotes())

function idOf(text: string): number {
  return Number(found(/^\d{1,15}$/.exec(text)?.[0]))
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = idOf(params.id)
  const { app, session } = await requireStaff(context, 'quotes.write', officePaths.officeQuote(id))
  const quote = found(await findQuote(app, id))
  const asked = url.searchParams.get('q')
  // A search without words is for the vehicle's own sizes.
  const text = asked === null ? null : asked === 'vehicle' ? '' : cleanText(asked).trim().slice(0, 120)
  const position = /^\d{1,2}$/.test(url.searchParams.get('v') ?? '') ? Number(url.searchParams.get('v')) : 1
  const search = text === null ? null : { text, position }
  const done = url.searchParams.get('done') ?? ''
  return {
    news: Object.hasOwn(quoteNews, done) ? quoteNews[done as keyof typeof quoteNews] : null,
    quote: await quoteView(app, quote, { roles: session.roles, search }),
    copyKey: newId(),
  }
}

/** Saves, sends or ends the quote: see `quoteSteps`. */
export const action = (args: Route.ActionArgs) => {
  const id = idOf(args.params.id)
  return decideActions(
    args,
    {
      id: args.params.id,
      path: (done) => officePaths.officeQuote(id, { done }),
      done: { reject: 'rejected', withdraw: 'withdrawn', again: 'again', extend: 'extended' },
      more: { steps: (posted) => quoteSteps(posted, id), refusals: quoteRefusals },
    },
    quoteActions,
  )
}

export default function QuotePage({ loaderData: { news, quote, copyKey }, actionData: reply }: Route.ComponentProps) {
  return (
    <OfficePage
      title={quote.whole ? `Quote ${quote.number}, ${quote.vehicles[0]?.title ?? 'vehicle'}` : `Quote ${quote.number}`}
      crumbs={[
        { label: 'Quotes', path: officePaths.officeQuotes() },
        ...(quote.whole ? [{ label: `Quote ${quote.number}`, path: quote.whole.path }] : []),
      ]}
      tags={
        <>
          <Tag tone={quote.tone}>{quote.stateName}</Tag>
          {quote.ordered ? <Tag>{quote.ordered}</Tag> : null}
          {quote.version > 1 ? <Tag>Version {quote.version}</Tag> : null}
          {quote.state === 'draft' ? <span className="office-note">Saved {quote.savedAt}</span> : null}
        </>
      }
      end={
        <>
          {quote.whole ? null : (
            <OfficeForm reply={reply} hidden={{ key: copyKey }} buttons={[button('copy', 'Copy', 'quiet')]} />
          )}
          {quote.state === 'draft' ? (
            <a className="btn quiet stop" href="#withdraw">
              Withdraw draft
            </a>
          ) : null}
        </>
      }
      reply={reply}
    >
      {news && !reply ? <News news={news} problems={quote.problems} /> : null}
      {quote.state === 'bounced' ? (
        <Notice tone="stop" title="Quote Could Not Be Sent">
          <p>The mail server refused {quote.email}. Make a new version with the right email.</p>
        </Notice>
      ) : null}
      <Columns body={<Body quote={quote} reply={reply} />} last={<Side quote={quote} reply={reply} />} />
      <AfterSending quote={quote} reply={reply} />
    </OfficePage>
  )
}

function News({
  news,
  problems,
}: {
  news: NonNullable<Route.ComponentProps['loaderData']['news']>
  problems: string[]
}) {
  return (
    <Notice tone={news.tone} title={news.title} isNews>
      {news.tone === 'stop' ? problems.map((problem) => <p key={problem}>{problem}</p>) : null}
    </Notice>
  )
}

function Body({ quote, reply }: { quote: QuoteView; reply: FormReply | undefined }) {
  return quote.state === 'draft' && !quote.whole ? (
    <DraftForm quote={quote} reply={reply} />
  ) : (
    <SentQuote quote={quote} />
  )
}

function Side({ quote, reply }: { quote: QuoteView; reply: FormReply | undefined }) {
  return (
    <>
      <Panel id="total" title="Total" end={<span className="office-note">{countOf(quote.tires, 'tire')}</span>}>
        <PanelBody>
          {quote.rows.length > 0 ? (
            <>
              <OrderSummary rows={quote.rows} caption="What the customer pays" />
              {quote.compared ? <p className="small muted">{quote.compared}</p> : null}
            </>
          ) : (
            <p className="muted">Add tires and a destination to see the total.</p>
          )}
          {quote.problems.map((problem) => (
            <p key={problem} className="small">
              {problem}
            </p>
          ))}
        </PanelBody>
        {quote.state === 'draft' && !quote.whole ? <SendBody quote={quote} /> : null}
      </Panel>
      <QuotePreview quote={quote} />
      <QuoteActs quote={quote} reply={reply} />
      <Panel id="history" title="What happened" note="Eastern Time">
        <PanelBody>
          <Timeline days={quote.history} />
        </PanelBody>
      </Panel>
    </>
  )
}

/** Where the quote is sent, with the buttons of the draft's form. */
function SendBody({ quote: { sending, isLow, mayApprove } }: { quote: QuoteView }) {
  return (
    <PanelBody>
      <h3>Send by</h3>
      <KeyValues
        rows={[
          ['Email', sending.email],
          ['Text message', sending.texts ?? 'No phone'],
        ]}
      />
      <p>
        <button className="btn primary wide" form="draft" name="intent" value="send">
          {isLow && !mayApprove ? 'Request approval' : 'Send quote'}
        </button>
      </p>
      <p>
        <button className="btn quiet wide" form="draft" name="intent" value="save">
          Save
        </button>
      </p>
    </PanelBody>
  )
}
