import { creditDeclined, financingFailed } from '#content/messages/financing.ts'
import type { Financing, FinancingProduct, FinancingView } from '#domain/payments/payments/financing.port.ts'
import type {
  ChargeState,
  ChargeView,
  HostedPageInput,
  PagePaymentProvider,
  ProviderAnswer,
} from '#domain/payments/payments/payment-provider.port.ts'

/**
 * A lender as one of the store's payment providers. An application is a charge, authorized after it's signed for our
 * total. Payment comes only from deliveries, so captures are refused. Voiding cancels the application, and refunding
 * returns part of it.
 */
export function createLenderPayments(financing: Financing): PagePaymentProvider {
  return {
    async openHostedPage(input) {
      const { method, order } = input
      if (!isProduct(method) || !order) return { ok: false, reason: 'refused-input', message: noOrder }
      const opened = await financing.open({ ...financed(input), product: method, order })
      return opened.ok ? { ok: true, value: { hostedRef: opened.value.ref, url: opened.value.url } } : opened
    },
    readHostedPage: async (ref) => visitOf(await financing.read(ref)),
    closeHostedPage: async ({ hostedRef: ref, key }) => visitOf(await financing.cancel({ ref, key })),
    readCharge: async (ref) => chargeOf(await financing.read(ref)),
    captureCharge: () =>
      Promise.resolve({ ok: false, reason: 'refused-input', message: 'Lenders pay only for delivered goods.' }),
    voidCharge: async (input) => chargeOf(await financing.cancel(input)),
    refundCharge: ({ ref, amountCents, key }) => financing.giveBack({ ref, cents: amountCents, key }),
    async readEvent(message) {
      const read = await financing.readEvent(message)
      if (!read.ok) return read
      const { view, ...event } = read.event
      return { ok: true, event: { ...event, charge: toCharge(view), hostedRef: view.ref } }
    },
  }
}

const noOrder = 'A lender finances orders only.'

function isProduct(method: HostedPageInput['method']): method is FinancingProduct {
  return method === 'lease' || method === 'loan' || method === 'store-card'
}

function financed({ key, reference, amountCents, email, returnUrl, cancelUrl }: HostedPageInput) {
  return { key, reference, amountCents, email, returnUrl, cancelUrl }
}

function chargeOf(answer: ProviderAnswer<FinancingView>): ProviderAnswer<ChargeView> {
  return answer.ok ? { ok: true, value: toCharge(answer.value) } : answer
}

function visitOf(
  answer: ProviderAnswer<FinancingView>,
): ProviderAnswer<{ completed: boolean; charge: ChargeView | null }> {
  if (!answer.ok) return answer
  const charge = toCharge(answer.value)
  return { ok: true, value: { completed: charge.state !== 'open', charge } }
}

function toCharge(view: FinancingView): ChargeView {
  return {
    ref: view.ref,
    state: stateOf(view),
    amountCents: view.amountCents,
    capturedCents: view.deliveredCents,
    refundedCents: view.givenBackCents,
    clientSecret: null,
    cardFingerprint: null,
    failure: failureOf(view),
  }
}

/** A contract signed for less than our total doesn't count as payment because the rest would be unpaid. */
function isShort({ state, signedCents, amountCents }: FinancingView): boolean {
  return state === 'signed' && signedCents !== amountCents
}

function stateOf(view: FinancingView): ChargeState {
  if (isShort(view)) return 'failed'
  switch (view.state) {
    case 'opened':
    case 'applying':
    case 'approved':
      return 'open'
    case 'in-review':
    case 'unknown':
      return 'processing'
    case 'signed':
    case 'confirmed':
      return 'authorized'
    case 'delivered':
    case 'funded':
      return 'captured'
    case 'declined':
    case 'expired':
      return 'failed'
    case 'canceled':
    case 'terminated':
      return 'voided'
  }
}

function failureOf(view: FinancingView): string | null {
  if (view.state === 'declined') return creditDeclined
  return view.state === 'expired' || isShort(view) ? financingFailed : null
}
