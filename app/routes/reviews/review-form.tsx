/** The form for reviewing a tire, with fields about the driver. */
import { useState, type ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { countOf } from '#platform/count-text.ts'

/** The options and text limits; `vehicle` is prefilled, `provenBy` the number of a verified order. */
type ReviewFormView = {
  readonly ratings: readonly { readonly name: string; readonly label: string }[]
  readonly drivingStyles: readonly string[]
  readonly placesUsed: readonly string[]
  readonly longestSummary: number
  readonly longestComments: number
  readonly vehicle: string | null
  readonly provenBy: string | null
}

type Reply = FormReply | undefined

/** Posts to its own page; after a refusal, `reply` has the input and the message for each field. */
export function ReviewForm({ view, reply }: { view: ReviewFormView; reply: Reply }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <ErrorSummary reply={reply} labels={{ ratings: 'Ratings' }} />
      <p className="small muted">All fields must be completed; of the ratings, at least one.</p>
      <Choice name="ratings" legend="Rate what you know: 1 poor, 5 excellent" reply={reply}>
        <div className="rates">
          {view.ratings.map(({ name, label }) => (
            <Rate key={name} name={name} label={label} given={reply?.values[name] ?? ''} />
          ))}
        </div>
      </Choice>
      <Summary longest={view.longestSummary} reply={reply} />
      <Comments longest={view.longestComments} reply={reply} />
      <div className="field-pair">
        <UseFields view={view} reply={reply} />
        <WriterFields reply={reply} />
      </div>
      <Proof provenBy={view.provenBy} reply={reply} />
      <div className="not-for-people" aria-hidden="true">
        <label htmlFor="website">Leave this empty</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <button className="btn primary large" type="submit">
        Send review
      </button>
    </form>
  )
}

function Comments({ longest, reply }: { longest: number; reply: Reply }) {
  return (
    <div className="field-row">
      <label className="field" htmlFor="comments">
        What is it like to drive on?
      </label>
      <TextArea
        className="input"
        id="comments"
        name="comments"
        rows={6}
        maxLength={longest}
        text={reply?.values['comments'] ?? ''}
        aria-required
        {...messageOf('comments', reply)}
      />
      <Message name="comments" reply={reply} />
    </div>
  )
}

/** The vehicle, the kind of driving, the miles, and whether they would buy again. */
function UseFields({ view, reply }: { view: ReviewFormView; reply: Reply }) {
  return (
    <>
      <Field
        name="vehicle"
        label="Vehicle"
        reply={reply}
        value={view.vehicle}
        hint="Like 2021 Toyota RAV4 XLE"
        maxLength={80}
        required
      />
      <Field
        name="milesDriven"
        label="Miles driven on them"
        reply={reply}
        inputMode="numeric"
        maxLength={9}
        autoComplete="off"
        required
      />
      <Field
        name="purchasedOn"
        label="Purchase date"
        reply={reply}
        hint="MM/DD/YYYY"
        inputMode="numeric"
        maxLength={10}
        autoComplete="off"
        required
      />
      <SelectField name="drivingStyle" label="Driving style" reply={reply}>
        <option value="">Choose</option>
        {view.drivingStyles.map((style) => (
          <option key={style}>{style}</option>
        ))}
      </SelectField>
      <SelectField name="whereUsed" label="Where used" reply={reply}>
        <option value="">Choose</option>
        {view.placesUsed.map((place) => (
          <option key={place}>{place}</option>
        ))}
      </SelectField>
      <BuyAgain reply={reply} />
    </>
  )
}

function BuyAgain({ reply }: { reply: Reply }) {
  return (
    <Choice name="buyAgain" legend="Would you buy them again?" reply={reply}>
      <div className="row check-row">
        {['yes', 'no'].map((answer) => (
          <label key={answer} className="check">
            <input type="radio" name="buyAgain" value={answer} defaultChecked={reply?.values['buyAgain'] === answer} />
            {answer === 'yes' ? 'Yes' : 'No'}
          </label>
        ))}
      </div>
    </Choice>
  )
}

function WriterFields({ reply }: { reply: Reply }) {
  return (
    <>
      <Field
        name="name"
        label="Name"
        reply={reply}
        hint="Shown beside your review; a first name will do"
        autoComplete="given-name"
        maxLength={25}
        required
      />
      <Field
        name="email"
        label="Email"
        reply={reply}
        type="email"
        hint="Not shown"
        autoComplete="email"
        maxLength={254}
        required
      />
    </>
  )
}

/** Requires proof of purchase for a verified review. Uses the visitor's order, or a field for an order number. */
function Proof({ provenBy, reply }: { provenBy: string | null; reply: Reply }) {
  if (provenBy)
    return (
      <p className="fit yes">
        <Icon name="check-circle" size="s" />
        <span>Your review will carry the verified mark: order {provenBy} brought you these tires.</span>
      </p>
    )
  return (
    <Field
      name="orderNumber"
      label="Order number"
      reply={reply}
      hint="Bought here? With the number and the email of a delivered order your review carries the verified mark."
      autoComplete="off"
      maxLength={24}
      required={false}
    />
  )
}

/** Renders six options, from no rating to five stars. */
function Rate({ name, label, given }: { name: string; label: string; given: string }) {
  return (
    <fieldset className="rate" id={name}>
      <legend>{label}</legend>
      <div className="rate-steps tabular">
        {['', '1', '2', '3', '4', '5'].map((value) => (
          <label key={value}>
            <input type="radio" name={name} value={value} defaultChecked={given === value} />
            <span>{value === '' ? <span aria-hidden="true">–</span> : value}</span>
            {value === '' ? <span className="visually-hidden">Not rated</span> : null}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Without script the field itself limits its length; with script the page shows how many characters are left. */
function Summary({ longest, reply }: { longest: number; reply: Reply }) {
  const before = reply?.values['summary'] ?? ''
  const [used, setUsed] = useState(before.length)
  const [first, ...others] = ['summary-count', ...(reply?.errors['summary'] ? ['summary-error'] : [])]
  return (
    <div className="field-row">
      <label className="field" htmlFor="summary">
        Summary
      </label>
      <input
        className="input"
        id="summary"
        name="summary"
        defaultValue={before}
        maxLength={longest}
        autoComplete="off"
        onInput={(event) => setUsed(event.currentTarget.value.length)}
        aria-required
        aria-describedby={[...others, first].join(' ')}
        {...(reply?.errors['summary'] ? { 'aria-invalid': true as const } : {})}
      />
      <Message name="summary" reply={reply} />
      <p className="field-hint tabular" id="summary-count">
        {used} of {countOf(longest, 'character')}
      </p>
    </div>
  )
}

function Choice({
  name,
  legend,
  reply,
  children,
}: {
  name: string
  legend: string
  reply: Reply
  children: ReactNode
}) {
  return (
    <fieldset
      className="field-row"
      id={name}
      tabIndex={-1}
      aria-describedby={reply?.errors[name] ? `${name}-error` : undefined}
    >
      <legend className="field">{legend}</legend>
      {children}
      <Message name={name} reply={reply} />
    </fieldset>
  )
}

function Message({ name, reply }: { name: string; reply: Reply }) {
  const error = reply?.errors[name]
  return error ? (
    <p className="field-error" id={`${name}-error`}>
      {error}
    </p>
  ) : null
}

function messageOf(name: string, reply: Reply) {
  return reply?.errors[name] ? { 'aria-describedby': `${name}-error`, 'aria-invalid': true as const } : {}
}
