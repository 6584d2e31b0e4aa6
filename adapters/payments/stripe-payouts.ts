/**
 * Shop payouts with Stripe Connect. A shop has an Express account, receives transfers, and submits its bank details on
 * Stripe's pages.
 */
import type Stripe from 'stripe'
import { z } from 'zod'
import type {
  AccountView,
  BankPayoutView,
  PayoutEvent,
  PayoutProvider,
  TransferView,
} from '#domain/installer-portal/payouts/payout-provider.port.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import { answer, isSigned, openStripe, parseJson } from './stripe-client.ts'

export type StripePayoutsConfig = {
  /** https://api.stripe.com, or the origin of a sandbox with the same API. */
  apiOrigin: string
  secretKey: string
  /** The webhook secrets for the endpoints of our account and connected accounts. One secret can serve both. */
  webhookSecrets: readonly [string, ...string[]]
  clock: Clock
}

/** The trusted parts of a webhook, which identify the account, transfer, or payout to read again. */
const eventForm = z.looseObject({
  type: z.string().min(1).max(255),
  account: z.string().min(1).max(255).optional(),
  data: z.looseObject({ object: z.looseObject({ id: z.string().max(255).optional() }) }),
})

export function createStripePayouts({
  apiOrigin,
  secretKey,
  webhookSecrets,
  clock,
}: StripePayoutsConfig): PayoutProvider {
  const stripe = openStripe({ apiOrigin, secretKey })
  return {
    ...accountCalls(stripe),
    ...transferCalls(stripe),
    readBankPayout({ accountRef, ref }) {
      return answer(async () => bankPayoutView(await stripe.payouts.retrieve(ref, {}, { stripeAccount: accountRef })))
    },
    async readEvent(rawBody, signature) {
      const receivedAt = clock.now().epochMilliseconds
      if (!isSigned(stripe, { rawBody, signature, secrets: webhookSecrets, receivedAt }))
        return { ok: false, reason: 'bad-signature' }
      const parsed = eventForm.safeParse(parseJson(rawBody))
      return parsed.success
        ? { ok: true, event: payoutEvent(parsed.data) }
        : { ok: false, reason: 'unreadable', cause: parsed.error }
    },
  }
}

function accountCalls(stripe: Stripe): Pick<PayoutProvider, 'openAccount' | 'openBankPage' | 'readAccount'> {
  return {
    openAccount({ reference, email, key }) {
      return answer(async () => {
        const account = await stripe.accounts.create(
          {
            type: 'express',
            country: 'US',
            email,
            capabilities: { transfers: { requested: true } },
            metadata: { reference },
          },
          { idempotencyKey: key },
        )
        return { ref: account.id }
      })
    },
    openBankPage({ ref, returnUrl, refreshUrl }) {
      return answer(async () => {
        const account = await stripe.accounts.retrieve(ref)
        // A complete account is edited on the provider's dashboard. An incomplete account's link opens a form for the
        // missing details.
        if (account.details_submitted) return { url: (await stripe.accounts.createLoginLink(ref)).url }
        const link = await stripe.accountLinks.create({
          account: ref,
          type: 'account_onboarding',
          return_url: returnUrl,
          refresh_url: refreshUrl,
        })
        return { url: link.url }
      })
    },
    readAccount(ref) {
      return answer(async () => accountView(await stripe.accounts.retrieve(ref)))
    },
  }
}

function transferCalls(
  stripe: Stripe,
): Pick<PayoutProvider, 'sendTransfer' | 'findTransfer' | 'readTransfer' | 'reverseTransfer'> {
  return {
    sendTransfer({ accountRef, amountCents, reference, key }) {
      return answer(async () =>
        transferView(
          await stripe.transfers.create(
            {
              amount: amountCents,
              currency: CURRENCY.code.toLowerCase(),
              destination: accountRef,
              transfer_group: reference,
            },
            { idempotencyKey: key },
          ),
        ),
      )
    },
    findTransfer(reference) {
      return answer(async () => {
        const { data } = await stripe.transfers.list({ transfer_group: reference, limit: 1 })
        return data[0] ? transferView(data[0]) : null
      })
    },
    readTransfer(ref) {
      return answer(async () => transferView(await stripe.transfers.retrieve(ref)))
    },
    reverseTransfer({ ref, amountCents, key }) {
      return answer(async () => {
        await stripe.transfers.createReversal(ref, { amount: amountCents }, { idempotencyKey: key })
        return transferView(await stripe.transfers.retrieve(ref))
      })
    },
  }
}

function accountView(account: Stripe.Account): AccountView {
  const bank = account.external_accounts?.data.find((each) => each.object === 'bank_account')
  const isReady = account.capabilities?.transfers === 'active' && account.payouts_enabled
  return {
    ref: account.id,
    state: isReady ? 'ready' : account.details_submitted ? 'restricted' : 'started',
    bankLast4: bank?.last4 ?? null,
  }
}

function transferView({
  id,
  transfer_group: reference,
  amount_reversed: reversedCents,
}: Stripe.Transfer): TransferView {
  return { ref: id, reference, reversedCents }
}

function bankPayoutView(payout: Stripe.Payout): BankPayoutView {
  return {
    ref: payout.id,
    amountCents: payout.amount,
    state:
      payout.status === 'paid'
        ? 'paid'
        : payout.status === 'failed' || payout.status === 'canceled'
          ? 'failed'
          : 'pending',
    arrivesOn: Temporal.Instant.fromEpochMilliseconds(payout.arrival_date * 1000)
      .toString()
      .slice(0, 10),
  }
}

function payoutEvent({ type, account, data }: z.output<typeof eventForm>): PayoutEvent {
  const { id } = data.object
  if (id === undefined) return null
  if (type === 'account.updated') return { about: 'account', ref: id }
  if (type === 'transfer.reversed') return { about: 'transfer', ref: id }
  if ((type === 'payout.paid' || type === 'payout.failed') && account !== undefined)
    return { about: 'bank-payout', ref: id, accountRef: account }
  return null
}
