import { useEffect, useRef, useState } from 'react'
import { useSubmit } from 'react-router'
import type { MoneyView } from '#app/views/checkout.server.ts'
import { DestinationReview, ReceiverReview, TiresReview } from '#app/routes/checkout/order-review.tsx'
import { PaymentAlert, type PaymentAlertView } from '#app/routes/checkout/payment-alert.tsx'
import { TermsTick } from '#app/routes/checkout/place-order.tsx'
import type { WalletButtons } from '#app/routes/checkout/wallet.tsx'
import type { WalletReview, WalletsView } from '#app/routes/checkout/wallet.server.ts'
import { paths } from '#content/paths.ts'
import type { WalletMethod } from '#domain/payments/payments/payments.ts'

type Props = {
  method: WalletMethod
  name: string
  wallets: WalletsView | null
  review: WalletReview
  money: Pick<MoneyView, 'total' | 'moved'>
  returnUrl: string
  isHeld: boolean
  alert: PaymentAlertView | null
}

type Errors = { terms?: string; conditions?: string }

/**
 * Renders a wallet's page. The shopper accepts the required terms, and the wallet sheet pays and places the order in
 * one step. If the order is no longer valid, the order review shows the problem and the authorized amount.
 */
export function WalletPage({ method, name, wallets, review, money, returnUrl, isHeld, alert }: Props) {
  const place = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  const loaded = useWalletButtons()
  const [errors, setErrors] = useState<Errors>({})
  const { remedy } = review

  function mayOpen(): boolean {
    const missing = missingIn(form.current, review.verdict?.level === 'fits_with_conditions')
    setErrors(missing)
    const [first] = Object.keys(missing)
    if (first) document.getElementById(first)?.focus()
    return !first
  }

  return (
    <>
      <TiresReview
        lines={review.lines}
        moved={money.moved}
        verdict={review.verdict}
        service={review.service}
        reply={{ title: null, words: null, remedy: null, terms: false, conditions: false, errors }}
      />
      <DestinationReview {...review.to} />
      <ReceiverReview who={review.who} />
      <form id="place-order" ref={form} className="panel padded stack" onSubmit={(event) => event.preventDefault()}>
        <input type="hidden" name="agreed" value={review.agreed} />
        {remedy ? (
          <>
            <p className="notice small">{remedy.words}</p>
            <a className="btn primary large wide" href={remedy.href}>
              {remedy.label}
            </a>
          </>
        ) : (
          <>
            <TermsTick isTicked={false} error={errors.terms} isService={review.service !== null} />
            {loaded ? (
              <loaded.Buttons
                wallets={wallets}
                only={method}
                {...{ name, returnUrl, isHeld, mayOpen }}
                total={money.total}
                before={alert}
                afterwards={() => void place(form.current, { method: 'post', action: paths.orderSummary() })}
              />
            ) : alert ? (
              <PaymentAlert alert={alert} />
            ) : null}
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

/** The wallet's button and all that belongs to it, loaded apart; null until then. */
function useWalletButtons(): { Buttons: typeof WalletButtons } | null {
  const [part, setPart] = useState<{ Buttons: typeof WalletButtons } | null>(null)
  useEffect(() => {
    void import('#app/routes/checkout/wallet.tsx').then(
      ({ WalletButtons: Buttons }) => setPart({ Buttons }),
      // The other ways to pay are one link away.
      () => {},
    )
  }, [])
  return part
}

/** What must be accepted and is not yet. */
function missingIn(form: HTMLFormElement | null, hasConditions: boolean): Errors {
  const ticked = new FormData(form ?? undefined)
  return {
    ...(ticked.get('terms') === '1' ? {} : { terms: 'Please accept the terms of sale.' }),
    ...(hasConditions && ticked.get('conditions') !== '1'
      ? { conditions: 'Please check the box that you have read what the fit depends on.' }
      : {}),
  }
}
