/** The platform's buyer data, validated like our own form and returned unchanged. */
import { error, type Message } from '#ucp/answers.ts'
import { has, type UcpContext } from '#ucp/context.ts'
import type { AddressInput, BuyerInput, CheckoutInput } from '#ucp/input.ts'
import { capabilityNames } from '#ucp/profile.ts'
import type { Said } from '#domain/channels/agents/agents.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { readDetails, saveBilling, saveContact } from '#domain/ordering/checkout/checkout.server.ts'
import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { stateCodeOf } from '#platform/us-states.ts'

const purposes = {
  analytics: { older: 'analytics', description: 'Measuring how the store is used' },
  marketing: { older: 'marketing', description: 'Store news and offers' },
  preferences: { older: 'preferences', description: 'Remembering choices for the next visit' },
  sale_or_sharing: { older: 'sale_of_data', description: 'Sharing data with others for their advertising' },
} as const

/**
 * Returns the region as a state code if it's a state. Otherwise returns it unchanged so that our form reports the
 * error.
 */
function stateIn({ address_region: region }: AddressInput): string | undefined {
  return stateCodeOf(region ?? '') ?? region
}

/** What is kept of a request for the answers to come. */
export function saidIn({ buyer, fulfillment }: CheckoutInput, before: Said): Said {
  const [method] = fulfillment?.methods ?? []
  const sent =
    method?.destinations?.find(({ id }) => id === method.selected_destination_id) ?? method?.destinations?.[0]
  const kept = method && method.type !== 'shipping' ? undefined : before['address']
  const address = sent ?? kept
  return { ...(buyer && { buyer }), ...(address !== undefined && { address }) }
}

export const addressSaid = (said: Said): AddressInput | undefined => said['address'] as AddressInput | undefined
const buyerSaid = (said: Said): BuyerInput | undefined => said['buyer'] as BuyerInput | undefined

/** Saves the buyer with the cart if all our form's fields are present. A person fills in the rest. */
export async function applyBuyer(
  { app }: UcpContext,
  cart: Cart,
  said: Said,
  address = addressSaid(said),
): Promise<Message[]> {
  const buyer = buyerSaid(said)
  if (!buyer?.email || !address?.street_address) return []
  const parsed = contactForm.safeParse({
    firstName: address.first_name ?? buyer.first_name,
    lastName: address.last_name ?? buyer.last_name,
    company: '',
    address1: address.street_address,
    address2: address.extended_address ?? '',
    city: address.address_locality,
    state: stateIn(address),
    zip: address.postal_code,
    instructions: '',
    email: buyer.email,
    phone: buyer.phone_number ?? address.phone_number,
    phoneType: 'mobile',
    vehicleNote: '',
  })
  if (!parsed.success)
    return parsed.error.issues
      .slice(0, 5)
      .map(({ path, message }) => error('buyer_invalid', message, 'recoverable', pathOf(String(path[0]))))
  const saved = await saveContact(app, cart, parsed.data)
  if (saved.ok) {
    const { contact } = await readDetails(app, cart.id)
    if (contact) await saveBilling(app, cart.id, { sameAsShipping: '1', poNumber: null }, contact)
    return []
  }
  if (saved.reason === 'field')
    return [error('buyer_invalid', saved.detail.message, 'recoverable', pathOf(saved.detail.name))]
  // Whether to keep such an address is the buyer's decision.
  return saved.reason === 'address-unsure'
    ? [error('address_unverified', saved.detail.words, 'requires_buyer_review', addressPath)]
    : [error('address_of_shop', `${saved.detail.shop.name} is at this address.`, 'requires_buyer_review', addressPath)]
}

const addressPath = '$.fulfillment.methods[0].destinations[0]'

function pathOf(field: string): string {
  const ofBuyer: Readonly<Record<string, string>> = {
    email: 'email',
    phone: 'phone_number',
    firstName: 'first_name',
    lastName: 'last_name',
  }
  const name = ofBuyer[field]
  return name === undefined ? addressPath : `$.buyer.${name}`
}

/** Returns the platform's buyer with the consents, if requested. */
export function buyerView(context: UcpContext, said: Said): object {
  const { consent = {}, ...buyer } = buyerSaid(said) ?? {}
  if (!has(context, capabilityNames.consent)) return buyer
  if (context.agent.version === '2026-04-08') {
    const flat = Object.values(purposes).map(({ older }) => [older, consent[older] === true] as const)
    return { ...buyer, consent: Object.fromEntries(flat) }
  }
  const decisions = Object.entries(purposes).map(([purpose, { description }]) => {
    const name = `dev.ucp.consent.${purpose}`
    const granted = decisionOf(consent[name])
    const source = granted === undefined ? 'business' : 'platform'
    return [name, { granted: granted === true, source, description }] as const
  })
  return { ...buyer, consent: Object.fromEntries(decisions) }
}

function decisionOf(decision: boolean | { granted: boolean } | undefined): boolean | undefined {
  return typeof decision === 'object' ? decision.granted : decision
}
