/** The sandbox's wallet owners and the result of paying with each. */
import { namedCard, type CardOnFile } from './test-cards.ts'

export const walletTypes = ['apple_pay', 'google_pay'] as const
export type WalletType = (typeof walletTypes)[number]

export const walletNames: Readonly<Record<WalletType, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' }

/** The billing details of a wallet's owner in Stripe.js format. */
export type WalletBilling = {
  name: string
  email: string
  phone: string
  address: { line1: string; line2: string | null; city: string; state: string; postal_code: string; country: string }
}

export type WalletPerson = { key: string; words: string; paymentMethod: string; billing: WalletBilling }

function personOf(
  [key, name, words]: readonly [string, string, string],
  paymentMethod: string,
  address: Partial<WalletBilling['address']> = {},
): WalletPerson {
  return {
    key,
    words: `${name}: ${words}`,
    paymentMethod,
    billing: {
      name,
      email: `${key}@example.com`,
      phone: '+13125550100',
      address: {
        line1: '1 Elm St',
        line2: null,
        city: 'Chicago',
        state: 'IL',
        postal_code: '60614',
        country: 'US',
        ...address,
      },
    },
  }
}

export const walletPeople: readonly WalletPerson[] = [
  personOf(['dana', 'Dana Ruiz', 'pays'], 'pm_card_visa'),
  personOf(['lee', 'Lee Park', 'is declined'], 'pm_card_visa_chargeDeclinedInsufficientFunds'),
  personOf(['sam', 'Sam Okafor', 'the bank answers after 20 seconds'], 'pm_card_stalls'),
  personOf(['robin', 'Robin Hale', 'pays, but the connection breaks'], 'pm_card_dropsResponse'),
  personOf(['mia', 'Mia Tremblay', 'pays, and lives in Canada'], 'pm_card_mastercard', {
    line1: '12 Rue Cartier',
    city: 'Québec',
    state: 'QC',
    postal_code: 'G1R 4M8',
    country: 'CA',
  }),
]

/** The card in someone's wallet; undefined for an unknown person. */
export function walletCard(person: string, wallet: WalletType, now: Temporal.Instant): CardOnFile | undefined {
  const found = walletPeople.find(({ key }) => key === person)
  const card = found && namedCard(found.paymentMethod, now)
  return card && { ...card, zip: found.billing.address.postal_code, street: found.billing.address.line1, wallet }
}
