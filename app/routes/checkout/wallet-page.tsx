import { useRef, useState } from 'react'
import { useSubmit } from 'react-router'
import type { MoneyView } from '#app/views/checkout.server.ts'
import { DestinationReview, ReceiverReview, TiresReview } from '#app/routes/checkout/order-review.tsx'
import { PaymentAlert, type PaymentAlertView } from '#app/routes/checkout/payment-alert.tsx'
import { useWallets } from '#app/routes/checkout/wallet.tsx'
import type { WalletReview, WalletsView } from '#app/routes/checkout/wallet.server.ts'
import { TermsTick } from '#app/routes/checkout/place-order.tsx'
import { paths } from '#content/paths.ts'
import type { WalletMethod } from '#domain/payments/payments.ts'

type Props = {
  method: WalletMethod
  name: string
  wallets: WalletsView | null
  review: WalletReview
  money: Pick<MoneyView, 'total' | 'fingerprint' | 'moved'>
  returnUrl: string
  isHeld: boolean
  alert: PaymentAlertView | null
}

type Errors = { terms?: string; conditions?: string }

/**
 * A wallet's own page: the shopper accepts what must be accepted, and the sheet pays and places the order at once. What
 * is no longer right by then is said on the order review, with the amount set aside.
 */
export function WalletPage({ method, name, wallets, review, money, returnUrl, isHeld, alert }: Props) {
  const place = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const hasConditions = review.verdict?.level === 'fits_with_conditions'

  function mayOpen(): boolean {
    const ticked = new FormData(form.current ?? undefined)
    const missing: Errors = {
      ...(ticked.get('terms') === '1' ? {} : { terms: 'Please accept the terms of sale.' }),
      ...(hasConditions && ticked.get('conditions') !== '1'
        ? { conditions: 'Please check the box that you have read what the fit depends on.' }
        : {}),
    }
    setErrors(missing)
    const [first] = Object.keys(missing)
    if (first) document.getElementById(first)?.focus()
    return !first
  }

  const afterwards = () => void place(form.current, { method: 'post', action: paths.orderSummary() })
  const { box, stage, alert: shown } = useWallets({
    wallets: review.remedy ? null : wallets,
    only: method,
    returnUrl,
    isHeld,
    before: alert,
    mayOpen,
    afterwards,
  })
  const isAbsent = stage === 'absent' || wallets === null
  return (
    <>
      {shown ? <PaymentAlert alert={shown} /> : null}
      <TiresReview
        lines={review.lines}
        moved={money.moved}
        verdict={review.verdict}
        reply={{ title: null, words: null, remedy: null, terms: false, conditions: false, errors }}
      />
      <DestinationReview {...review.to} />
      <ReceiverReview who={review.who} />
      <form id="place-order" ref={form} className="panel padded stack" onSubmit={(event) => event.preventDefault()}>
        <input type="hidden" name="agreed" value={money.fingerprint ?? ''} />
        {review.remedy ? (
          <>
            <p className="notice small">{review.remedy.words}</p>
            <a className="btn primary large wide" href={review.remedy.href}>
              {review.remedy.label}
            </a>
          </>
        ) : (
          <>
            <div className="script-required stack">
              <TermsTick isTicked={false} error={errors.terms} />
              <div className={stage === 'offered' || stage === 'paying' ? 'wallet-box' : 'wallet-box is-waiting'} ref={box} />
              {stage === 'loading' ? (
                <p className="muted" role="status">
                  Asking your device for {name}…
                </p>
              ) : null}
              {isAbsent ? (
                <p className="notice" role="status">
                  This device or browser doesn’t offer {name}. Nothing was charged.
                </p>
              ) : (
                <p className="small muted">
                  The sheet shows {money.total}. When you approve it, we place your order. Your card is charged once the
                  time in which you can cancel is over.
                </p>
              )}
            </div>
            <noscript>
              <p className="notice">{`${name} needs JavaScript, which is off in this browser.`}</p>
            </noscript>
          </>
        )}
        <p>
          <a href={paths.checkoutPayments()}>Choose another way to pay</a>
        </p>
      </form>
    </>
  )
}
