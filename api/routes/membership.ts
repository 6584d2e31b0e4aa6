/** The membership, billed yearly and refundable until used. */
import { z } from 'zod'
import { accountOf, signedInOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, cents, instant, storePath } from '#api/schemas.ts'
import { membershipNewsMessages, membershipWords } from '#content/messages/programs.ts'
import { storeClosedMessage } from '#content/messages/store-closed.ts'
import { paths } from '#content/paths.ts'
import type { Application } from '#application'
import { memberOffersOf } from '#domain/kernel/settings/settings.ts'
import {
  mayTryCard,
  openCharge,
  openHostedPage,
  type PaymentTrouble,
} from '#domain/payments/payments/payments.server.ts'
import { cardName } from '#domain/payments/saved-cards/saved-cards.ts'
import {
  beginMembership,
  joinMembership,
  readMembership,
  readRenewal,
  refundMembership,
  setReminders,
  stopRenewal,
  type JoinRefusal,
  type Membership,
  type RenewalView,
} from '#domain/customers/programs/programs.server.ts'

const membership = z
  .strictObject({
    boughtAt: instant,
    endsAt: instant,
    priceCents: cents,
    wantsReminders: z.boolean(),
    isOver: z.boolean(),
    canRenew: z.boolean(),
    canGiveBack: z.boolean(),
    offers: z.strictObject({ deals: z.boolean(), programs: z.boolean(), payments: z.boolean() }).meta({
      description: 'Which offers come off the member price now: deals, discount programs, and payment offers',
    }),
    renewal: z
      .strictObject({ isOn: z.boolean(), chargeAt: instant, amountCents: cents, card: z.string().nullable() })
      .nullable()
      .meta({ description: 'When and with which saved card it renews, or would; null if it cannot any more' }),
  })
  .meta({ id: 'Membership' })

export const membershipOperations = [
  operation({
    id: 'readMembership',
    method: 'get',
    path: '/users/me/membership',
    area: 'Account',
    summary: 'Get the membership',
    audience: 'account',
    result: membership.nullable().meta({ description: 'Null if the account never had one' }),
    async handle({ app, caller }) {
      const accountId = await accountOf(caller)
      const found = await readMembership(app, accountId)
      return answer(found && membershipView(app, found, await readRenewal(app, accountId)))
    },
  }),
  operation({
    id: 'openMembershipPayment',
    method: 'post',
    path: '/membership/payment',
    area: 'Account',
    summary: 'Start buying a membership',
    description:
      'With `fields`, returns a `clientSecret` for the provider’s card fields. With `hosted`, returns the address of the provider’s own page. The membership is not bought until `POST /membership`.',
    audience: 'account',
    status: 201,
    once: { isRequired: true, by: 'again' },
    body: bodyOf({
      flow: z.enum(['fields', 'hosted']).meta({ examples: ['hosted'] }),
      returnPath: storePath
        .default(paths.membershipReturn())
        .meta({ description: 'Where the provider’s page returns the shopper, a path in this store' }),
      cancelPath: storePath.default(paths.membership('went-back')),
    }),
    result: z.strictObject({ amountCents: cents, clientSecret: z.string().nullable(), url: z.string().nullable() }),
    refuses: [
      'OtherPrices',
      'TooEarly',
      'TooManyAttempts',
      'PaymentNotAuthorized',
      'StoreClosed',
      'PaymentUnavailable',
    ],
    async handle({ app, caller, body }) {
      const { accountId, email } = await signedInOf(caller)
      const begun = await beginMembership(app, accountId)
      if (!begun.ok) return notForSale(begun.reason)
      const { termId, priceCents: amountCents } = begun.value
      const from = caller.visitor.networkKey
      const allowed = await mayTryCard(app, { termId }, from)
      if (!allowed.ok)
        return problem('TooManyAttempts', membershipNewsMessages['too-many-cards'], {
          headers: { 'retry-after': String(allowed.detail.retryAfterSeconds) },
        })
      const charge = { termId, from, amountCents, email }
      if (body.flow === 'fields') {
        const opened = await openCharge(app, charge)
        return opened.ok ? answer({ amountCents, clientSecret: opened.value.clientSecret, url: null }) : trouble(opened)
      }
      const { origin } = app.config.web
      const returnUrl = `${origin}${body.returnPath}${body.returnPath.includes('?') ? '&' : '?'}payment={payment}`
      const page = await openHostedPage(app, {
        ...charge,
        description: 'Membership for a year',
        returnUrl,
        cancelUrl: origin + body.cancelPath,
      })
      return page.ok ? answer({ amountCents, clientSecret: null, url: page.value.url }) : trouble(page)
    },
  }),
  operation({
    id: 'joinMembership',
    method: 'post',
    path: '/membership',
    area: 'Account',
    summary: 'Complete a membership purchase',
    description:
      'Checks with the provider whether it was paid. One payment buys one year, however often this is called.',
    audience: 'account',
    status: 201,
    once: { isRequired: true, by: 'again' },
    result: z.strictObject({
      endsAt: instant,
      isNew: z.boolean().meta({ description: 'Whether this request bought it' }),
    }),
    refuses: ['OtherPrices', 'TooEarly', 'PaymentNotAuthorized', 'PaymentUnavailable'],
    async handle({ app, caller }) {
      const joined = await joinMembership(app, await accountOf(caller))
      return joined.ok
        ? answer({ endsAt: joined.value.endsAt.toString(), isNew: joined.value.isNew })
        : notJoined(joined)
    },
  }),
  operation({
    id: 'remindOfMembership',
    method: 'put',
    path: '/membership/reminders',
    area: 'Account',
    summary: 'Set membership reminders',
    audience: 'account',
    body: bodyOf({ wantsReminders: z.boolean().meta({ examples: [true] }) }),
    result: membership,
    refuses: ['NoMembership'],
    async handle({ app, caller, body }) {
      const accountId = await accountOf(caller)
      await setReminders(app, accountId, body.wantsReminders)
      const found = await readMembership(app, accountId)
      return found ? answer(membershipView(app, found, await readRenewal(app, accountId))) : problem('NoMembership')
    },
  }),
  operation({
    id: 'stopMembershipRenewal',
    method: 'delete',
    path: '/membership/renewal',
    area: 'Account',
    summary: 'Stop the renewal of the membership',
    description:
      'The membership ends at the end of its year, with no further charges. Members can turn renewal on only on the website, where they agree to it. Has no effect if renewal is off.',
    audience: 'account',
    status: 204,
    async handle({ app, caller }) {
      await stopRenewal(app, await accountOf(caller), 'member')
      return answer(null)
    },
  }),
  operation({
    id: 'giveMembershipBack',
    method: 'delete',
    path: '/membership',
    area: 'Account',
    summary: 'Refund an unused membership',
    description:
      'Ends the membership immediately and refunds the card. Available in the store’s refund period after the purchase, before any order at a member price.',
    audience: 'account',
    status: 204,
    refuses: ['NoMembership', 'NotGivenBack'],
    async handle({ app, caller }) {
      const refunded = await refundMembership(app, await accountOf(caller))
      if (refunded.ok) return answer(null)
      const { reason } = refunded
      switch (reason) {
        case 'no-membership':
          return problem('NoMembership')
        case 'charge-pending':
          return problem('NotGivenBack', membershipNewsMessages['charge-pending'], {
            data: { reason },
            headers: { 'retry-after': '60' },
          })
        case 'used':
          return problem('NotGivenBack', membershipWords.used, { data: { reason } })
        case 'too-late':
          return problem('NotGivenBack', 'The refund period has passed.', { data: { reason } })
      }
    },
  }),
]

function membershipView(
  { businessTerms }: Pick<Application, 'businessTerms'>,
  { term, isOver, canRenew, refund }: Membership,
  renewal: RenewalView | null,
): z.input<typeof membership> {
  return {
    boughtAt: term.boughtAt.toString(),
    endsAt: term.endsAt.toString(),
    priceCents: term.priceCents,
    wantsReminders: term.wantsReminders,
    isOver,
    canRenew,
    canGiveBack: refund.can,
    offers: memberOffersOf(businessTerms.current),
    renewal: renewal && {
      isOn: renewal.isOn,
      chargeAt: renewal.chargeAt.toString(),
      amountCents: renewal.amountCents,
      card: renewal.card && cardName(renewal.card),
    },
  }
}

function notForSale(reason: 'has-other-prices' | 'too-early') {
  return problem(reason === 'too-early' ? 'TooEarly' : 'OtherPrices', membershipWords[reason])
}

function notJoined(refusal: JoinRefusal) {
  switch (refusal.reason) {
    case 'has-other-prices':
    case 'too-early':
      return notForSale(refusal.reason)
    case 'nothing-begun':
      return problem('PaymentNotAuthorized', 'There is no payment. Create one first.', {
        data: { isProcessing: false },
      })
    case 'not-paid': {
      const { isProcessing } = refusal.detail
      return problem('PaymentNotAuthorized', membershipNewsMessages[isProcessing ? 'processing' : 'not-paid'], {
        data: { isProcessing },
      })
    }
    case 'payment-unavailable':
      return problem('PaymentUnavailable', membershipNewsMessages.unavailable, { headers: { 'retry-after': '5' } })
  }
}

function trouble({ reason }: PaymentTrouble) {
  if (reason === 'store-closed') return problem('StoreClosed', storeClosedMessage)
  return reason === 'declined'
    ? problem('PaymentNotAuthorized', membershipNewsMessages['not-paid'])
    : problem('PaymentUnavailable', membershipNewsMessages.unavailable, { headers: { 'retry-after': '5' } })
}
