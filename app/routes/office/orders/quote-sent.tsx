import type { FormReply } from '#app/forms/form.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel, OfficeForm, type FormButton } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { phoneText } from '#platform/phone-text.ts'
import type { QuoteView } from '#app/views/office/quote.server.ts'

/** Renders a quote that was sent or is pending approval, as read-only. */
export function SentQuote({ quote }: { quote: QuoteView }) {
  return (
    <>
      {quote.order ? (
        <Notice tone="go" title={`Ordered as ${quote.order.number}`}>
          {quote.order.path ? (
            <p>
              <a href={quote.order.path}>Open the order</a>
            </p>
          ) : null}
        </Notice>
      ) : quote.successor ? (
        <Notice tone="signal" title="There is a new version">
          <p>
            <a href={quote.successor.path}>{quote.successor.number}</a>
          </p>
        </Notice>
      ) : null}
      <FactsPanel
        id="customer"
        title="Customer"
        rows={[
          ['Name', quote.name],
          [
            'Email',
            <a key="email" href={`mailto:${quote.email}`}>
              {quote.email}
            </a>,
          ],
          ...(quote.phone ? [['Phone', phoneText(quote.phone)] as const] : []),
          ['Address', quote.addressText ?? 'Entered by the customer'],
          ...(quote.pickup ? [['Pickup', quote.pickup] as const] : []),
          ...(quote.account ? [['Account', quote.account] as const] : []),
          ['By', quote.by],
          ['Prices', quote.labelName],
          ...(quote.vehicle ? [['Vehicle', quote.vehicle] as const] : []),
          ['Good through', `${quote.goodThroughText}, Eastern Time`],
          ...(quote.former ? [['Replaces', <FormerLink key="former" former={quote.former} />] as const] : []),
        ]}
      />
      <TablePanel
        id="tires"
        title="Tires"
        caption="Tires in the quote"
        columns={{ tire: 'Tires', quantity: 'Quantity', price: 'Unit price', margin: 'Margin', sum: 'Total' }}
        amounts={['quantity', 'price', 'sum']}
        rows={quote.lines.map((line) => ({
          id: String(line.itemId),
          cells: {
            tire: line.name,
            quantity: line.quantity,
            price: line.priceText,
            margin: line.isLow ? `${line.margin}: below the minimum` : line.margin,
            sum: line.sum,
          },
        }))}
      >
        <PanelBody>
          <p className="small">Staff only, not in the email: {quote.staffOnly}</p>
        </PanelBody>
      </TablePanel>
      {quote.link ? (
        <Panel id="link" title="Link">
          <PanelBody>
            <p className="small">Anyone with this link can open the quote.</p>
            <p className="quote-link">
              <code>{quote.link}</code>
            </p>
          </PanelBody>
        </Panel>
      ) : null}
    </>
  )
}

function FormerLink({ former }: { former: NonNullable<QuoteView['former']> }) {
  return <a href={former.path}>{former.number}</a>
}

type Acts = { quote: QuoteView; reply: FormReply | undefined }

/** Renders the actions for the quote's state. */
export function QuoteActs({ quote, reply }: Acts) {
  const { state, link } = quote
  if (state === 'draft')
    return (
      <>
        <Panel id="acts" title="Send">
          <PanelBody>
            <p className="small">By email to {quote.email}.</p>
            <p>
              <button className="btn primary wide" form="draft" name="intent" value="send">
                {quote.isLow && !quote.mayApprove ? 'Request approval' : 'Send quote'}
              </button>
            </p>
            <p>
              <button className="btn quiet wide" form="draft" name="intent" value="save">
                Save
              </button>
            </p>
          </PanelBody>
        </Panel>
        <ReasonPanel act={button('withdraw', 'Withdraw draft', 'stop')} reply={reply} />
      </>
    )
  const isOpen = link !== null
  if (state === 'needs-approval')
    return (
      <>
        <Panel id="acts" title="Approval">
          <PanelBody>
            {quote.mayApprove ? (
              <OfficeForm reply={reply} buttons={[button('approve', 'Approve and send', 'primary')]} />
            ) : (
              <p>A price is below the minimum. A manager or an owner must approve it.</p>
            )}
          </PanelBody>
        </Panel>
        {quote.mayApprove ? <ReasonPanel act={button('reject', 'Request changes', 'stop')} reply={reply} /> : null}
        <ReasonPanel act={button('withdraw', 'Withdraw', 'stop')} reply={reply} />
      </>
    )
  if (!isOpen && state !== 'expired') return null
  return (
    <>
      {quote.installation ? <InstallationPanel installation={quote.installation} reply={reply} /> : null}
      {quote.terms ? <TermsPanel terms={quote.terms} reply={reply} /> : null}
      <FormPanel
        id="acts"
        title="New version"
        reply={reply}
        buttons={[button('version', `Change as version ${quote.version + 1}`, 'quiet')]}
        note="Sent quotes can’t be edited. This one stays good until you send the new version."
      />
      {isOpen ? <ReasonPanel act={button('withdraw', 'Withdraw', 'stop')} reply={reply} /> : null}
    </>
  )
}

/** Holds an installation time in the customer's cart. */
function InstallationPanel({
  installation: { times, state },
  reply,
}: Pick<Acts, 'reply'> & { installation: NonNullable<QuoteView['installation']> }) {
  if (times === null)
    return (
      <FormPanel
        id="installation"
        title="Installation"
        reply={reply}
        text="Opens the customer’s cart to hold a time at a shop or mobile installer."
        buttons={[button('installation', 'Find times', 'quiet')]}
      />
    )
  return (
    <FormPanel
      id="installation"
      title="Installation"
      reply={reply}
      text={state ?? 'Times are held for ten minutes, at the shop’s total.'}
      fields={{ slot: { kind: 'choice', label: 'Shop, time, and total', options: [['', 'Choose'], ...times] } }}
      buttons={[button('book', 'Hold time', 'quiet')]}
    />
  )
}

/** Orders the quote for a company, in its customer's name. */
function TermsPanel({ terms, reply }: Pick<Acts, 'reply'> & { terms: NonNullable<QuoteView['terms']> }) {
  return (
    <FormPanel
      id="terms"
      title="Order on net terms"
      reply={reply}
      text={`Places the order for ${terms.total} and invoices the company. Available credit: ${terms.left}.`}
      hidden={{ totalCents: terms.totalCents }}
      fields={{
        poNumber: { label: 'PO number', max: 40, isOptional: true },
        accepted: { kind: 'tick', ticked: '1', label: 'The customer accepts the terms of sale and the fitment notes' },
      }}
      buttons={[button('terms', 'Place order', 'primary')]}
    />
  )
}

function ReasonPanel({ act, reply }: Pick<Acts, 'reply'> & { act: FormButton }) {
  return (
    <FormPanel
      id={act.intent}
      title={act.label}
      reply={reply}
      fields={{ reason: { label: 'Reason', max: 500 } }}
      buttons={[act]}
    />
  )
}
