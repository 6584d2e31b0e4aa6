import { useEffect } from 'react'
import { Form, useFetcher } from 'react-router'
import { processingMessage } from '#content/messages/payments.ts'
import { paths } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'

/** How the last attempt to pay ended; `again` opens the provider's page of that method once more. */
export type PaymentAlertView = {
  tone: 'stop' | 'caution'
  title: string
  words: string
  again: { method: string; label: string } | null
}

export function PaymentAlert({ alert: { tone, title, words, again } }: { alert: PaymentAlertView }) {
  return (
    <section className={`payment-alert ${tone === 'stop' ? 'is-stop' : 'is-caution'}`} role="alert">
      <Icon name={tone === 'stop' ? 'cross-circle' : 'warning'} />
      <div>
        <h2>{title}</h2>
        {words ? <p>{words}</p> : null}
        {again ? (
          // A plain form, because the browser navigates to the provider's origin.
          <form method="post" action={paths.checkoutPayment(again.method)}>
            <input type="hidden" name="intent" value="hosted" />
            <button className="btn" type="submit">
              {again.label}
            </button>
          </form>
        ) : null}
      </div>
    </section>
  )
}

const askAgainMs = 3_000

/**
 * The bank's answer is pending. With JavaScript, the page polls and continues after the answer. `at` is the payment
 * method's page.
 */
export function PaymentWaiting({ at, words }: { at: string; words: string }) {
  const asking = useFetcher()
  useEffect(() => {
    if (asking.state !== 'idle') return undefined
    const timer = setTimeout(() => void asking.submit({ intent: 'settle' }, { method: 'post', action: at }), askAgainMs)
    return () => clearTimeout(timer)
  }, [asking, at])
  return (
    <section className="payment-alert is-caution" role="status">
      <Icon name="clock" />
      <div>
        <h2>{processingMessage}</h2>
        <p>{words}</p>
        <Form method="post" action={at}>
          <input type="hidden" name="intent" value="settle" />
          <button className="btn" type="submit">
            Check again
          </button>
        </Form>
      </div>
    </section>
  )
}
