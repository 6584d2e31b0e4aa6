/**
 * A payment provider in memory: it outlives the store's processes, as the real one does, and keeps to what the port promises about keys. Its messages
 * are plain JSON of their id and charge, signed "provider".
 */
import type { ChargeView, PaymentProvider, ProviderAnswer } from '#domain/payments/payment-provider.port.ts'

export type PretendPayments = PaymentProvider & {
  /** Every charge there is, by the provider's name for it. */
  charges: ReadonlyMap<string, Readonly<ChargeView>>
  /** What a shopper does in the card fields. */
  authorize(charge: { ref: string }): void
  /** What a shopper does on the page of this name; nothing when it is closed. */
  payOnPage(hostedRef: string): void
}

export function createPretendPayments(): PretendPayments {
  const charges = new Map<string, ChargeView>()
  const pages = new Map<string, { amountCents: number; isOpen: boolean; charge: ChargeView | null }>()
  const answers = new Map<string, unknown>()

  /** A repeated key gets the first answer, and has no second effect. */
  function once<Value>(key: string, act: () => Value): ProviderAnswer<Value> {
    if (!answers.has(key)) answers.set(key, act())
    return { ok: true, value: answers.get(key) as Value }
  }

  function chargeOf(ref: string): ChargeView {
    const charge = charges.get(ref)
    if (!charge) throw new Error(`Nobody opened the charge ${ref}.`)
    return charge
  }

  function pageOf(hostedRef: string) {
    const page = pages.get(hostedRef)
    if (!page) throw new Error(`Nobody opened ${hostedRef}.`)
    return page
  }

  function standingOf(hostedRef: string) {
    const { charge } = pageOf(hostedRef)
    return { completed: charge !== null, charge: charge && { ...charge } }
  }

  function move(ref: string, from: ChargeView['state'][], to: Partial<ChargeView>): ProviderAnswer<ChargeView> {
    const charge = chargeOf(ref)
    const isThere = charge.state === to.state
    if (!isThere && !from.includes(charge.state)) return { ok: false, reason: 'refused-input', message: `The charge is ${charge.state}.` }
    if (!isThere) Object.assign(charge, to)
    return { ok: true, value: { ...charge } }
  }

  return {
    charges,
    authorize({ ref }) {
      const charge = chargeOf(ref)
      if (charge.state === 'open') charge.state = 'authorized'
    },
    payOnPage(hostedRef) {
      const page = pageOf(hostedRef)
      if (!page.isOpen) return
      const ref = `charge on ${hostedRef}`
      page.isOpen = false
      page.charge = { ref, state: 'authorized', amountCents: page.amountCents, capturedCents: 0, refundedCents: 0, clientSecret: null, failure: null }
      charges.set(ref, page.charge)
    },
    async openCharge({ amountCents, reference, key }) {
      return once(key, () => {
        const ref = `charge of ${reference}`
        charges.set(ref, { ref, state: 'open', amountCents, capturedCents: 0, refundedCents: 0, clientSecret: `secret of ${reference}`, failure: null })
        return { ref, clientSecret: `secret of ${reference}` }
      })
    },
    changeAmount: async ({ ref, amountCents }) => move(ref, ['open'], { state: 'open', amountCents }),
    readCharge: async (ref) => ({ ok: true, value: { ...chargeOf(ref) } }),
    captureCharge: async ({ ref, amountCents }) => move(ref, ['authorized'], { state: 'captured', capturedCents: amountCents }),
    voidCharge: async ({ ref }) => move(ref, ['open', 'authorized', 'failed'], { state: 'voided' }),
    async refundCharge({ ref, amountCents, key }) {
      return once(key, () => {
        const charge = chargeOf(ref)
        if (charge.refundedCents + amountCents > charge.capturedCents) throw new Error('More than was captured.')
        charge.refundedCents += amountCents
        return { refundRef: key }
      })
    },
    async openHostedPage({ amountCents, reference, key }) {
      return once(key, () => {
        pages.set(`page of ${reference}`, { amountCents, isOpen: true, charge: null })
        return { hostedRef: `page of ${reference}`, url: 'https://pay.example' }
      })
    },
    readHostedPage: async (hostedRef) => ({ ok: true, value: standingOf(hostedRef) }),
    async closeHostedPage({ hostedRef }) {
      pageOf(hostedRef).isOpen = false
      return { ok: true, value: standingOf(hostedRef) }
    },
    async readEvent(rawBody, signature) {
      if (signature !== 'provider') return { ok: false }
      const { id, ref } = JSON.parse(rawBody) as { id: string; ref: string }
      return { ok: true, event: { id, kind: 'charge', charge: { ...chargeOf(ref) }, hostedRef: null, body: {} } }
    },
  }
}
