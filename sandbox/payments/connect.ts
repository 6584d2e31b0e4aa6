import { z } from 'zod'
import {
  accountObject,
  createAccount,
  createTransfer,
  getAccount,
  getTransfer,
  openLink,
  payoutObject,
  reverse,
  transferObject,
  type ConnectLedger,
} from './connect-ledger.ts'
import { unixSeconds } from './ledger.ts'
import { expand, httpUrl, metadata, onlyExpand, text, wholeNumber } from './parameters.ts'
import type { Protocol } from './protocol.ts'
import { notFound } from './refusal.ts'

const accountCreate = z.strictObject({
  type: z.literal('express', 'the sandbox has only express'),
  country: z.literal('US', 'the sandbox has only US'),
  email: text.max(320),
  capabilities: z.strictObject({ transfers: z.strictObject({ requested: z.literal('true') }) }),
  metadata: metadata.default({}),
  expand,
})
const linkCreate = z.strictObject({
  account: text,
  type: z.literal('account_onboarding', 'the sandbox has only account_onboarding'),
  return_url: httpUrl,
  refresh_url: httpUrl,
  expand,
})
const transferCreate = z.strictObject({
  amount: wholeNumber,
  currency: z.literal('usd', 'the sandbox has only usd'),
  destination: text,
  transfer_group: text.max(255).optional(),
  metadata: metadata.default({}),
  expand,
})
const transferList = z.strictObject({ transfer_group: text, limit: wholeNumber.default(10), expand })
const reversalCreate = z.strictObject({ amount: wholeNumber.optional(), expand })

/** The Express accounts, transfers, and payouts of Stripe Connect that the store uses. */
export function addConnect({ get, post }: Pick<Protocol, 'get' | 'post'>, connect: ConnectLedger): void {
  get('/accounts/:id', onlyExpand, (_, id) => accountObject(getAccount(connect, id)))
  post('/accounts', accountCreate, ({ email, metadata: given }) =>
    accountObject(createAccount(connect, { email, metadata: given })),
  )
  post('/account_links', linkCreate, ({ account, return_url: returnUrl, refresh_url: refreshUrl }) => {
    const { url, expiresAt } = openLink(connect, { account, returnUrl, refreshUrl })
    return { object: 'account_link', created: unixSeconds(connect.ledger.now()), expires_at: expiresAt, url }
  })
  post('/accounts/:id/login_links', onlyExpand, (_, id) => {
    const { url } = openLink(connect, { account: id, returnUrl: null, refreshUrl: null })
    return { object: 'login_link', created: unixSeconds(connect.ledger.now()), url }
  })

  get('/transfers', transferList, ({ transfer_group: group, limit }) => {
    const found = connect.transfers.listWhere('transferGroup', group).toReversed()
    const data = found.slice(0, limit).map(transferObject)
    return { object: 'list', url: '/v1/transfers', has_more: found.length > data.length, data }
  })
  get('/transfers/:id', onlyExpand, (_, id) => transferObject(getTransfer(connect, id)))
  post('/transfers', transferCreate, ({ amount, destination, transfer_group: group, metadata: given }, _, cause) =>
    transferObject(
      createTransfer(connect, cause, { amount, destination, transferGroup: group ?? null, metadata: given }),
    ),
  )
  post('/transfers/:id/reversals', reversalCreate, ({ amount }, id, cause) => reverse(connect, cause, id, amount))

  get('/payouts/:id', onlyExpand, (_, id, __, account) => {
    const payout = connect.payouts.get(id)
    if (payout?.account !== account || !payout) throw notFound('payout', id)
    return payoutObject(payout)
  })
  get('/balance', onlyExpand, (_, __, ___, account) => {
    const every = () => true
    const transfers = connect.transfers
      .newestWhile(every)
      .filter((each) => account === null || each.destination === account)
    const sent = transfers.reduce((cents, each) => cents + each.amount - each.amount_reversed, 0)
    const paid = connect.payouts
      .newestWhile(every)
      .reduce((cents, each) => cents + (each.account === account && each.status === 'paid' ? each.amount : 0), 0)
    const taken = connect.ledger.charges
      .newestWhile(every)
      .reduce((cents, each) => cents + each.amount_captured - (each.captured ? each.amount_refunded : 0), 0)
    const amount = account === null ? taken - sent : sent - paid
    return { object: 'balance', livemode: false, available: [{ amount, currency: 'usd' }], pending: [] }
  })
}
