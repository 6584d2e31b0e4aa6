import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary } from '#app/ui/field.tsx'

const labels = { stars: 'Stars', wasOnTime: 'On time', cameBack: 'Came back' }

/** The form with which a shopper rates the shop after the work, once. */
export function RateShop({ name, at, reply }: { name: string; at: string; reply: FormReply | undefined }) {
  return (
    <form method="post" action={at} className="panel padded stack" id="rate">
      <h2>How was {name}?</h2>
      <ErrorSummary reply={reply} labels={labels} />
      <Choices
        name="stars"
        legend="Stars"
        choices={[
          ['5', '5, very good'],
          ['4', '4'],
          ['3', '3'],
          ['2', '2'],
          ['1', '1, bad'],
        ]}
        reply={reply}
      />
      <Choices
        name="wasOnTime"
        legend="Did the work start on time?"
        choices={[
          ['yes', 'Yes'],
          ['no', 'No'],
        ]}
        reply={reply}
      />
      <Choices
        name="cameBack"
        legend="Did you have to come back, for example to balance again?"
        choices={[
          ['no', 'No'],
          ['yes', 'Yes'],
        ]}
        reply={reply}
      />
      <button className="btn primary large wide" name="intent" value="rate">
        Rate the shop
      </button>
    </form>
  )
}

function Choices({
  name,
  legend,
  choices,
  reply,
}: {
  name: string
  legend: string
  choices: [value: string, text: string][]
  reply: FormReply | undefined
}) {
  const error = reply?.errors[name]
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {choices.map(([value, text], index) => (
        <label key={value} className="choice">
          <input
            type="radio"
            name={name}
            value={value}
            id={index === 0 ? name : undefined}
            defaultChecked={reply?.values[name] === value}
            aria-describedby={error ? `${name}-error` : undefined}
          />
          <span>{text}</span>
        </label>
      ))}
      {error ? (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
