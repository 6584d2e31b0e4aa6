import { useEffect, useEffectEvent, useRef, useState, type ComponentType, type Ref } from 'react'
import { useFetcher } from 'react-router'
import { PaymentAlert, type PaymentAlertView } from '#app/routes/checkout/payment-alert.tsx'
import type { CardAnswer } from '#app/routes/checkout/card-charge.server.ts'
import type { WalletsView } from '#app/routes/checkout/wallet.server.ts'
import {
  mayHaveWallet,
  openExpressCheckout,
  type ApprovedSheet,
  type ExpressCheckoutEvent,
} from '#app/ui/express-checkout.ts'
import { paymentOutcome } from '#content/messages/payments.ts'
import { paths } from '#content/paths.ts'
import type { WalletMethod } from '#domain/payments/payments/payments.ts'

/** The timeout before the page reports that no wallet buttons are available. */
const patienceMs = 8_000

type Options = {
  wallets: WalletsView | null
  /** The wallet of a wallet page. Null to show all wallets of the device. */
  only: WalletMethod | null
  returnUrl: string
  /** Whether an appointment is held, for the message after the sheet closes. */
  isHeld: boolean
  /** The result of the last attempt with any payment method. */
  before: PaymentAlertView | null
  /** Asked when a button is pressed, before the sheet opens. */
  mayOpen?: () => boolean
  /** Called after the wallet pays. By default the server settles the charge and redirects to the order review. */
  afterwards?: () => void
}

type Stage = 'loading' | 'offered' | 'absent' | 'paying'

/**
 * Renders the device's wallet buttons into `box`. The server creates the charge after the shopper approves, then checks
 * the result with the provider.
 */
export function useWallets({ wallets, only, returnUrl, isHeld, before, mayOpen, afterwards }: Options) {
  const opening = useFetcher<CardAnswer>()
  const settling = useFetcher<CardAnswer>()
  const box = useRef<HTMLDivElement>(null)
  const approved = useRef<{ sheet: ApprovedSheet; isSent: boolean } | null>(null)
  const [stage, setStage] = useState<Stage>(wallets && mayHaveWallet() ? 'loading' : 'absent')
  const [closed, setClosed] = useState<PaymentAlertView | null>(null)

  const finish = useEffectEvent((wallet: WalletMethod, end: SheetEnd) => {
    if (end === 'paid' && afterwards) return afterwards()
    setStage('offered')
    // Without a charge there's no status to check. The response contains the reason.
    if (end === 'refused') return
    void settling.submit({ intent: 'settle' }, { method: 'post', action: paths.checkoutPayment(wallet) })
  })
  const hear = useEffectEvent((event: ExpressCheckoutEvent) => {
    switch (event.type) {
      case 'missing':
        return setStage('absent')
      case 'offered':
        return setStage(event.wallets.length > 0 ? 'offered' : 'absent')
      case 'canceled':
        return setClosed(canceledAlert(event.wallet, isHeld))
      case 'approved': {
        const { wallet, owner } = event.sheet
        setClosed(null)
        setStage('paying')
        approved.current = { sheet: event.sheet, isSent: false }
        const form = { intent: 'open', amount: String(wallets?.order.amountCents ?? 0), ...owner }
        return void opening.submit(form, { method: 'post', action: paths.checkoutPayment(wallet) })
      }
    }
  })

  const mayOpenNow = useEffectEvent(() => mayOpen?.() ?? true)
  const sheetOf = JSON.stringify(wallets)
  useEffect(() => {
    const element = box.current
    const shown = JSON.parse(sheetOf) as WalletsView | null
    if (!element || !shown || !mayHaveWallet()) return undefined
    const timer = setTimeout(() => setStage((now) => (now === 'loading' ? 'absent' : now)), patienceMs)
    const { setup, order } = shown
    const opened = openExpressCheckout(
      element,
      { setup, order, only, returnUrl, mayOpen: () => mayOpenNow() },
      (event) => hear(event),
    )
    return () => {
      clearTimeout(timer)
      opened.remove()
    }
  }, [sheetOf, only, returnUrl])

  const { state, data } = opening
  useEffect(() => {
    const waiting = approved.current
    if (!waiting) return
    if (state !== 'idle') {
      waiting.isSent = true
      return
    }
    if (!waiting.isSent) return
    approved.current = null
    const { sheet } = waiting
    void payIn(sheet, data?.clientSecret ?? null).then((end) => finish(sheet.wallet, end))
  }, [state, data])

  // The page's result after checking with the provider has more detail than the response.
  const alert = closed ?? alertOf(opening.data) ?? before ?? alertOf(settling.data)
  return { box, stage, alert }
}

type SheetEnd = 'paid' | 'unpaid' | 'refused'

/** Pays the sheet's charge. Returns `refused` if the server didn't create one. */
async function payIn(sheet: ApprovedSheet, clientSecret: string | null): Promise<SheetEnd> {
  if (clientSecret !== null) return (await sheet.pay(clientSecret)) ? 'paid' : 'unpaid'
  sheet.fail()
  return 'refused'
}

function alertOf(answer: CardAnswer | undefined): PaymentAlertView | null {
  const problem = answer?.problem
  return problem ? { tone: 'stop', again: null, ...titled(problem) } : null
}

function canceledAlert(wallet: WalletMethod, isHeld: boolean): PaymentAlertView {
  return { ...paymentOutcome(wallet, 'canceled', { name: '', isHeld }), again: null }
}

/** Returns a problem with a title, which defaults to its text. */
function titled({ title, words }: { title: string | null; words: string }): { title: string; words: string } {
  return title === null ? { title: words, words: '' } : { title, words }
}

/** Renders the wallet page's button, or that it's unavailable, and the result of the last attempt. */
export function WalletButtons({ name, total, ...options }: Options & { name: string; total: string }) {
  const { box, stage, alert } = useWallets(options)
  const isShown = stage === 'offered' || stage === 'paying'
  return (
    <>
      {alert ? <PaymentAlert alert={alert} /> : null}
      <div className={isShown ? 'wallet-box express-box is-offered' : 'wallet-box express-box'} ref={box} />
      {stage === 'absent' ? (
        <p className="notice" role="status">
          This device or browser doesn’t offer {name}. Nothing was charged.
        </p>
      ) : (
        <p className="small muted">
          The sheet shows {total}. When you approve it, we place your order. Your card is charged once the time in which
          you can cancel is over.
        </p>
      )}
    </>
  )
}

/** Renders the device's wallets above the other payment methods. `Frame` is the panel, rendered before this chunk loads. */
export function DeviceWallets({
  Frame,
  ...options
}: Pick<Options, 'wallets' | 'returnUrl' | 'isHeld' | 'before'> & {
  Frame: ComponentType<{ isShown: boolean; box: Ref<HTMLDivElement> }>
}) {
  const { box, stage, alert } = useWallets({ ...options, only: null })
  return (
    <>
      {alert ? <PaymentAlert alert={alert} /> : null}
      <Frame isShown={stage !== 'absent'} box={box} />
    </>
  )
}
