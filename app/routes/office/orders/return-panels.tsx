import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { MoneyTable } from '#app/ui/return-money.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { ConfirmButton } from '#app/ui/office/confirm-button.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { OfficeReturnView } from '#app/views/office/return.server.ts'
import { pluralForm } from '#platform/count-text.ts'

/** Renders the rules in effect on the day of the request. */
export function RulesPanel({ rules }: { rules: OfficeReturnView['rules'] }) {
  const failed = rules.filter(({ isMet }) => !isMet).length
  return (
    <Panel id="rules" title="Rules" note={`${rules.length - failed} passed, ${failed} failed`}>
      <PanelBody>
        <ul className="office-list return-rules">
          {rules.map(({ title, reason, isMet }) => (
            <li key={title} className={isMet ? 'return-rule' : 'return-rule is-failed'}>
              <Icon name={isMet ? 'check-circle' : 'cross-circle'} />
              <span>
                <b>
                  {isMet ? '' : 'Failed: '}
                  {title}
                </b>
                <small>{reason}</small>
              </span>
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}

/** Renders the fee and the refund. Each fee has a form with the displayed amount, and CSS shows the form for the chosen fee. */
export function RefundPanel({ view, reply }: { view: OfficeReturnView; reply: FormReply | undefined }) {
  const mayDecide = view.acceptedTires.length > 0 && view.mayRefund
  return (
    <>
      {view.refunded.map(({ no, text, fee }) => (
        <Panel key={no} id={`refund-${no}`} title={`Refund ${no}`}>
          <PanelBody>
            <p>{text}</p>
            <p className="small">Handling fee: {fee}</p>
          </PanelBody>
        </Panel>
      ))}
      {mayDecide && !view.hold ? (
        <div className="office-stack return-fees">
          <FeePanel view={view} />
          <OpenRefund view={view} />
          <SecondLook hold={null} reply={reply} />
        </div>
      ) : null}
      {mayDecide && view.hold ? <SecondLook hold={view.hold} reply={reply} /> : null}
      {view.acceptedTires.length === 0 ? (
        <Panel id="refund" title="Refund">
          <PanelBody>
            <p>No accepted tire is waiting for its refund.</p>
            <p className="small">Handling fee so far: {view.feeText}.</p>
          </PanelBody>
        </Panel>
      ) : null}
    </>
  )
}

/** Renders the form that holds a refund for a second look, or that ends the hold. */
function SecondLook({ hold, reply }: { hold: OfficeReturnView['hold']; reply: FormReply | undefined }) {
  if (hold?.isForAnother)
    return (
      <Panel id="release" title="Second look">
        <PanelBody>
          <p>You held this refund. Another team member must end the hold.</p>
        </PanelBody>
      </Panel>
    )
  const [id, title, text] = hold
    ? ['release', 'Second look', 'Ends the hold, so that the tires can be refunded.']
    : [
        'hold',
        'Hold for a second look',
        'Blocks the refund until another team member has checked the tires. The refund period continues.',
      ]
  const field = { kind: 'area', max: 500, rows: 2 } as const
  return (
    <FormPanel
      id={id}
      title={title}
      reply={reply}
      text={text}
      fields={hold ? { result: { ...field, label: 'Result' } } : { reason: { ...field, label: 'Reason' } }}
      buttons={[hold ? button('release', 'End hold', 'primary') : button('hold', 'Hold refund', 'quiet')]}
    />
  )
}

function FeePanel({ view: { fee, fees, feeEach } }: { view: OfficeReturnView }) {
  return (
    <Panel id="fee" title={`${feeEach} handling fee`} note="per tire">
      <PanelBody>
        <fieldset className="return-fee-choices">
          <legend className="visually-hidden">Handling fee</legend>
          {fees.map(({ value, label, detail, amount }) => (
            <label key={value} className="check">
              <input type="radio" name="chosen-fee" value={value} defaultChecked={value === fee} />
              <span>
                {label}
                <small>{detail}</small>
              </span>
              <b>{amount}</b>
            </label>
          ))}
        </fieldset>
      </PanelBody>
    </Panel>
  )
}

function OpenRefund({ view }: { view: OfficeReturnView }) {
  const { acceptedTires, refunds, fees, fee: current, reorder } = view
  return (
    <Panel
      id="refund"
      title={`Refund for ${pluralForm(acceptedTires.length, 'tire', 'tires')} ${acceptedTires.join(', ')}`}
      isOpen
    >
      {refunds.map(({ fee, cents, ...money }) => (
        <div key={fee} className={`return-refund of-${fee}`}>
          <PanelBody>
            <form method="post" className="stack">
              <p className="small return-refund-name">{fees.find(({ value }) => value === fee)?.label}</p>
              <MoneyTable money={money} />
              {fee === 'reordered' && !reorder ? (
                <label className="field" htmlFor="reorder">
                  Order for the right size
                  <input className="input" id="reorder" name="reorder" maxLength={24} autoComplete="off" />
                </label>
              ) : null}
              <input type="hidden" name="fee" value={fee} />
              <input type="hidden" name="agreed" value={cents} />
              <ConfirmButton
                className={fee === current ? 'btn primary wide' : 'btn wide'}
                name="intent"
                value="refund"
                ask={{
                  title: `Refund ${money.total}?`,
                  text: 'We refund the original payment method and email the customer when the refund is sent. You can’t undo this.',
                  answer: `Yes, refund ${money.total}`,
                }}
              >
                Refund {money.total}
              </ConfirmButton>
            </form>
          </PanelBody>
        </div>
      ))}
      <PanelBody>
        <a className="btn quiet wide" href="#hold">
          Hold for a second look
        </a>
      </PanelBody>
    </Panel>
  )
}
