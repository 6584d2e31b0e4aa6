/** An account's price tier, the programs that change it, and referrals. */
import { z } from 'zod'
import { changedCart, changeCart, changeRefusals, etagHeader } from '#api/carts.ts'
import { accountOf, signedInOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, cents, instant, storePath } from '#api/schemas.ts'
import {
  manyApplicationsMessages,
  codeNotFoundMessage,
  noWorkEmailMessages,
  otherTermsMessages,
  ownAddressMessages,
} from '#content/messages/programs.ts'
import { verificationMessages } from '#content/messages/military.ts'
import { paths } from '#content/paths.ts'
import { beginVerification, findVerification, removeVerification } from '#domain/pricing/military/military.server.ts'
import { readCurrentEmail } from '#domain/customers/accounts/accounts.server.ts'
import { setUsesCredit } from '#domain/payments/cart/cart.server.ts'
import { emailAddress } from '#domain/kernel/contact-fields/contact-fields.ts'
import {
  applyAsPartner,
  inviteFriends,
  joinEmployees,
  joinPartner,
  readReferralBoard,
  referralCodeOf,
} from '#domain/customers/programs/programs.server.ts'
import { invitesADay, partnerForm } from '#domain/customers/programs/programs.ts'
import { labelOf } from '#domain/pricing/price-tiers/price-tiers.ts'
import { countOf } from '#platform/count-text.ts'

const friends = z
  .strictObject({
    link: z.string().meta({ description: 'The link to share with friends' }),
    referrals: z.array(
      z.strictObject({
        who: z
          .string()
          .nullable()
          .meta({ description: 'The address the invitation was sent to; null if the friend only used the link' }),
        invitedAt: instant.nullable(),
        state: z.enum(['invited', 'pending', 'earned', 'canceled']),
        dueAt: instant.nullable(),
      }),
    ),
    pendingCents: cents,
    earnedCents: cents,
    creditCents: cents.meta({ description: 'Available store credit' }),
  })
  .meta({ id: 'Referrals' })

export const programOperations = [
  operation({
    id: 'readTerms',
    method: 'get',
    path: '/users/me/terms',
    area: 'Account',
    summary: 'Get the account’s price tier',
    audience: 'account',
    result: z.strictObject({
      accountType: z.enum([
        'EPP',
        'Fleet',
        'none',
        'Partner Program',
        'Retail',
        'Retail Member',
        'Sales Tool',
        'Special Order',
        'WholeSale',
      ]),
      priceLabel: z.string().nullable().meta({ description: 'The label of its prices; null for the public price' }),
      isRestricted: z.boolean().meta({ description: 'Whether the account can see only some brands' }),
    }),
    async handle({ app }) {
      const { accountType, brandIds } = await app.buyer.priceTier()
      return answer({ accountType, priceLabel: labelOf(accountType)?.name ?? null, isRestricted: brandIds !== null })
    },
  }),
  operation({
    id: 'readReferrals',
    method: 'get',
    path: '/referrals',
    area: 'Account',
    summary: 'Get referrals and rewards',
    audience: 'account',
    result: friends,
    async handle({ app, caller }) {
      const accountId = await accountOf(caller)
      const [code, board] = await Promise.all([referralCodeOf(app, accountId), readReferralBoard(app, accountId)])
      return answer({
        link: app.config.web.origin + paths.invite(code),
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
    summary: 'Send referral invitations',
    description: 'Each address gets one email, however often it is submitted.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf({
      emails: z.array(emailAddress).min(1).max(invitesADay).meta({ description: 'Friends’ email addresses' }),
    }).meta({
      examples: [{ emails: ['friend@example.com'] }],
    }),
    result: z.strictObject({ sent: z.int() }),
    refuses: ['TooManyAttempts'],
    async handle({ app, caller, body }) {
      const accountId = await accountOf(caller)
      await referralCodeOf(app, accountId)
      const invited = await inviteFriends(app, { accountId, emails: [...new Set(body.emails)] })
      if (!invited.ok && invited.reason === 'own-address')
        return problem('BadRequest', ownAddressMessages, { data: { emails: ownAddressMessages } })
      return invited.ok
        ? answer(invited.value)
        : problem('TooManyAttempts', `You can send ${countOf(invitesADay, 'email')} a day. Send the rest tomorrow.`, {
            headers: { 'retry-after': '86400' },
          })
    },
  }),
  operation({
    id: 'readMilitaryVerification',
    method: 'get',
    path: '/users/me/military-verification',
    area: 'Account',
    summary: 'Get the military verification',
    description:
      'While it’s active, the military discount applies to the account’s tires unless another discount saves more.',
    audience: 'account',
    result: z.strictObject({
      isOffered: z.boolean().meta({ description: 'Whether the store verifies military service' }),
      verification: z
        .strictObject({
          group: z.string().meta({ description: 'As the provider names it', examples: ['Veteran'] }),
          verifiedAt: instant,
          endsAt: instant.meta({ description: 'Until when it counts; then the person verifies once more' }),
        })
        .nullable(),
    }),
    async handle({ app, caller }) {
      const verification = await findVerification(app, await accountOf(caller))
      return answer({
        isOffered: app.eligibility !== null,
        verification: verification
          ? {
              group: verification.group,
              verifiedAt: verification.verifiedAt.toString(),
              endsAt: verification.endsAt.toString(),
            }
          : null,
      })
    },
  }),
  operation({
    id: 'beginMilitaryVerification',
    method: 'post',
    path: '/users/me/military-verification',
    area: 'Account',
    summary: 'Start a military verification',
    description:
      'Returns the address of the provider’s page. Open it in a browser that is signed in to the same account. The provider redirects back to the store, which then leads to `returnPath`. Any earlier verification attempt expires.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf({
      returnPath: storePath
        .default('/military/verify?done=verified')
        .meta({ description: 'Where the person arrives once verified, a path in this store', examples: ['/cart'] }),
    }),
    result: z.strictObject({ url: z.string().meta({ description: 'Counts for half an hour' }) }),
    refuses: ['VerificationUnavailable'],
    async handle({ app, caller, body }) {
      const accountId = await accountOf(caller)
      const begun = await beginVerification(app, { accountId, returnPath: body.returnPath })
      if (begun.ok) return answer({ url: begun.value })
      return problem('VerificationUnavailable', verificationMessages[begun.reason], {
        ...(begun.reason === 'unavailable' && { headers: { 'retry-after': '30' } }),
      })
    },
  }),
  operation({
    id: 'removeMilitaryVerification',
    method: 'delete',
    path: '/users/me/military-verification',
    area: 'Account',
    summary: 'Remove the military verification',
    audience: 'account',
    status: 204,
    async handle({ app, caller }) {
      await removeVerification(app, await accountOf(caller))
      return answer(null)
    },
  }),
  operation({
    id: 'applyAsPartner',
    method: 'post',
    path: '/partner-program/applications',
    area: 'Account',
    summary: 'Apply to the partner program',
    description:
      'Every application is reviewed by a person and answered by email. Applying again while one is pending creates no second application.',
    audience: 'anyone',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf(partnerForm.shape).meta({
      examples: [
        {
          business: 'Lakeview Riders',
          name: 'Pat Lee',
          email: 'pat@example.com',
          phone: '(312) 555-0100',
          people: 40,
          message: 'We ride all year.',
        },
      ],
    }),
    result: z.strictObject({ isReceived: z.literal(true) }),
    refuses: ['TooManyAttempts'],
    async handle({ app, caller, body }) {
      const { ssoUid: _, ...asked } = body
      const applied = await applyAsPartner(app, { ...asked, networkKey: caller.visitor.networkKey })
      return applied.ok
        ? answer({ isReceived: true as const })
        : problem('TooManyAttempts', manyApplicationsMessages, { headers: { 'retry-after': '3600' } })
    },
  }),
  operation({
    id: 'joinPartner',
    method: 'post',
    path: '/partner-program/membership',
    area: 'Account',
    summary: 'Join the partner program',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf({
      code: z
        .string()
        .max(20)
        .meta({ description: 'Case-insensitive', examples: ['RADERS24'] }),
    }),
    result: z.strictObject({ partner: z.string() }),
    refuses: ['CodeNotFound', 'OtherPrices'],
    async handle({ app, caller, body }) {
      const joined = await joinPartner(app, { accountId: await accountOf(caller), code: body.code })
      if (joined.ok) return answer(joined.value)
      return joined.reason === 'code-not-found'
        ? problem('CodeNotFound', codeNotFoundMessage)
        : problem('OtherPrices', otherTermsMessages(app.config.store.phone))
    },
  }),
  operation({
    id: 'joinEmployees',
    method: 'post',
    path: '/employees/membership',
    area: 'Account',
    summary: 'Join the employee program',
    description: 'Requires a verified email; if it is not verified yet, the sign-in service is asked again.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    result: z.strictObject({ employer: z.string() }),
    refuses: ['NoWorkEmail', 'OtherPrices'],
    async handle({ app, caller }) {
      const signedIn = await signedInOf(caller)
      const email = await readCurrentEmail(app, signedIn)
      const joined = await joinEmployees(app, { accountId: signedIn.accountId, ...email })
      if (joined.ok) return answer(joined.value)
      return joined.reason === 'no-work-email'
        ? problem('NoWorkEmail', noWorkEmailMessages(email))
        : problem('OtherPrices', otherTermsMessages(app.config.store.phone))
    },
  }),
  operation({
    id: 'useCredit',
    method: 'put',
    path: '/cart/credit',
    area: 'Checkout',
    summary: 'Apply store credit',
    description: 'Only for the signed-in account’s own cart; any other cart is left unchanged.',
    audience: 'account',
    ifMatch: 'optional',
    body: bodyOf({ usesCredit: z.boolean().meta({ examples: [true] }) }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: changeRefusals,
    handle(call) {
      return changeCart(call, async (app, cart) => {
        await setUsesCredit(app, {
          id: cart.id,
          accountId: await accountOf(call.caller),
          usesCredit: call.body.usesCredit,
        })
        return undefined
      })
    },
  }),
]
