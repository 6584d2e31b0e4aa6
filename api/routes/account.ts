/** The specification's operations on the signed-in account (section 7), exactly as specified. */
import { z } from 'zod'
import { badZipMessage } from '#content/messages/places.ts'
import { accountOf, signedInOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, instant } from '#api/schemas.ts'
import { safePath } from '#http/safe-redirect.ts'
import {
  forgetSearches,
  keepForAccount,
  listSearches,
  personalize,
  readPersonalization,
  type Personalization,
} from '#domain/customers/accounts/accounts.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'

const personalization = z
  .strictObject({
    userLocation: z.strictObject({ zip: z.string() }).nullable(),
    userLocationZip: z.string().nullable(),
    gaClientId: z.string().nullable(),
  })
  .meta({ id: 'UserPersonalization' })

const search = {
  label: z
    .string('label is missing')
    .trim()
    .min(1, 'label is missing')
    .max(60, 'label can have up to 60 characters')
    .meta({ examples: ['225/65R17'] }),
  path: z
    .string()
    .max(200)
    .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'path must be a path of this store')
    .refine((path) => safePath(path, '') === path, 'path must be a path of this store')
    .meta({ description: 'A path of this store', examples: ['/tire-sizes/225-65r17'] }),
}

export const accountOperations = [
  operation({
    id: 'personalize',
    method: 'put',
    path: '/users/me/personalization',
    area: 'Account',
    summary: 'Save the shopper’s location',
    description: 'Omitted fields keep their values.',
    audience: 'account',
    isSpecified: true,
    body: bodyOf({
      userLocationZip: z
        .string(badZipMessage)
        .regex(/^\d{5}$/, badZipMessage)
        .optional()
        .meta({ examples: ['60614'] }),
      gaClientId: z
        .string()
        .regex(/^[\w.-]{1,64}$/, 'gaClientId is letters, digits, dots and dashes, up to 64')
        .optional()
        .meta({ examples: ['555.1763640000'] }),
    }),
    result: personalization,
    async handle({ app, caller, body }) {
      const { userLocationZip, gaClientId } = body
      if (userLocationZip !== undefined && !(await findPlace(app.db, userLocationZip)))
        return problem('BadRequest', badZipMessage, { data: { userLocationZip: badZipMessage } })
      return answer(
        personalizationView(await personalize(app, await accountOf(caller), { zip: userLocationZip, gaClientId })),
      )
    },
  }),
  operation({
    id: 'listSearches',
    method: 'get',
    path: '/users/me/history/search',
    area: 'Account',
    summary: 'List recent searches',
    audience: 'account',
    isSpecified: true,
    result: z.array(z.strictObject({ label: z.string(), path: z.string(), searchedAt: instant })),
    async handle({ app, caller }) {
      const searches = await listSearches(app, await accountOf(caller))
      return answer(searches.map(({ label, path, searchedAt }) => ({ label, path, searchedAt: searchedAt.toString() })))
    },
  }),
  operation({
    id: 'keepSearch',
    method: 'post',
    path: '/users/me/history/search',
    area: 'Account',
    summary: 'Save a search',
    audience: 'account',
    isSpecified: true,
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf(search),
    result: z.strictObject({ label: z.string(), path: z.string() }),
    async handle({ app, caller, body: { label, path } }) {
      await keepForAccount(app, await accountOf(caller), { searches: [{ label, path }] })
      return answer({ label, path })
    },
  }),
  operation({
    id: 'forgetSearches',
    method: 'delete',
    path: '/users/me/history/search',
    area: 'Account',
    summary: 'Clear recent searches',
    audience: 'account',
    isSpecified: true,
    status: 204,
    async handle({ app, caller }) {
      await forgetSearches(app, await accountOf(caller))
      return answer(null)
    },
  }),
  operation({
    id: 'readSession',
    method: 'get',
    path: '/users/session',
    area: 'Account',
    summary: 'Get the session',
    audience: 'account',
    isSpecified: true,
    query: z.strictObject({
      regionId: z
        .string()
        .regex(/^[\w-]{1,40}$/, 'regionId is letters, digits and dashes, up to 40.')
        .optional()
        .meta({ examples: ['midwest'] }),
    }),
    result: z.strictObject({
      userSessionId: z.string(),
      userPersonalization: personalization,
      regionId: z.string().nullable(),
    }),
    async handle({ app, caller, query }) {
      const { sessionId, accountId } = await signedInOf(caller)
      return answer({
        userSessionId: sessionId,
        userPersonalization: personalizationView(await readPersonalization(app, accountId)),
        regionId: query.regionId ?? null,
      })
    },
  }),
  operation({
    id: 'readUser',
    method: 'get',
    path: '/user-details',
    area: 'Account',
    summary: 'Get the sign-in ID',
    audience: 'account',
    isSpecified: true,
    result: z.strictObject({ uid: z.string() }),
    async handle({ caller }) {
      return answer({ uid: await accountOf(caller) })
    },
  }),
]

function personalizationView({ zip, gaClientId }: Personalization) {
  return { userLocation: zip === null ? null : { zip }, userLocationZip: zip, gaClientId }
}
