/**
 * Charges for the store's demo data, which weren't paid here. Each is created on first use of its reference, which
 * describes the charge: `pi_sample_<state>_<cents>_<name>`, with `<cents>back` before the name for a partial refund.
 */
import { chargeFor } from './charges.ts'
import type { Ledger, StoredIntent } from './ledger.ts'
import { newIntent } from './new-intent.ts'
import { namedCard } from './test-cards.ts'

const sampleReference =
  /^pi_sample_(captured|refunded|authorized|voided)_([1-9]\d{1,7})(?:_([1-9]\d{0,7})back)?_[a-z0-9]{1,32}$/

/**
 * Creates and stores the demo charge with this id; undefined for an id of another form. Its capture is older than the
 * sandbox's records, so it has no event and no balance transaction; what happens to it from now on has both.
 */
export function createSampleIntent(ledger: Ledger, id: string): StoredIntent | undefined {
  const [, state, cents, back = cents] = sampleReference.exec(id) ?? []
  if (state === undefined || cents === undefined) return undefined
  const [amount, refunded] = [Number(cents), Number(back)]
  if (refunded > amount) return undefined
  const intent = newIntent(ledger, id, {
    amount,
    captureMethod: 'manual',
    metadata: {},
    description: null,
    receiptEmail: null,
  })
  if (state === 'voided') return store(ledger, { ...intent, status: 'canceled' })
  const isCaptured = state !== 'authorized'
  const charge = chargeFor(ledger, intent, cardOf(ledger), { status: 'succeeded', isCaptured })
  if (state === 'refunded')
    ledger.charges.put(charge.id, { ...charge, amount_refunded: refunded, refunded: refunded === amount })
  return store(ledger, {
    ...intent,
    status: isCaptured ? 'succeeded' : 'requires_capture',
    amount_capturable: isCaptured ? 0 : amount,
    amount_received: isCaptured ? amount : 0,
    latest_charge: charge.id,
  })
}

function store(ledger: Ledger, intent: StoredIntent['intent']): StoredIntent {
  const stored: StoredIntent = { intent, card: cardOf(ledger), sessionId: null }
  ledger.intents.put(intent.id, stored)
  return stored
}

function cardOf({ now }: Ledger): StoredIntent['card'] {
  return namedCard('pm_card_visa', now()) ?? null
}
