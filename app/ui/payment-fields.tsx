import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react'
import type {
  FieldsCharge,
  FieldsEvent,
  PaymentFields as Fields,
  PaymentFieldsSetup,
} from '#app/ui/payment-fields.port.ts'

export type PaymentFieldsHandle = Pick<Fields, 'confirm'>

type Props = {
  setup: PaymentFieldsSetup
  charge: FieldsCharge
  onEvent: (event: FieldsEvent) => void
  ref: Ref<PaymentFieldsHandle>
}

/**
 * The configured provider's card fields for one charge; a different charge needs a different key. Each provider is a
 * separate file, so that a page loads only the one it shows.
 */
export function PaymentFields({ setup, charge, onEvent, ref }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const fields = useRef<Fields>(undefined)
  useImperativeHandle(ref, () => ({ confirm: () => fields.current?.confirm() }), [])

  const hear = useEffectEvent(onEvent)
  const open = useEffectEvent((element: HTMLElement, tell: (event: FieldsEvent) => void) =>
    openFields(element, setup, charge, tell),
  )
  useEffect(() => {
    const element = box.current
    if (!element) return
    let isGone = false
    open(element, (event) => hear(event)).then(
      (opened) => {
        if (isGone) opened.remove()
        else fields.current = opened
      },
      // The file failed to load, so the shopper pays on the provider's page.
      () => hear({ type: 'missing' }),
    )
    return () => {
      isGone = true
      fields.current?.remove()
      fields.current = undefined
    }
  }, [])

  return <div className="payment-fields" ref={box} />
}

async function openFields(
  box: HTMLElement,
  setup: PaymentFieldsSetup,
  charge: FieldsCharge,
  tell: (event: FieldsEvent) => void,
): Promise<Fields> {
  if (setup.kind === 'sandbox')
    return (await import('#app/ui/payment-fields-sandbox.ts')).openSandboxFields(box, setup, charge, tell)
  return (await import('#app/ui/payment-fields-stripe.ts')).openStripeFields(box, setup, charge, tell)
}
