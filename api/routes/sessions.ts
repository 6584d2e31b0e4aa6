/** An account's sessions, signing out, exporting its data and deleting it. */
import { z } from 'zod'
import { accountOf, signedInOf } from '#api/caller.ts'
import { answer, operation, type Answer } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { instant } from '#api/schemas.ts'
import { lastOwnerMessages, leaveBrowser, leaveForGood, type Left } from '#http/leaving.server.ts'
import { readAccountData, type AccountData } from '#domain/operations/personal-data/personal-data.server.ts'
import { endSession, listSessions, signOutEverywhere } from '#domain/customers/accounts/accounts.server.ts'
import type { Application } from '#application'

const sessionId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'sessionId must be an id from the list')
  .meta({ examples: ['01937b5e-0000-7000-8000-000000000000'] })

const left = z.strictObject({
  url: z.string().meta({
    description: 'URL of the sign-in service’s sign-out page, which can also end its session and then redirects back',
  }),
})

const all = (description: string) => z.array(z.unknown()).meta({ description })
/** The contents of each part are for the account's owner to read, and may grow over time. */
const accountData = z.strictObject({
  account: z.looseObject({}).meta({ description: 'Name and email, and when each was added' }),
  signInServices: all('The sign-in services linked to the account'),
  sessions: all('Where and when the account was signed in'),
  apps: all('The apps with access to the account, and their scopes'),
  accountTypes: all('The account’s price tiers, and since when'),
  company: z.looseObject({}).nullable().meta({ description: 'The company and the account’s role in it' }),
  zip: z.string().nullable(),
  analyticsId: z.string().nullable(),
  comparedTires: z.array(z.string()),
  searches: all('Recent searches'),
  vehicles: all('The garage, with logged mileage and rotations'),
  addresses: all('Saved addresses'),
  orders: all('A summary of every order'),
  memberships: all('Every membership year bought'),
  referrals: z.looseObject({}).meta({ description: 'Referred friends and the credit earned' }),
  brands: z.array(z.string()).nullable().meta({ description: 'The brands the account can buy; null for all' }),
  carts: all('Open carts, with their contact details'),
  ordersInFull: all('Every order as placed'),
  pastOrders: all('Orders imported from the store’s previous system'),
  credit: all('Store credit earned and used'),
  referralLink: z.string().nullable(),
  invitations: all('Company invitations'),
  mails: all('Emails sent, and when'),
  questions: all('Support requests'),
  priceGuarantees: all('Price guarantee requests'),
  coverageClaims: all('Coverage claims'),
  tireRegistrations: all('Registrations of installed tires'),
  signatures: all('Signatures recorded at shops'),
  tireRotations: all('Rotations of installed tires, as logged'),
  shopRatings: all('What the owner said of shops'),
  quotes: all('Quotes sent to the owner'),
  sentQuotes: all('Quotes the owner sent to customers'),
  returns: all('Returns of orders, with their tires and refunds'),
  agentCheckouts: all('Carts and checkouts that linked shopping agents opened'),
  texts: all('Text messages asked for and sent'),
  reviews: all('Reviews written'),
  helpfulVotes: all('Reviews voted helpful'),
  militaryVerification: all('That the owner was verified as serving or having served, and until when'),
  partnerApplications: all('Partner program applications'),
  shopApplications: all('Applications to install tires'),
  shops: all('Tire shops with a portal that the account can sign in to'),
  staffRoles: all('Roles in the store’s back office'),
  savedCards: all('Saved cards with brand, last four digits, expiration date, and consent'),
  membershipRenewals: all('Consents to renew the membership, and when they were stopped'),
  orderApprovals: all('Orders above a limit that the account asked its company to approve, or decided on'),
} satisfies Record<keyof AccountData, z.ZodType>)

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
        isThis: z.boolean().meta({ description: 'Whether this is the session of this request' }),
      }),
    ),
    async handle({ app, caller }) {
      const signedIn = await signedInOf(caller)
      const sessions = await listSessions(app, signedIn.accountId)
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
    async handle({ app, caller }) {
      const signedIn = await signedInOf(caller)
      const ended = await signOutEverywhere(app, signedIn.accountId, signedIn.sessionId)
      app.log.info({ accountId: signedIn.accountId, ended }, 'signed out elsewhere')
      return answer({ ended })
    },
  }),
  operation({
    id: 'endSession',
    method: 'delete',
    path: '/users/me/sessions/{sessionId}',
    area: 'Account',
    summary: 'Revoke a session',
    description: 'To sign out this browser, use `DELETE /users/session`, which continues to the sign-in service.',
    audience: 'account',
    isInPerson: true,
    status: 204,
    params: z.strictObject({ sessionId }),
    refuses: ['NotYours'],
    async handle({ app, caller, params }) {
      const accountId = await accountOf(caller)
      if (!(await endSession(app, accountId, params.sessionId))) return problem('NotYours', 'Session not found.')
      app.log.info({ accountId, ended: 1 }, 'signed out elsewhere')
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
      'Ends the session here and clears its cookie. The cart stays in the browser, except for an employee buyer. That cart stays in the account. The sign-in service has its own session, which ends at `url`.',
    audience: 'account',
    isInPerson: true,
    result: left,
    async handle({ app, caller }) {
      const { accountType } = await app.buyer.priceTier()
      return leaving(app, await leaveBrowser(app, caller.visitor, { isEmployee: accountType === 'EPP' }))
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
    async handle({ app, caller }) {
      return answer(await readAccountData(app, await accountOf(caller)))
    },
  }),
  operation({
    id: 'deleteAccount',
    method: 'delete',
    path: '/users/me',
    area: 'Account',
    summary: 'Delete the account',
    description:
      'This cannot be undone. Orders are kept, because the law requires stores to keep sales records. Export the account data first if you want a copy.',
    audience: 'account',
    isInPerson: true,
    query: z.strictObject({ sure: z.literal('yes', 'Send sure=yes to confirm.') }),
    result: left,
    refuses: ['LastOwner'],
    async handle({ app, caller }) {
      const gone = await leaveForGood(app, caller.visitor, await accountOf(caller))
      return gone.ok ? leaving(app, gone.value) : problem('LastOwner', lastOwnerMessages)
    },
  }),
]

function leaving({ config }: Application, { url, cookies }: Left): Answer<{ url: string }> {
  return { ...answer({ url: new URL(url, config.web.origin).href }), cookies }
}
