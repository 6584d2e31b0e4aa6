/** On which terms an account buys, what its membership gives, and the friends it sends. */
import { z } from 'zod'
import { cartView, changeCart, changeRefusals, etagHeader } from '#api/carts.ts'
import { accountOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, cents, instant } from '#api/schemas.ts'
import { paths } from '#app/paths.ts'
import { setUsesCredit } from '#domain/cart/cart.server.ts'
import { emailAddress } from '#domain/checkout/checkout.ts'
import { inviteFriends, readMembership, readReferralBoard, referralCodeOf } from '#domain/programs/programs.server.ts'
import { invitesADay } from '#domain/programs/programs.ts'
import { labelOf } from '#domain/terms/terms.ts'

const friends = z
  .strictObject({
    link: z.string().meta({ description: 'What a friend opens' }),
    referrals: z.array(
      z.strictObject({
        who: z.string().nullable().meta({ description: 'The address it was sent to; null for a friend who came by the link alone' }),
        invitedAt: instant.nullable(),
        state: z.enum(['invited', 'pending', 'earned', 'cancelled']),
        dueAt: instant.nullable(),
      }),
    ),
    pendingCents: cents,
    earnedCents: cents,
    creditCents: cents.meta({ description: 'What may be spent' }),
  })
  .meta({ id: 'Referrals' })

export const programOperations = [
  operation({
    id: 'readTerms',
    method: 'get',
    path: '/users/me/terms',
    area: 'Account',
    summary: 'On which terms the account buys',
    audience: 'account',
    result: z.strictObject({
      accountType: z.enum(['EPP', 'Fleet', 'none', 'Partner Program', 'Retail', 'Retail Member', 'Sales Tool', 'Special Order', 'WholeSale']),
      priceLabel: z.string().nullable().meta({ description: 'How its prices are called; null where they are those of everybody' }),
      isRestricted: z.boolean().meta({ description: 'Whether it finds some brands only' }),
    }),
    async handle({ shop }) {
      const { accountType, brandIds } = await shop.buyer.terms()
      return answer({ accountType, priceLabel: labelOf(accountType)?.name ?? null, isRestricted: brandIds !== null })
    },
  }),
  operation({
    id: 'readMembership',
    method: 'get',
    path: '/users/me/membership',
    area: 'Account',
    summary: 'The membership of the account',
    audience: 'account',
    result: z
      .strictObject({
        boughtAt: instant,
        endsAt: instant,
        priceCents: cents,
        wantsReminders: z.boolean(),
        isOver: z.boolean(),
        canRenew: z.boolean(),
        canGiveBack: z.boolean(),
      })
      .nullable()
      .meta({ description: 'Null for who never had one' }),
    async handle({ shop, caller }) {
      const found = await readMembership(shop, await accountOf(caller))
      if (!found) return answer(null)
      const { term, isOver, canRenew, refund } = found
      return answer({
        boughtAt: term.boughtAt.toString(),
        endsAt: term.endsAt.toString(),
        priceCents: term.priceCents,
        wantsReminders: term.wantsReminders,
        isOver,
        canRenew,
        canGiveBack: refund.can,
      })
    },
  }),
  operation({
    id: 'readReferrals',
    method: 'get',
    path: '/referrals',
    area: 'Account',
    summary: 'Friends that were sent, and what is earned',
    audience: 'account',
    result: friends,
    async handle({ shop, caller }) {
      const accountId = await accountOf(caller)
      const [code, board] = await Promise.all([referralCodeOf(shop, accountId), readReferralBoard(shop, accountId)])
      return answer({
        link: shop.config.web.origin + paths.invite(code),
        referrals: board.referrals.map(({ who, invitedAt, state, dueAt }) => ({
          who,
          invitedAt: invitedAt?.toString() ?? null,
          state,
          dueAt: dueAt?.toString() ?? null,
        })),
        pendingCents: board.pendingCents,
        earnedCents: board.earnedCents,
        creditCents: board.creditCents,
      })
    },
  }),
  operation({
    id: 'inviteFriends',
    method: 'post',
    path: '/referrals/invitations',
    area: 'Account',
    summary: 'Send the link to friends by mail',
    description: 'A friend gets one mail, however often the address is given.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf({ emails: z.array(emailAddress).min(1).max(invitesADay).meta({ description: 'Addresses of friends' }) }).meta({
      examples: [{ emails: ['friend@example.com'] }],
    }),
    result: z.strictObject({ sent: z.int() }),
    refuses: ['TooManyTries'],
    async handle({ shop, caller, body }) {
      const accountId = await accountOf(caller)
      await referralCodeOf(shop, accountId)
      const invited = await inviteFriends(shop, { accountId, emails: [...new Set(body.emails)] })
      return invited.ok
        ? answer(invited.value)
        : problem('TooManyTries', `You can send ${invitesADay} mails a day. Send the rest tomorrow.`, { headers: { 'retry-after': '86400' } })
    },
  }),
  operation({
    id: 'useCredit',
    method: 'put',
    path: '/cart/credit',
    area: 'Checkout',
    summary: 'Pay a part with the credit of the account',
    description: 'Only for the cart of who is signed in; another cart stays as it is.',
    audience: 'account',
    ifMatch: 'optional',
    body: bodyOf({ usesCredit: z.boolean().meta({ examples: [true] }) }),
    result: cartView,
    answerHeaders: etagHeader,
    refuses: changeRefusals,
    handle(call) {
      return changeCart(call, async (shop, cart) => {
        await setUsesCredit(shop, { id: cart.id, accountId: await accountOf(call.caller), usesCredit: call.body.usesCredit })
        return undefined
      })
    },
  }),
]
