import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { KeyValues, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { QuoteView } from '#app/views/office-quote.server.ts'

const columns = [
  { key: 'tire', label: 'Tires', isRowHeader: true },
  { key: 'quantity', label: 'Quantity', isAmount: true },
  { key: 'price', label: 'Quoted, each', isAmount: true },
  { key: 'margin', label: 'Margin' },
  { key: 'sum', label: 'Sum', isAmount: true },
]

/** A quote that is not edited anymore: as it was sent, or as it waits for approval. */
export function SentQuote({ quote }: { quote: QuoteView }) {
  return (
    <>
      {quote.order ? (
        <Notice tone="go" title={`Ordered as ${quote.order}`} />
      ) : quote.successor ? (
        <Notice tone="signal" title="There is a new version">
          <p>
            <a href={quote.successor.path}>{quote.successor.number}</a>
          </p>
        </Notice>
      ) : null}
      <Panel id="customer" title="Customer">
        <PanelBody>
          <KeyValues
            rows={[
              ['Name', quote.name],
              ['Email', quote.email],
              ['Phone', quote.phone ?? '–'],
              ['Account', quote.account ?? '–'],
              ['By', quote.by],
              ['Prices', quote.labelName],
              ['Vehicle', quote.vehicle ?? '–'],
              ['Good through', `${quote.goodThroughText}, Eastern Time`],
              ['Replaces', <FormerLink key="former" former={quote.former} />],
            ]}
          />
        </PanelBody>
      </Panel>
      <Panel id="tires" title="Tires">
        <DataTable
          caption="Tires of the quote"
          columns={columns}
          rows={quote.lines.map((line) => ({
            id: String(line.itemId),
            cells: {
              tire: line.name,
              quantity: line.quantity,
              price: line.priceText,
              margin: line.isLow ? `${line.margin}: below it` : line.margin,
              sum: line.sum,
            },
          }))}
        />
        <PanelBody>
          <p className="small">Staff only, not in the email: {quote.staffOnly}</p>
        </PanelBody>
      </Panel>
      {quote.link ? (
        <Panel id="link" title="Link">
          <PanelBody>
            <p className="small">Whoever has it can open the quote.</p>
            <p className="quote-link">
              <code>{quote.link}</code>
            </p>
          </PanelBody>
        </Panel>
      ) : null}
    </>
  )
}

function FormerLink({ former }: Pick<QuoteView, 'former'>) {
  return former ? <a href={former.path}>{former.number}</a> : '–'
}

/** What can be done with the quote in its state. */
export function QuoteActs({ quote, reply }: { quote: QuoteView; reply: FormReply | undefined }) {
  const { state } = quote
  if (state === 'draft')
    return (
      <Panel id="acts" title="Send">
        <PanelBody>
          <p className="small">By email to {quote.email}.</p>
          <p>
            <button className="btn primary wide" form="draft" name="intent" value="send">
              {quote.isLow && !quote.mayApprove ? 'Ask for approval' : 'Send quote'}
            </button>
          </p>
          <p>
            <button className="btn quiet wide" form="draft" name="intent" value="save">
              Save
            </button>
          </p>
        </PanelBody>
        <PanelBody>
          <ReasonForm intent="withdraw" words="Withdraw draft" reply={reply} />
        </PanelBody>
      </Panel>
    )
  const isOpen = quote.link !== null
  const isWaiting = state === 'needs-approval'
  if (!isOpen && !isWaiting && state !== 'expired') return null
  return (
    <Panel id="acts" title="What can be done">
      {isWaiting && quote.mayApprove ? (
        <PanelBody>
          <form method="post">
            <button className="btn primary wide" name="intent" value="approve">
              Approve and send
            </button>
          </form>
          <ReasonForm intent="reject" words="Send back" reply={reply} />
        </PanelBody>
      ) : null}
      {isWaiting && !quote.mayApprove ? (
        <PanelBody>
          <p>A price is below the floor. A manager or an owner has to approve it.</p>
        </PanelBody>
      ) : null}
      {isWaiting ? null : (
        <PanelBody>
          <form method="post">
            <button className="btn quiet wide" name="intent" value="version">
              Change as version {quote.version + 1}
            </button>
          </form>
          <p className="small">A sent quote is never edited. This one stays good until the new version is sent.</p>
        </PanelBody>
      )}
      {isOpen || isWaiting ? (
        <PanelBody>
          <ReasonForm intent="withdraw" words="Withdraw" reply={reply} />
        </PanelBody>
      ) : null}
    </Panel>
  )
}

function ReasonForm({
  intent,
  words,
  reply,
}: {
  intent: 'withdraw' | 'reject'
  words: string
  reply: FormReply | undefined
}) {
  const own = reply?.values['intent'] === intent ? reply : undefined
  return (
    <form method="post" noValidate>
      <ErrorSummary reply={own} labels={{ reason: 'Why' }} />
      <Field
        name="reason"
        label={`Why ${intent === 'reject' ? 'not' : 'withdraw it'}`}
        reply={own}
        maxLength={500}
        autoComplete="off"
        required
      />
      <button className="btn stop" name="intent" value={intent}>
        {words}
      </button>
    </form>
  )
}
