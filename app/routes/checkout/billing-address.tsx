import type { FormReply } from '#app/forms/form.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { StateField } from '#app/ui/state-field.tsx'
import type { SavedBilling } from '#domain/ordering/checkout/checkout.server.ts'

/**
 * Renders the billing address options. The choices are the shopper's shipping address on a single line (`same`) or
 * another address.
 */
export function BillingAddress({
  billing,
  same,
  reply,
}: {
  billing: SavedBilling | null
  same: string
  reply: FormReply | undefined
}) {
  const saved = billing?.sameAsShipping === false ? billing : null
  const isDifferent = (reply?.values['sameAsShipping'] ?? (saved ? '0' : '1')) === '0'
  return (
    <fieldset className="choices">
      <legend>Billing address</legend>
      <label className="choice">
        <input type="radio" name="sameAsShipping" value="1" defaultChecked={!isDifferent} />
        <span>
          <b>The same as your details</b>
          <span className="small muted">{same}</span>
        </span>
      </label>
      <label className="choice">
        <input type="radio" name="sameAsShipping" value="0" defaultChecked={isDifferent} />
        <span>
          <b>Another address</b>
        </span>
      </label>
      <BillingFields billing={saved} reply={reply} />
    </fieldset>
  )
}

/** Used only if another address is selected; CSS shows the fields then, so they need no script. */
function BillingFields({ billing, reply }: { billing: SavedBilling | null; reply: FormReply | undefined }) {
  return (
    <div className="field-grid billing-fields">
      <Field
        name="billingName"
        label="Name on the card"
        value={billing?.name}
        reply={reply}
        autoComplete="billing name"
        maxLength={60}
        required
        className="wide"
      />
      <Field
        name="billingAddress1"
        label="Address"
        value={billing?.address1}
        reply={reply}
        autoComplete="billing address-line1"
        maxLength={100}
        required
        className="wide"
      />
      <Field
        name="billingAddress2"
        label="Apartment, suite"
        value={billing?.address2}
        reply={reply}
        autoComplete="billing address-line2"
        maxLength={100}
        required={false}
        className="wide"
      />
      <Field
        name="billingCity"
        label="City"
        value={billing?.city}
        reply={reply}
        autoComplete="billing address-level2"
        maxLength={60}
        required
      />
      <StateField name="billingState" value={billing?.state} reply={reply} autoComplete="billing address-level1" />
      <Field
        name="billingZip"
        label="ZIP code"
        value={billing?.zip}
        reply={reply}
        inputMode="numeric"
        autoComplete="billing postal-code"
        maxLength={10}
        required
        className="wide"
      />
      <Field
        name="billingPhone"
        label="Phone"
        value={billing?.phone}
        reply={reply}
        type="tel"
        autoComplete="billing tel"
        maxLength={40}
        required
      />
      <SelectField name="billingPhoneType" label="Phone type" value={billing?.phoneType} reply={reply}>
        <option value="">Choose</option>
        <option value="mobile">Mobile</option>
        <option value="home">Home</option>
        <option value="work">Work</option>
      </SelectField>
    </div>
  )
}
