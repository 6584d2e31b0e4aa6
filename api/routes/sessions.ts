/** Where an account is signed in, signing out, and the whole of what is kept of it. */
import { z } from 'zod'
import { accountOf, signedInOf } from '#api/caller.ts'
import { answer, operation, type Answer } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { instant } from '#api/schemas.ts'
import { lastOwnerMessages, leaveBrowser, leaveForGood, type Left } from '#http/leaving.server.ts'
import { endSession, listSessions, readAccountData, signOutEverywhere } from '#domain/accounts/accounts.server.ts'
import type { Shop } from '#shop'

const sessionId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'sessionId is an id as the list has it')
  .meta({ examples: ['01937b5e-0000-7000-8000-000000000000'] })

const left = z.strictObject({
  url: z.string().meta({
    description:
      'Where to send the browser: to the sign-in service, which asks whether to end its own session, too, and leads back here',
  }),
})

const all = (description: string) => z.array(z.unknown()).meta({ description })
/** What is in each part is for its owner to read, and grows with the store. */
const accountData = z.strictObject({
  account: z.looseObject({}).meta({ description: 'Name and email, and since when they are known' }),
  signInServices: all('By whom the owner is known to the store'),
  sessions: all('Where and when the owner was signed in'),
  apps: all('The apps that acted for the account, and what they may'),
  accountTypes: all('On which terms the account bought, and since when'),
  company: z.looseObject({}).nullable().meta({ description: 'The company, and the role in it' }),
  zip: z.string().nullable(),
  analyticsId: z.string().nullable(),
  comparedTires: z.array(z.string()),
  searches: all('Recent searches'),
  vehicles: all('The garage, with what was written down'),
  addresses: all('Saved addresses'),
  orders: all('Every order, in short'),
  memberships: all('Every year that was bought'),
  referrals: z.looseObject({}).meta({ description: 'Friends who were sent, and the credit for them' }),
  brands: z.array(z.string()).nullable().meta({ description: 'The brands the account is sold; null for all' }),
  carts: all('Open carts, and who they are for'),
  ordersInFull: all('Every order as it was placed'),
  credit: all('How the credit came and went'),
  referralLink: z.string().nullable(),
  invitations: all('Invitations to companies'),
  mails: all('What was sent by mail, and when'),
  questions: all('What was asked of the people behind the store'),
  reviews: all('What was written about tires'),
  helpfulVotes: all('Reviews the account found helpful'),
  partnerApplications: all('Applications to the partner program'),
})

export const sessionOperations = [
  operation({
    id: 'listSessions',
    method: 'get',
    path: '/users/me/sessions',
    area: 'Account',
    summary: 'List sessions',
    audience: 'account',
    isInPerson: true,
    result: z.array(
      z.strictObject({
        id: z.string(),
        browser: z.string().nullable(),
        createdAt: instant,
        lastSeenAt: instant,
        isThis: z.boolean().meta({ description: 'Whether this very call is made in it' }),
      }),
    ),
    async handle({ shop, caller }) {
      const signedIn = await signedInOf(caller)
      const sessions = await listSessions(shop, signedIn.accountId)
      return answer(
        sessions.map(({ id, browser, createdAt, lastSeenAt }) => ({
          id,
          browser,
          createdAt: createdAt.toString(),
          lastSeenAt: lastSeenAt.toString(),
          isThis: id === signedIn.sessionId,
        })),
      )
    },
  }),
  operation({
    id: 'endOtherSessions',
    method: 'delete',
    path: '/users/me/sessions',
    area: 'Account',
    summary: 'Sign out all other sessions',
    audience: 'account',
    isInPerson: true,
    result: z.strictObject({ ended: z.int() }),
    async handle({ shop, caller }) {
      const signedIn = await signedInOf(caller)
      const ended = await signOutEverywhere(shop, signedIn.accountId, signedIn.sessionId)
      shop.log.info({ accountId: signedIn.accountId, ended }, 'signed out elsewhere')
      return answer({ ended })
    },
  }),
  operation({
    id: 'endSession',
    method: 'delete',
    path: '/users/me/sessions/{sessionId}',
    area: 'Account',
    summary: 'Revoke a session',
    description:
      'The browser that calls is better signed out by `DELETE /users/session`, which goes on to the sign-in service.',
    audience: 'account',
    isInPerson: true,
    status: 204,
    params: z.strictObject({ sessionId }),
    refuses: ['NotYours'],
    async handle({ shop, caller, params }) {
      const accountId = await accountOf(caller)
      if (!(await endSession(shop, accountId, params.sessionId)))
        return problem('NotYours', 'You are not signed in there.')
      shop.log.info({ accountId, ended: 1 }, 'signed out elsewhere')
      return answer(null)
    },
  }),
  operation({
    id: 'signOut',
    method: 'delete',
    path: '/users/session',
    area: 'Account',
    summary: 'Sign out',
    description:
      'The session ends here, and the answer takes its cookie back. The cart stays with the browser; who buys as an employee leaves it in the account. The sign-in service has a session of its own, which ends at `url`.',
    audience: 'account',
    isInPerson: true,
    result: left,
    async handle({ shop, caller }) {
      const { accountType } = await shop.buyer.priceTier()
      return leaving(shop, await leaveBrowser(shop, caller.visitor, { isEmployee: accountType === 'EPP' }))
    },
  }),
  operation({
    id: 'readAccountData',
    method: 'get',
    path: '/users/me/data',
    area: 'Account',
    summary: 'Export account data',
    audience: 'account',
    isInPerson: true,
    result: accountData,
    async handle({ shop, caller }) {
      return answer(await readAccountData(shop, await accountOf(caller)))
    },
  }),
  operation({
    id: 'deleteAccount',
    method: 'delete',
    path: '/users/me',
    area: 'Account',
    summary: 'Delete the account',
    description:
      'This cannot be taken back. Orders stay, because the law has stores keep records of sales. What is kept can be taken along first.',
    audience: 'account',
    isInPerson: true,
    query: z.strictObject({ sure: z.literal('yes', 'Send sure=yes if you are sure.') }),
    result: left,
    refuses: ['LastOwner'],
    async handle({ shop, caller }) {
      const gone = await leaveForGood(shop, caller.visitor, await accountOf(caller))
      return gone.ok ? leaving(shop, gone.value) : problem('LastOwner', lastOwnerMessages)
    },
  }),
]

function leaving({ config }: Shop, { url, cookies }: Left): Answer<{ url: string }> {
  return { ...answer({ url: new URL(url, config.web.origin).href }), cookies }
}
