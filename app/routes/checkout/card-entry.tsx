import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { paymentError, paymentUnavailable, processingMessage, type PaymentProblem } from '#content/messages/payments.ts'
import type { CardAnswer, CardFields, CardStatus } from '#app/routes/checkout/card-charge.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { FieldsBilling, FieldsEvent } from '#app/ui/payment-fields.port.ts'
import { PaymentFields, type PaymentFieldsHandle } from '#app/ui/payment-fields.tsx'

/**
 * How long to wait for the card fields before offering the other way to pay, and for the bank before saying that it
 * takes longer.
 */
const patienceMs = 8_000

type Stage = 'loading' | 'ready' | 'paying' | 'approving' | 'late'

type Props = {
  status: CardStatus
  fields: CardFields
  payer: FieldsBilling
  returnUrl: string
  total: string
  problem: PaymentProblem | null
  /** The form's action for the provider's hosted page. */
  hostedPath: string
  /** When the card is charged. */
  note: string
  saving?: Saving
}

/** The consent text and the saved cards. Null if cards can't be saved. */
type Saving = { consent: string; isSaving: boolean; cards: readonly unknown[] } | null | undefined

/** The provider's card fields for a charge of `total`, and the provider's own page in case they do not load. */
export function CardEntry({ status, fields, payer, returnUrl, total, problem, hostedPath, note, saving }: Props) {
  const { stage, clientSecret, refusal, isLate, isBusy, isSlow, handle, pay, hear } = useCard(fields.shownAt)
  const keeping = useSaving(stage, saving)
  const shown = refusal ?? keeping.problem ?? problem ?? statusProblem(status)
  return (
    <>
      {shown ? <PaymentRefusal problem={shown} /> : null}
      <div className="panel padded card-entry">
        {stage === 'late' ? (
          <p className="notice" role="status">
            The card fields did not load. Pay on the secure page instead.
          </p>
        ) : null}
        <div className={isLate ? 'script-required is-late' : 'script-required stack'}>
          <CardHeading saving={saving} />
          {clientSecret ? (
            <PaymentFields
              key={clientSecret}
              setup={fields}
              charge={{ clientSecret, returnUrl, billing: payer }}
              onEvent={hear}
              ref={handle}
            />
          ) : null}
          {stage === 'loading' && !isLate ? (
            <p className="card-waiting muted" role="status">
              Loading the card fields…
            </p>
          ) : null}
          <SaveCard saving={saving} keeping={keeping} />
          <PayButton stage={stage} isBusy={isBusy || keeping.isBusy} total={total} onPay={pay} />
          <SlowBank isShown={isSlow && stage === 'paying'} />
        </div>
        <HostedPay path={hostedPath} isOnly={isLate} isBusy={isBusy} saving={saving} isWanted={keeping.wanted} />
      </div>
      <p className="small muted row top">
        <Icon name="shield" size="s" />
        <span>Your card number goes to the payment provider and never to us. {note}</span>
      </p>
    </>
  )
}

/**
 * Manages the charge and its card fields. Starts it once, confirms it with the button or Enter, and then requests that
 * the server settle it.
 */
function useCard(shownAt: number) {
  const opening = useFetcher<CardAnswer>()
  const settling = useFetcher<CardAnswer>()
  const handle = useRef<PaymentFieldsHandle>(null)
  const isOpened = useRef(false)
  const [stage, setStage] = useState<Stage>('loading')
  const [isSlow, setSlow] = useState(false)
  const [isComplete, setComplete] = useState(false)
  const [refusal, setRefusal] = useState<PaymentProblem | null>(null)

  useEffect(() => {
    // A charge is started only once, even if effects run twice.
    if (isOpened.current) return
    isOpened.current = true
    void opening.submit({ intent: 'open', shownAt: String(shownAt) }, { method: 'post' })
  }, [opening, shownAt])

  useEffect(() => {
    if (stage !== 'loading' && stage !== 'paying') return undefined
    const timer = setTimeout(() => (stage === 'loading' ? setStage('late') : setSlow(true)), patienceMs)
    return () => clearTimeout(timer)
  }, [stage])

  function pay(): void {
    setRefusal(null)
    setSlow(false)
    setStage('paying')
    handle.current?.confirm()
  }

  function hear(event: FieldsEvent): void {
    switch (event.type) {
      case 'ready':
        return setStage((now) => (now === 'loading' || now === 'late' ? 'ready' : now))
      case 'changed':
        return setComplete(event.isComplete)
      case 'submitted':
        return stage === 'ready' ? pay() : undefined
      case 'challenged':
        return setStage('approving')
      case 'missing':
        return setStage('late')
      case 'finished':
        setStage('ready')
        // The card fields' result isn't trusted, so the server checks with the provider.
        if (event.result.status !== 'failed') return void settling.submit({ intent: 'settle' }, { method: 'post' })
        // A typo in a field is not a payment error.
        return setRefusal({ title: isComplete ? paymentError : null, words: event.result.message })
    }
  }

  return {
    stage,
    clientSecret: opening.data?.clientSecret,
    refusal: refusal ?? settling.data?.problem ?? opening.data?.problem,
    isLate: stage === 'late' || Boolean(opening.data?.problem),
    isBusy: stage === 'paying' || stage === 'approving' || settling.state !== 'idle',
    isSlow,
    handle,
    pay,
    hear,
  }
}

type Keeping = { wanted: boolean; want: (wanted: boolean) => void; isBusy: boolean; problem: PaymentProblem | null }

/** Sends the server the choice to save the card, after the charge is created and before it's confirmed. */
function useSaving(stage: Stage, saving: Saving): Keeping {
  const isSaving = saving?.isSaving ?? false
  const telling = useFetcher<CardAnswer>()
  const [wanted, want] = useState(isSaving)
  const told = useRef(isSaving)
  const isReady = stage === 'ready'

  useEffect(() => {
    if (!isReady || wanted === told.current) return
    told.current = wanted
    void telling.submit({ intent: 'save', save: wanted ? '1' : '' }, { method: 'post' })
  }, [isReady, wanted, telling])

  return { wanted, want, isBusy: telling.state !== 'idle', problem: telling.data?.problem ?? null }
}

function CardHeading({ saving }: { saving: Saving }) {
  return <h2>{saving && saving.cards.length > 0 ? 'Another card' : 'Your card'}</h2>
}

function SlowBank({ isShown }: { isShown: boolean }) {
  return isShown ? (
    <p className="small" role="status">
      {processingMessage}
    </p>
  ) : null
}

function SaveCard({ saving, keeping: { wanted, want } }: { saving: Saving; keeping: Keeping }) {
  if (!saving) return null
  return (
    <label className="check small save-card">
      <input type="checkbox" checked={wanted} onChange={(event) => want(event.currentTarget.checked)} />
      <span>{saving.consent}</span>
    </label>
  )
}

function PayButton({
  stage,
  isBusy,
  total,
  onPay,
}: {
  stage: Stage
  isBusy: boolean
  total: string
  onPay: () => void
}) {
  return (
    <button className="btn primary large wide" type="button" onClick={onPay} disabled={stage !== 'ready' || isBusy}>
      {stage === 'approving'
        ? 'Waiting for your approval…'
        : isBusy
          ? 'Asking your bank…'
          : `Use this card for ${total}`}
    </button>
  )
}

type HostedPayProps = {
  path: string
  isOnly: boolean
  isBusy: boolean
  saving: Saving
  isWanted: boolean
}

/** The box without script; with it, there is one above. */
function HostedSave({ consent, isWanted }: { consent: string; isWanted: boolean }) {
  return (
    <>
      {isWanted ? <input type="hidden" name="save" value="1" /> : null}
      <noscript>
        <label className="check small save-card">
          <input type="checkbox" name="save" value="1" />
          <span>{consent}</span>
        </label>
      </noscript>
    </>
  )
}

/** Renders the button to the hosted page. With `isOnly`, the card fields didn't load and it's the only option. */
function HostedPay({ path, isOnly, isBusy, saving, isWanted }: HostedPayProps) {
  // A plain form, because the browser navigates to the provider's origin.
  return (
    <form method="post" action={path} className={isOnly ? 'hosted-pay is-only' : 'hosted-pay'}>
      <input type="hidden" name="intent" value="hosted" />
      {saving ? <HostedSave consent={saving.consent} isWanted={isWanted} /> : null}
      <button className={isOnly ? 'btn primary large wide' : 'btn quiet wide'} type="submit" disabled={isBusy}>
        Pay on the secure page
      </button>
      <p className="small muted">You pay on the payment provider’s website, then return here.</p>
    </form>
  )
}

function PaymentRefusal({ problem }: { problem: PaymentProblem }) {
  return (
    <div className="error-summary" role="alert">
      {problem.title ? <p className="strong">{problem.title}</p> : null}
      <p>{problem.words}</p>
    </div>
  )
}

function statusProblem(status: CardStatus): PaymentProblem | null {
  switch (status.kind) {
    case 'failed':
      return { title: paymentError, words: status.words }
    case 'unavailable':
      return { title: paymentError, words: paymentUnavailable }
    case 'other-amount':
      return {
        title: null,
        words: `Your card was authorized for ${status.authorized}, and the total has changed since. Authorize the new total; we release the first one.`,
      }
    case 'none':
    case 'ready':
    case 'processing':
      return null
  }
}
