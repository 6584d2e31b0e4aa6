import { MoneyTable } from '#app/ui/return-money.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { ConfirmButton } from '#app/ui/office/confirm-button.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { OfficeReturnView } from '#app/views/office/return.server.ts'
import { pluralForm } from '#platform/count-text.ts'

/** Renders a return's images. Each opens at full size. */
export function Photos({ photos }: { photos: OfficeReturnView['photos'] }) {
  if (photos.length === 0) return null
  return (
    <Panel id="photos" title="Photos" note={String(photos.length)}>
      <PanelBody>
        <ul className="return-photos">
          {photos.map(({ no, path, name, by, tireNo, at }) => (
            <li key={no}>
              <a href={path}>
                <img src={path} alt={`${no}: ${name}`} loading="lazy" width={160} height={120} />
              </a>
              <p className="small">
                {by === 'staff' ? `Ours, of tire ${tireNo}` : 'From the customer'}, {at}
              </p>
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}

/** Renders the rules in effect on the day of the request. */
export function RulesPanel({ rules }: { rules: OfficeReturnView['rules'] }) {
  const failed = rules.filter(({ isMet }) => !isMet).length
  return (
    <Panel id="rules" title="Rules" note={`${rules.length - failed} passed, ${failed} failed`}>
      <PanelBody>
        <ul className="office-list">
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

/** Renders the fee and the refund. Each reason has its own form with the displayed amount. */
export function RefundPanel({ view }: { view: OfficeReturnView }) {
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
      {view.acceptedTires.length > 0 && view.mayRefund ? (
        <Panel
          id="refund"
          title={`Refund for ${pluralForm(view.acceptedTires.length, 'tire', 'tires')} ${view.acceptedTires.join(', ')}`}
          isOpen
        >
          {[...view.refunds]
            .sort((one) => (one.fee === view.fee ? -1 : 0))
            .map(({ fee, cents, ...money }) => {
              const choice = view.fees.find(({ value }) => value === fee)
              return (
                <PanelBody key={fee}>
                  <details open={fee === view.fee}>
                    <summary>
                      <b>{choice?.label}</b>, fee {choice?.amount}
                    </summary>
                    <form method="post" className="stack">
                      <p className="small">{choice?.detail}</p>
                      <MoneyTable money={money} />
                      {fee === 'reordered' && !view.reorder ? (
                        <label className="field" htmlFor="reorder">
                          Order for the right size
                          <input className="input" id="reorder" name="reorder" maxLength={24} autoComplete="off" />
                        </label>
                      ) : null}
                      <input type="hidden" name="fee" value={fee} />
                      <input type="hidden" name="agreed" value={cents} />
                      <ConfirmButton
                        className={fee === view.fee ? 'btn primary' : 'btn quiet'}
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
                  </details>
                </PanelBody>
              )
            })}
        </Panel>
      ) : null}
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
