import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import { apiVersion, unixSeconds, type Cause, type Ledger } from './ledger.ts'
import { notFound, refusedParameter } from './refusal.ts'
import { sampleAccountOf, sampleTransferOf } from './sample-accounts.ts'

export type StoredAccount = {
  id: string
  email: string
  created: number
  metadata: Record<string, string>
  bank: { id: string; last4: string; fails: boolean } | null
}
export type StoredTransfer = Pick<
  Stripe.Transfer,
  'id' | 'amount' | 'amount_reversed' | 'created' | 'transfer_group'
> & {
  destination: string
  metadata: Record<string, string>
}
export type StoredPayout = Pick<Stripe.Payout, 'id' | 'amount' | 'arrival_date' | 'created' | 'failure_code'> & {
  status: 'in_transit' | 'paid' | 'failed'
  account: string
}
/** A page of an account that is opened once, before `expiresAt`. */
export type StoredLink = {
  account: string
  returnUrl: string | null
  refreshUrl: string | null
  expiresAt: number
  isUsed: boolean
}

/** The provider's data about connected accounts, transfers, and payouts. */
export type ConnectLedger = {
  ledger: Ledger
  accounts: Collection<StoredAccount>
  transfers: Collection<StoredTransfer>
  payouts: Collection<StoredPayout>
  links: Collection<StoredLink>
}

export function openConnect(ledger: Ledger, store: Store): ConnectLedger {
  return {
    ledger,
    accounts: store.collection('connected-account'),
    transfers: store.collection('transfer'),
    payouts: store.collection('bank-payout'),
    links: store.collection('account-link'),
  }
}

const payoutSeconds = 5
const linkSeconds = 300

/** An account number at Stripe's test bank to which every payout fails. */
export const closedBankAccount = '000111111113'

/** Records an event of a connected account, or of the store's account if omitted, and queues its webhook. */
function recordOf(
  { ledger }: ConnectLedger,
  cause: Cause,
  { type, object, account }: { type: Stripe.Event.Type; object: object; account: string | null },
): void {
  const now = ledger.now()
  const event = {
    id: newId('evt_'),
    object: 'event' as const,
    api_version: apiVersion,
    created: unixSeconds(now),
    livemode: false,
    pending_webhooks: ledger.sendsWebhooks ? 1 : 0,
    request: cause && { id: cause.requestId, idempotency_key: cause.idempotencyKey },
    type,
    data: { object },
    ...(account !== null && { account }),
  }
  ledger.events.put(event.id, event)
  ledger.deliveries.enqueue('payments', { about: event.id, type, body: event, dueAt: now })
}

export function createAccount(
  connect: ConnectLedger,
  { email, metadata }: { email: string; metadata: Record<string, string> },
): StoredAccount {
  const created = unixSeconds(connect.ledger.now())
  const account: StoredAccount = { id: newId('acct_', 16), email, created, metadata, bank: null }
  connect.accounts.put(account.id, account)
  return account
}

function findAccount({ accounts, ledger }: ConnectLedger, id: string): StoredAccount | undefined {
  const known = accounts.get(id)
  const account = known ?? sampleAccountOf(id, unixSeconds(ledger.now()))
  if (account && !known) accounts.put(id, account)
  return account
}

export function getAccount(connect: ConnectLedger, id: string): StoredAccount {
  const account = findAccount(connect, id)
  if (!account) throw notFound('account', id)
  return account
}

export function openLink(
  connect: ConnectLedger,
  link: Pick<StoredLink, 'account' | 'returnUrl' | 'refreshUrl'>,
): { url: string; expiresAt: number } {
  getAccount(connect, link.account)
  const token = newId('link_', 32)
  const expiresAt = unixSeconds(connect.ledger.now()) + linkSeconds
  connect.links.put(token, { ...link, expiresAt, isUsed: false })
  return { url: `${connect.ledger.publicOrigin}/connect/${token}`, expiresAt }
}

/** The bank account of a shop was entered or changed on the provider's page. */
export function enterBank(connect: ConnectLedger, id: string, accountNumber: string): StoredAccount {
  const account = getAccount(connect, id)
  const bank = { id: newId('ba_'), last4: accountNumber.slice(-4), fails: accountNumber === closedBankAccount }
  const entered = { ...account, bank }
  connect.accounts.put(id, entered)
  recordOf(connect, null, { type: 'account.updated', object: accountObject(entered), account: id })
  return entered
}

/** Sends money to a complete account; it is paid to the bank seconds later. */
export function createTransfer(
  connect: ConnectLedger,
  cause: Cause,
  input: { amount: number; destination: string; transferGroup: string | null; metadata: Record<string, string> },
): StoredTransfer {
  const { transfers, payouts, ledger } = connect
  const account = findAccount(connect, input.destination)
  if (!account) throw refusedParameter('destination', 'resource_missing', `There is no account '${input.destination}'.`)
  if (!account.bank)
    throw refusedParameter(
      'destination',
      'insufficient_capabilities_for_transfer',
      'This account lacks the capability to take transfers.',
    )
  if (input.amount < 1) throw refusedParameter('amount', 'parameter_invalid_integer', 'At least one cent.')
  const created = unixSeconds(ledger.now())
  const transfer: StoredTransfer = {
    id: newId('tr_'),
    amount: input.amount,
    amount_reversed: 0,
    created,
    destination: account.id,
    transfer_group: input.transferGroup,
    metadata: input.metadata,
  }
  transfers.put(transfer.id, transfer)
  recordOf(connect, cause, { type: 'transfer.created', object: transferObject(transfer), account: null })
  const payout: StoredPayout = {
    id: newId('po_'),
    amount: input.amount,
    arrival_date: created + 86_400,
    created,
    failure_code: null,
    status: 'in_transit',
    account: account.id,
  }
  payouts.put(payout.id, payout, ledger.now().add({ seconds: payoutSeconds }))
  return transfer
}

export function getTransfer({ transfers, ledger }: ConnectLedger, id: string): StoredTransfer {
  const known = transfers.get(id)
  const transfer = known ?? sampleTransferOf(id, unixSeconds(ledger.now()))
  if (!transfer) throw notFound('transfer', id)
  if (!known) transfers.put(id, transfer)
  return transfer
}

/** Takes back a part of a transfer, never more than is left of it. */
export function reverse(connect: ConnectLedger, cause: Cause, id: string, amount: number | undefined): object {
  const transfer = getTransfer(connect, id)
  const left = transfer.amount - transfer.amount_reversed
  const cents = amount ?? left
  if (cents < 1 || cents > left)
    throw refusedParameter(
      'amount',
      'amount_too_large',
      `Between 1 and ${left} cents of this transfer can be reversed.`,
    )
  const reversed = { ...transfer, amount_reversed: transfer.amount_reversed + cents }
  connect.transfers.put(id, reversed)
  recordOf(connect, cause, { type: 'transfer.reversed', object: transferObject(reversed), account: null })
  return {
    id: newId('trr_'),
    object: 'transfer_reversal',
    amount: cents,
    balance_transaction: null,
    created: unixSeconds(connect.ledger.now()),
    currency: 'usd',
    destination_payment_refund: null,
    metadata: {},
    source_refund: null,
    transfer: id,
  }
}

/** A payout reaches its bank, or comes back from a closed account. */
export function payoutAlarm(connect: ConnectLedger, payout: StoredPayout): void {
  const fails = connect.accounts.get(payout.account)?.bank?.fails ?? false
  const ended: StoredPayout = {
    ...payout,
    status: fails ? 'failed' : 'paid',
    failure_code: fails ? 'account_closed' : null,
  }
  connect.payouts.put(payout.id, ended, null)
  const type = fails ? 'payout.failed' : 'payout.paid'
  recordOf(connect, null, { type, object: payoutObject(ended), account: payout.account })
}

export function accountObject({ id, email, created, metadata, bank }: StoredAccount): object {
  const banks = bank
    ? [
        {
          id: bank.id,
          object: 'bank_account',
          account: id,
          bank_name: 'STRIPE TEST BANK',
          country: 'US',
          currency: 'usd',
          last4: bank.last4,
        },
      ]
    : []
  return {
    id,
    object: 'account',
    type: 'express',
    country: 'US',
    created,
    default_currency: 'usd',
    email,
    metadata,
    charges_enabled: false,
    details_submitted: bank !== null,
    payouts_enabled: bank !== null,
    capabilities: { transfers: bank ? 'active' : 'inactive' },
    external_accounts: {
      object: 'list',
      data: banks,
      has_more: false,
      total_count: banks.length,
      url: `/v1/accounts/${id}/external_accounts`,
    },
  }
}

export function transferObject(transfer: StoredTransfer): object {
  return {
    ...transfer,
    object: 'transfer',
    balance_transaction: null,
    currency: 'usd',
    description: null,
    livemode: false,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${transfer.id}/reversals` },
    reversed: transfer.amount === transfer.amount_reversed,
    source_transaction: null,
    source_type: 'card',
  }
}

export function payoutObject(payout: StoredPayout): object {
  return {
    id: payout.id,
    amount: payout.amount,
    arrival_date: payout.arrival_date,
    created: payout.created,
    failure_code: payout.failure_code,
    status: payout.status,
    object: 'payout',
    automatic: true,
    currency: 'usd',
    destination: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    source_type: 'card',
    statement_descriptor: null,
    trace_id: { status: 'unsupported', value: null },
    type: 'bank_account',
  }
}
