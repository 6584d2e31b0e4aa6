import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, OfficeForm, type FormButton } from '#app/office/form.tsx'
import { CopyButton } from '#app/ui/office/copy-button.tsx'
import { KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import type { QuoteView } from '#app/views/office/quote.server.ts'
import { QuoteCustomer, QuoteTires } from './quote-parts.tsx'

/** Renders a quote that was sent or is pending approval, as read-only. */
export function SentQuote({ quote }: { quote: QuoteView }) {
  const { vehicles } = quote
  const onlyOrder = vehicles.length === 1 ? vehicles[0]?.order : null
  return (
    <>
      {onlyOrder ? (
        <Notice tone="go" title={`Ordered as ${onlyOrder.number}`}>
          {onlyOrder.path ? (
            <p>
              <a href={onlyOrder.path}>Open the order</a>
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
      <Panel id="customer" title="Customer">
        <PanelBody isPair>
          <QuoteCustomer quote={quote} />
        </PanelBody>
      </Panel>
      {vehicles.map((vehicle, index) => (
        <Panel
          key={vehicle.position}
          id={index === 0 ? 'tires' : `tires-${vehicle.position}`}
          title={vehicles.length > 1 ? vehicle.title : 'Vehicle and tires'}
          note={vehicles.length > 1 ? null : vehicle.name}
          end={vehicles.length > 1 ? <VehicleState vehicle={vehicle} /> : null}
        >
          <QuoteTires quote={quote} vehicle={vehicle} isFixed />
          {vehicle.rows.length > 0 ? (
            <PanelBody>
              <OrderSummary rows={vehicle.rows} caption={`What the customer pays for ${vehicle.title}`} />
            </PanelBody>
          ) : null}
          {index === vehicles.length - 1 ? (
            <PanelBody>
              <p className="small">Staff only, not in the email: {quote.staffOnly}</p>
            </PanelBody>
          ) : null}
        </Panel>
      ))}
      <Panel id="terms-of-quote" title="Good until">
        <PanelBody>
          <KeyValues
            rows={[
              ['Last day', `${quote.goodThroughText}, Eastern Time`],
              ['Prices', quote.labelName],
              ...(quote.pickup ? [['Pickup', quote.pickup] as const] : []),
              ...(quote.suggestedTime ? [[timeLabel(vehicles), `${quote.suggestedTime}, not held`] as const] : []),
              ['By', quote.by],
              ...(quote.former ? [['Replaces', <FormerLink key="former" former={quote.former} />] as const] : []),
              ...(quote.note ? [['Message', quote.note] as const] : []),
            ]}
          />
        </PanelBody>
      </Panel>
    </>
  )
}

/** The suggested time's label. It is for the first vehicle. */
function timeLabel([first, ...others]: QuoteView['vehicles']): string {
  return first && others.length > 0 ? `Suggested time for ${first.title}` : 'Suggested time'
}

/** Whether a vehicle is ordered or open, with its order, or the page where staff book and order it. */
function VehicleState({ vehicle: { order, path, state, title } }: { vehicle: QuoteView['vehicles'][number] }) {
  return (
    <>
      {order?.path ? (
        <a href={order.path}>{order.number}</a>
      ) : path ? (
        <a href={path}>
          Book or order<span className="visually-hidden"> {title}</span>
        </a>
      ) : null}{' '}
      {state ? <Tag tone={state.tone}>{state.name}</Tag> : null}
    </>
  )
}

/** The steps of a sent quote, its link, and the next actions. */
export function AfterSending({ quote, reply }: Acts) {
  const { progress, state, stateName, tone, link, again, version, extendable } = quote
  if (progress.length === 0) return null
  return (
    <Panel id="after" title="After sending" end={<Tag tone={tone}>{stateName}</Tag>}>
      <PanelBody>
        <ol className="quote-progress">
          {progress.map(({ label, note, tone: of, isNow }) => (
            <li key={label} className={`tone-${of}`} aria-current={isNow ? 'step' : undefined}>
              <b>{label}</b>
              <span>{note}</span>
            </li>
          ))}
        </ol>
      </PanelBody>
      {link === null && state !== 'expired' ? null : (
        <PanelBody>
          <div className="quote-after">
            {again === null ? null : (
              <OfficeForm reply={reply} hidden={{ mails: again }} buttons={[button('again', 'Send again', 'quiet')]} />
            )}
            <OfficeForm reply={reply} buttons={[button('version', `Change as version ${version + 1}`, 'quiet')]} />
            {link === null ? null : <CopyButton text={link} label="Copy link" />}
            {extendable ? (
              <a className="btn quiet" href="#extend">
                Extend
              </a>
            ) : null}
            {link === null ? null : (
              <a className="btn quiet stop" href="#withdraw">
                Withdraw
              </a>
            )}
            <p className="small">
              Sent quotes can’t be edited.{link === null ? '' : ' This one stays good until you send the new version.'}
            </p>
          </div>
          {link === null ? null : (
            <p className="small quote-link">
              Anyone with this link can open the quote: <code>{link}</code>
            </p>
          )}
        </PanelBody>
      )}
    </Panel>
  )
}

function FormerLink({ former }: { former: NonNullable<QuoteView['former']> }) {
  return <a href={former.path}>{former.number}</a>
}

type Acts = { quote: QuoteView; reply: FormReply | undefined }

/** Renders the actions for the quote's state. */
export function QuoteActs({ quote, reply }: Acts) {
  const { state, link } = quote
  if (quote.whole) return <PhonePanels quote={quote} reply={reply} />
  if (state === 'draft') return <ReasonPanel act={button('withdraw', 'Withdraw draft', 'stop')} reply={reply} />
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
      <PhonePanels quote={quote} reply={reply} />
      {quote.extendable ? <ExtendPanel extendable={quote.extendable} reply={reply} /> : null}
      {isOpen ? <ReasonPanel act={button('withdraw', 'Withdraw', 'stop')} reply={reply} /> : null}
    </>
  )
}

/** The panels for ordering by phone. On the page of the whole quote, they are for its first vehicle. */
function PhonePanels({ quote, reply }: Acts) {
  const [first] = quote.vehicles
  const vehicle = quote.vehicles.length > 1 && first ? `, ${first.title}` : ''
  return (
    <>
      {quote.installation ? (
        <InstallationPanel installation={quote.installation} vehicle={vehicle} reply={reply} />
      ) : null}
      {quote.terms ? <TermsPanel terms={quote.terms} vehicle={vehicle} reply={reply} /> : null}
    </>
  )
}

/** Holds an installation time in the customer's cart. */
function InstallationPanel({
  installation: { times, state },
  vehicle,
  reply,
}: Pick<Acts, 'reply'> & { vehicle: string; installation: NonNullable<QuoteView['installation']> }) {
  if (times === null)
    return (
      <FormPanel
        id="installation"
        title={`Installation${vehicle}`}
        reply={reply}
        text="Opens the customer’s cart to hold a time at a shop or mobile installer."
        buttons={[button('installation', 'Find times', 'quiet')]}
      />
    )
  return (
    <FormPanel
      id="installation"
      title={`Installation${vehicle}`}
      reply={reply}
      text={state ?? 'Times are held for ten minutes, at the shop’s total.'}
      fields={{ slot: { kind: 'choice', label: 'Shop, time, and total', options: [['', 'Choose'], ...times] } }}
      buttons={[button('book', 'Hold time', 'quiet')]}
    />
  )
}

/** Gives the customer more time, with the same link and prices. */
function ExtendPanel({
  extendable: { first, suggested },
  reply,
}: Pick<Acts, 'reply'> & { extendable: NonNullable<QuoteView['extendable']> }) {
  return (
    <FormPanel
      id="extend"
      title="Extend"
      reply={reply}
      text="The link and the prices stay the same. We don’t email the customer until you send the quote again."
      fields={{ goodThrough: { label: 'New last day', kind: 'day', value: suggested, min: first } }}
      buttons={[button('extend', 'Extend quote', 'quiet')]}
    />
  )
}

/** Orders the quote for a company, in its customer's name. */
function TermsPanel({
  terms,
  vehicle,
  reply,
}: Pick<Acts, 'reply'> & { vehicle: string; terms: NonNullable<QuoteView['terms']> }) {
  return (
    <FormPanel
      id="terms"
      title={`Order on net terms${vehicle}`}
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
