import type { ComponentProps } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { Tick } from '#app/ui/tick.tsx'
import { RequestForm } from './request-form.tsx'

/** Renders the price match form, for an order or before buying. */
export function PriceGuaranteeForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <section className="stack" aria-labelledby="ask">
      <h2 id="ask">Ask us to match it</h2>
      <RequestForm reply={reply} labels={labels} send="Send request" action="#ask">
        <AboutTires reply={reply} />
        <AboutOffer reply={reply} />
      </RequestForm>
    </section>
  )
}

function AboutTires({ reply }: { reply: FormReply | undefined }) {
  return (
    <fieldset className="stack">
      <legend className="strong">Your tires</legend>
      <p className="small muted">
        Ordered already? The order number, with its email or ZIP code. In the browser that placed it, or signed in, the
        number is enough. Before you order, enter your email, the tire, and the quantity.
      </p>
      <div className="field-pair">
        <Text name="orderNumber" reply={reply} maxLength={24} required={false} />
        <Text name="zip" reply={reply} inputMode="numeric" autoComplete="postal-code" maxLength={10} required={false} />
      </div>
      <Text name="email" reply={reply} type="email" autoComplete="email" maxLength={254} required={false} />
      <div className="field-pair">
        <Text
          name="item"
          reply={reply}
          maxLength={300}
          hint="The link to its page with us. Optional if your order has only one kind of tire."
          required={false}
        />
        <Text name="quantity" reply={reply} inputMode="numeric" maxLength={3} required={false} />
      </div>
    </fieldset>
  )
}

function AboutOffer({ reply }: { reply: FormReply | undefined }) {
  const isTicked = (name: string) => reply?.values[name] === '1'
  return (
    <fieldset className="stack">
      <legend className="strong">The other offer</legend>
      <div className="field-pair">
        <Text name="competitor" reply={reply} maxLength={80} required />
        <Text name="price" reply={reply} inputMode="decimal" maxLength={12} required />
      </div>
      <Text name="link" reply={reply} type="url" maxLength={500} required />
      <Tick name="shipping" isTicked={isTicked('shipping')} error={reply?.errors['shipping']}>
        The price includes shipping to me, or I would pick the tires up there
      </Tick>
      <Tick name="installation" isTicked={isTicked('installation')} error={reply?.errors['installation']}>
        The price includes installation
      </Tick>
      <Text name="seenOn" reply={reply} inputMode="numeric" maxLength={10} hint="MM/DD/YYYY" required />
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
  quantity: 'How many',
  competitor: 'Other store',
  price: 'Price of one tire',
  link: 'Link to the offer',
  shipping: 'Shipping',
  installation: 'Installation',
  seenOn: 'Date seen',
  attachment: 'Picture or PDF',
}
