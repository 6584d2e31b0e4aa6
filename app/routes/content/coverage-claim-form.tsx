import type { ComponentProps } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import {
  causeLabels,
  claimKinds,
  coveredCauses,
  excludedCauses,
} from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { RequestForm } from './request-form.tsx'

/** Renders the replacement coverage claim, with the order, the tire, the description, and an image or receipt. */
export function CoverageClaimForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <RequestForm reply={reply} labels={labels} send="File claim" isFileRequired>
      <fieldset className="stack">
        <legend className="strong">Your order</legend>
        <p className="small muted">
          The order number, with its email or ZIP code. In the browser that placed it, or signed in, the number is
          enough.
        </p>
        <div className="field-pair">
          <Text name="orderNumber" reply={reply} maxLength={24} required />
          <Text
            name="zip"
            reply={reply}
            inputMode="numeric"
            autoComplete="postal-code"
            maxLength={10}
            required={false}
          />
        </div>
        <Text name="email" reply={reply} type="email" autoComplete="email" maxLength={254} required={false} />
        <div className="field-pair">
          <Text
            name="item"
            reply={reply}
            inputMode="numeric"
            maxLength={9}
            hint="If your order has two kinds of tires, we ask for its number."
            required={false}
          />
          <Text name="tires" reply={reply} inputMode="numeric" maxLength={3} value="1" required />
        </div>
      </fieldset>
      <WhatHappened reply={reply} />
    </RequestForm>
  )
}

function WhatHappened({ reply }: { reply: FormReply | undefined }) {
  return (
    <fieldset className="stack">
      <legend className="strong">What happened</legend>
      <div className="field-pair">
        <SelectField name="kind" label={labels.kind} reply={reply}>
          <option value="">Choose</option>
          {Object.entries(claimKinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField name="cause" label={labels.cause} reply={reply}>
          <option value="">Choose</option>
          {[...Object.keys(coveredCauses), ...Object.keys(excludedCauses)].map((cause) => (
            <option key={cause} value={cause}>
              {causeLabels[cause as keyof typeof causeLabels]}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="field-pair">
        <Text name="happenedOn" reply={reply} inputMode="numeric" maxLength={10} hint="MM/DD/YYYY" required />
        <Text
          name="paid"
          reply={reply}
          inputMode="decimal"
          maxLength={12}
          hint="For repairs only. Enter the total on the receipt."
          required={false}
        />
      </div>
      <Text
        name="tin"
        reply={reply}
        maxLength={30}
        hint="The letters and digits that follow DOT on the sidewall, if you can read them."
        required={false}
      />
      <TextAreaField name="words" label={labels.words} reply={reply} rows={3} maxLength={1000} isRequired={false} />
    </fieldset>
  )
}

/** Renders a labeled field. Disables autofill by default. */
function Text({ name, ...field }: Omit<ComponentProps<typeof Field>, 'label'> & { name: keyof typeof labels }) {
  return <Field name={name} label={labels[name]} autoComplete="off" {...field} />
}

const labels = {
  orderNumber: 'Order number',
  zip: 'ZIP code',
  email: 'Email',
  item: 'Tire',
  tires: 'How many tires',
  kind: 'Damage or repair outcome',
  cause: 'Cause',
  happenedOn: 'Date it happened',
  paid: 'Repair cost',
  tin: 'DOT number',
  words: 'Anything else',
  attachment: 'Photo of the damage or repair receipt',
}
