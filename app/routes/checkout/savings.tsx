import { Form } from 'react-router'
import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { eligibleOnlyMessage } from '#content/messages/coupons.ts'
import type { SavingsView } from './savings.server.ts'

/** Renders the cart's coupon and its effect, or the coupon form, and the military discount. */
export function Savings({ savings, reply }: { savings: SavingsView; reply: FormReply | undefined }) {
  const { code, coupon, referral, suggestion, military } = savings
  const isRefused = reply?.errors['coupon'] !== undefined || coupon?.isUsed === false
  return (
    <section aria-label="Ways to save" className="coupon-entry">
      {code === null ? (
        <Form method="post" preventScrollReset noValidate>
          <input type="hidden" name="intent" value="enter-coupon" />
          <Field
            name="coupon"
            label="Coupon or referral code"
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
      {code !== null && coupon ? (
        <p className={coupon.isUsed ? 'said go' : 'said'} role="status">
          <Icon name={coupon.isUsed ? 'check-circle' : 'warning'} size="s" />
          <span>
            <b>{coupon.lead}</b> {coupon.words}
          </span>
        </p>
      ) : null}
      {referral ? (
        <p className="said go" role="status">
          <Icon name="check-circle" size="s" />
          <span>
            <b>{referral.lead}</b> {referral.words}
          </span>
        </p>
      ) : null}
      {isRefused && suggestion ? (
        <Form method="post" preventScrollReset className="said row">
          <input type="hidden" name="intent" value="enter-coupon" />
          <span>{suggestion.words}</span>
          <button className="btn small" name="coupon" value={suggestion.code}>
            Use {suggestion.code}
          </button>
        </Form>
      ) : null}
      {military ? <Military military={military} /> : null}
    </section>
  )
}

function Military({ military: { isUsed, lead, words, verify } }: { military: NonNullable<SavingsView['military']> }) {
  return (
    <p className={isUsed ? 'military go' : 'military'}>
      <Icon name={isUsed ? 'check-circle' : 'shield'} size="s" />
      <span>
        <b>{lead}</b> {words} {verify ? <a href={verify}>Verify in 1 minute</a> : null}
      </span>
    </p>
  )
}
