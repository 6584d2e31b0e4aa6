import type { ChargedMethod, PaymentProviderName } from '#domain/payments/payment-methods/payment-methods.ts'
import type {
  ChargeView,
  PagePaymentProvider,
  PaymentProvider,
  ProviderAnswer,
  ProviderEvent,
} from '#domain/payments/payments/payment-provider.port.ts'

/** The store's payment providers other than Stripe. */
export type FurtherProviders = Partial<Record<Exclude<PaymentProviderName, 'stripe'>, PagePaymentProvider>>

/**
 * One payment provider made of several. A page is opened at the provider of its method; from then on every reference
 * begins with that provider's name and a colon, so that each call finds its way back. Stripe's references, which came
 * first, carry no name.
 */
export function routePayments(
  stripe: PaymentProvider,
  further: FurtherProviders,
  providerOf: (method: ChargedMethod) => PaymentProviderName,
): PaymentProvider {
  type Place = { provider: PagePaymentProvider; name: string; ref: string }

  function placeOf(ref: string): Place {
    const [name = '', ...rest] = ref.split(':')
    const provider = name === 'paypal' || name === 'lender' || name === 'resolve' ? further[name] : undefined
    return provider ? { provider, name: `${name}:`, ref: rest.join(':') } : { provider: stripe, name: '', ref }
  }

  function ofRef<Value>(ref: string, ask: (place: Place) => Promise<ProviderAnswer<Value>>, name = placeOf(ref).name) {
    return ask(placeOf(ref)).then((answer) => named(answer, name))
  }

  return {
    openCharge: (input) => stripe.openCharge(input),
    changeAmount: (input) => stripe.changeAmount(input),
    readCharge: (ref) => ofRef(ref, (place) => place.provider.readCharge(place.ref)),
    captureCharge: (input) => ofRef(input.ref, ({ provider, ref }) => provider.captureCharge({ ...input, ref })),
    voidCharge: (input) => ofRef(input.ref, ({ provider, ref }) => provider.voidCharge({ ...input, ref })),
    async refundCharge(input) {
      const { provider, name, ref } = placeOf(input.ref)
      const refunded = await provider.refundCharge({ ...input, ref })
      // Prefixed because later requests contain only the reference.
      return refunded.ok && refunded.value.isPending
        ? { ...refunded, value: { ...refunded.value, refundRef: name + refunded.value.refundRef } }
        : refunded
    },
    readRefund(refundRef) {
      const { provider, ref } = placeOf(refundRef)
      if (!provider.readRefund) throw new Error(`Refunds from this provider can’t finish later: ${refundRef}`)
      return provider.readRefund(ref)
    },
    refBefore(input) {
      const name = providerOf(input.method)
      const ref = name === 'stripe' ? undefined : further[name]?.refBefore?.(input)
      return ref === undefined ? undefined : `${name}:${ref}`
    },
    async openHostedPage(input) {
      const name = providerOf(input.method)
      const provider = name === 'stripe' ? stripe : further[name]
      if (!provider) throw new Error(`The store has no provider for ${input.method}.`)
      const opened = await provider.openHostedPage(input)
      return opened.ok && name !== 'stripe'
        ? { ...opened, value: { ...opened.value, hostedRef: `${name}:${opened.value.hostedRef}` } }
        : opened
    },
    readHostedPage: (hostedRef) => ofRef(hostedRef, ({ provider, ref }) => provider.readHostedPage(ref)),
    closeHostedPage: (input) =>
      ofRef(input.hostedRef, ({ provider, ref }) => provider.closeHostedPage({ ...input, hostedRef: ref })),
    async readEvent(message) {
      if (message.provider === 'stripe') return stripe.readEvent(message)
      const read = await further[message.provider]?.readEvent(message)
      if (!read) return { ok: false, reason: 'bad-signature' }
      return read.ok ? { ok: true, event: eventNamed(read.event, `${message.provider}:`) } : read
    },
  }
}

/** The answer with its charge under the store's name for it. */
function named<Value>(answer: ProviderAnswer<Value>, name: string): ProviderAnswer<Value> {
  if (!answer.ok || name === '') return answer
  const { value } = answer
  if (isCharge(value)) return { ok: true, value: { ...value, ref: name + value.ref } }
  if (typeof value === 'object' && value !== null && 'charge' in value && isCharge(value.charge))
    return { ok: true, value: { ...value, charge: { ...value.charge, ref: name + value.charge.ref } } }
  return answer
}

function eventNamed(event: ProviderEvent, name: string): ProviderEvent {
  return {
    ...event,
    charge: event.charge && { ...event.charge, ref: name + event.charge.ref },
    hostedRef: event.hostedRef === null ? null : name + event.hostedRef,
  }
}

function isCharge(value: unknown): value is ChargeView {
  return typeof value === 'object' && value !== null && 'ref' in value && 'capturedCents' in value
}
