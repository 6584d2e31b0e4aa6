import { supportMessages } from '#content/messages/support.ts'
import { paths } from '#content/paths.ts'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import sendForm from '#app/ui/send-form.js?url'
import { MoneyTable } from '#app/ui/return-money.tsx'
import { Tick } from '#app/ui/tick.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import type { AskView } from '#app/views/returns.server.ts'
import { returnPhotosMax } from '#domain/ordering/returns/returns.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'

const labels = { tires: 'Tires', unmounted: 'Never mounted', reason: 'Why', photos: 'Photos', note: 'Note' }

/** Renders the form for tires and reason, with the refund and the rules next to it. */
export function ReturnForm({ view, reply }: { view: AskView; reply: FormReply | undefined }) {
  return (
    <>
      <header className="order-head">
        <h1>Return your tires</h1>
        <p className="muted tabular">
          <a href={view.track}>Order {view.number}</a>.{' '}
          {view.until && !view.closed ? (
            <>
              You can return these until <b>{view.until}</b>.
            </>
          ) : null}
        </p>
      </header>
      <div className="checkout-columns">
        <div className="stack">
          <Earlier earlier={view.earlier} />
          {view.closed ? (
            <section className="panel padded order-panel">
              <h2>This cannot go back right now</h2>
              <p>{view.closed}</p>
              <p>
                <a href={view.track}>Back to your order</a> ·{' '}
                <a href={paths.written('returns-and-refunds')}>All return rules</a>
              </p>
            </section>
          ) : (
            <Form view={view} reply={reply} />
          )}
        </div>
        <aside className="stack">
          {view.money && !view.closed ? (
            <section className="panel side-summary" aria-labelledby="money">
              <h2 id="money">What you get back</h2>
              <MoneyTable money={view.money} />
              <p className="small muted">{view.payment}</p>
            </section>
          ) : null}
          <Rules rules={view.rules} />
        </aside>
      </div>
    </>
  )
}

function Earlier({ earlier }: { earlier: AskView['earlier'] }) {
  if (earlier.length === 0) return null
  return (
    <section className="panel padded order-panel">
      <h2>Returns of this order</h2>
      <ul className="stack tabular">
        {earlier.map(({ label, state, href }) => (
          <li key={label}>
            <a href={href}>{label}</a>: {state}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Form({ view, reply }: { view: AskView; reply: FormReply | undefined }) {
  return (
    <form
      method="post"
      encType="multipart/form-data"
      className="stack"
      noValidate
      data-send-form
      data-failed="Your return was not sent"
    >
      <ErrorSummary reply={reply} labels={labels} />
      <input type="hidden" name="seq" value={view.seq} />
      <Tires view={view} reply={reply} />
      <Reasons view={view} reply={reply} />
      <Wants reply={reply} />
      <Photos reply={reply} />
      <div className="return-acts">
        <button className="btn primary large" type="submit" name="intent" value="ask">
          Start the return
        </button>
        <button className="btn quiet large" type="submit" name="intent" value="check" formNoValidate>
          Show what I get back
        </button>
      </div>
      <p className="small muted">You can cancel until the first tire ships.</p>
      <p className="field-error" role="alert" data-send-status hidden />
      <script type="module" src={sendForm} />
    </form>
  )
}

function Tires({ view, reply }: { view: AskView; reply: FormReply | undefined }) {
  return (
    <fieldset className="panel padded order-panel" id="tires">
      <legend className="visually-hidden">Which tires go back?</legend>
      <h2>Which tires go back?</h2>
      {reply?.errors['tires'] ? <p className="field-error">{reply.errors['tires']}</p> : null}
      {view.lines.map(({ lineNo, name, detail, left, quantity, picture }) => (
        <div key={lineNo} className="return-line">
          <TirePicture picture={picture} alt="" size={64} eager />
          <div>
            <p className="strong">{name}</p>
            <p className="small muted tabular">{detail}</p>
          </div>
          {left > 0 ? (
            <SelectField name={`line-${lineNo}`} label="How many" reply={reply} value={String(quantity)}>
              {Array.from({ length: left + 1 }, (_, count) => (
                <option key={count} value={count}>
                  {count}
                </option>
              ))}
            </SelectField>
          ) : (
            <p className="small muted">No units left to return</p>
          )}
        </div>
      ))}
      <Tick name="unmounted" isTicked={reply?.values['unmounted'] === '1'} error={reply?.errors['unmounted']}>
        They’ve never been mounted on a wheel. We can’t take back tires that were.
      </Tick>
    </fieldset>
  )
}

function Reasons({ view, reply }: { view: AskView; reply: FormReply | undefined }) {
  return (
    <fieldset className="panel padded order-panel" id="reason">
      <legend className="visually-hidden">Why?</legend>
      <h2>Why?</h2>
      {reply?.errors['reason'] ? <p className="field-error">{reply.errors['reason']}</p> : null}
      <div className="return-choices">
        {view.reasons.map(({ value, label, fee, isFree }) => (
          <label key={value} className="return-choice">
            <input type="radio" name="reason" value={value} defaultChecked={reply?.values['reason'] === value} />
            <span>
              {label}
              <span className={isFree ? 'small return-free' : 'small muted'}>{fee}</span>
            </span>
          </label>
        ))}
      </div>
      <TextAreaField
        name="note"
        label="Anything we should know?"
        reply={reply}
        rows={2}
        maxLength={500}
        isRequired={false}
      />
    </fieldset>
  )
}

function Wants({ reply }: { reply: FormReply | undefined }) {
  const wants = reply?.values['wants'] ?? 'refund'
  return (
    <fieldset className="panel padded order-panel">
      <legend className="visually-hidden">What would you like?</legend>
      <h2>What would you like?</h2>
      <div className="return-choices">
        <label className="return-choice">
          <input type="radio" name="wants" value="exchange" defaultChecked={wants === 'exchange'} />
          <span>
            Exchange
            <span className="small muted">
              We open the return and put the right tires into your cart. For a wrong size, the handling fee is waived
              once you order them.
            </span>
          </span>
        </label>
        <label className="return-choice">
          <input type="radio" name="wants" value="refund" defaultChecked={wants !== 'exchange'} />
          <span>
            Refund
            <span className="small muted">The way you paid.</span>
          </span>
        </label>
      </div>
    </fieldset>
  )
}

function Photos({ reply }: { reply: FormReply | undefined }) {
  return (
    <section className="panel padded order-panel">
      <h2>Photos</h2>
      <p className="small muted">
        One of the tread and one of the sidewall, so that we can see that they’re new. For damage and a wrong item we
        need at least one.
      </p>
      <Field
        name="photos"
        label="Photos"
        reply={reply && { values: {}, errors: reply.errors }}
        type="file"
        multiple
        accept="image/jpeg,image/png,image/webp,image/gif"
        hint={`Up to ${returnPhotosMax}, up to ${maxAttachmentBytes / 1024 / 1024} MB each.${reply ? ' Please choose them again: browsers do not keep them.' : ''}`}
        data-max-bytes={maxAttachmentBytes}
        data-too-large={supportMessages.tooLarge}
        required={false}
      />
    </section>
  )
}

function Rules({ rules }: { rules: AskView['rules'] }) {
  return (
    <section className="panel padded order-panel">
      <h2>The rules for this return</h2>
      <ul className="return-rules small">
        {rules.map(({ title, reason, isMet }) => (
          <li key={title} className={isMet ? 'is-met' : undefined}>
            <Icon name={isMet ? 'check-circle' : 'question'} size="s" />
            <span>
              <b>{title}.</b> {reason}
            </span>
          </li>
        ))}
      </ul>
      <a className="small" href={paths.written('returns-and-refunds')}>
        All return rules
      </a>
    </section>
  )
}
