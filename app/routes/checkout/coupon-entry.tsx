import { Form } from 'react-router'
import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { eligibleOnlyMessage } from '#content/messages/coupons.ts'

/** The coupon of the cart, or the form to enter one; with `notes` on offers that do not count. */
export function CouponEntry({
  code,
  notes,
  reply,
}: {
  code: string | null
  notes: readonly string[]
  reply: FormReply | undefined
}) {
  return (
    <section aria-label="Coupon" className="coupon-entry">
      {notes.map((note) => (
        <p key={note} className="notice small">
          {note}
        </p>
      ))}
      {code === null ? (
        <Form method="post" preventScrollReset noValidate>
          <input type="hidden" name="intent" value="enter-coupon" />
          <Field
            name="coupon"
            label="Coupon"
            reply={reply}
            required={false}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            hint={eligibleOnlyMessage}
          />
          <button className="btn small quiet" type="submit">
            Apply
          </button>
        </Form>
      ) : (
        <Form method="post" preventScrollReset className="row between">
          <input type="hidden" name="intent" value="remove-coupon" />
          <span className="small">
            Coupon <b>{code}</b>
          </span>
          <button className="link small" type="submit" aria-label={`Remove coupon ${code}`}>
            Remove
          </button>
        </Form>
      )}
    </section>
  )
}
