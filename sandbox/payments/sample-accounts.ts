/**
 * Payout accounts of the shops in the store's demo data and the transfers that they were sent, which were never made here:
 * each is created the first time the store uses its reference, which states everything about it:
 * `acct_sample_<last four digits>_<name>` and `tr_sample_<cents>_<name of the account>_<transfer group>`.
 */
import type { StoredAccount, StoredTransfer } from './connect-ledger.ts'

const sampleAccount = /^acct_sample_(\d{4})_([a-z0-9]{1,32})$/
const sampleTransfer = /^tr_sample_([1-9]\d{0,7})_(\d{4}_[a-z0-9]{1,32})_([0-9a-f-]{36})$/

/** Returns the complete demo account with this id; undefined for an id of another form. */
export function sampleAccountOf(id: string, created: number): StoredAccount | undefined {
  const [, last4, name] = sampleAccount.exec(id) ?? []
  if (last4 === undefined || name === undefined) return undefined
  const bank = { id: `ba_sample_${name}`, last4, fails: false }
  return { id, email: `${name}@example.com`, created, metadata: {}, bank }
}

/** Returns the demo transfer with this id, sent and not reversed; undefined for an id of another form. */
export function sampleTransferOf(id: string, created: number): StoredTransfer | undefined {
  const [, cents, account, group] = sampleTransfer.exec(id) ?? []
  if (cents === undefined || account === undefined || group === undefined) return undefined
  const destination = `acct_sample_${account}`
  return { id, amount: Number(cents), amount_reversed: 0, created, destination, transfer_group: group, metadata: {} }
}
