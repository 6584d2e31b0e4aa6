/** The provider that verifies who serves or has served. */
import { z } from 'zod'

export const eligibilityVariables = z.object({
  ID_ME_ISSUER: z.url().default('https://api.id.me/oidc').describe('ID.me, or its own sandbox.'),
  ID_ME_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The store’s client at ID.me, which must allow redirects to `/military/callback`; with its secret, or neither: then only the demo verifies service.',
    ),
  ID_ME_CLIENT_SECRET: z.string().min(1).optional().describe('Its secret.'),
})

const demoClient = { clientId: 'sidewall-military', clientSecret: 'sidewall-demo-id-me-secret' }

/** Returns null for a store without verification. `sandboxOrigin` is null except in the demo. */
export function shapeEligibility(
  {
    ID_ME_ISSUER: issuer,
    ID_ME_CLIENT_ID: clientId,
    ID_ME_CLIENT_SECRET: clientSecret,
  }: z.infer<typeof eligibilityVariables>,
  sandboxOrigin: string | null,
) {
  if (clientId !== undefined && clientSecret !== undefined) return { issuer, clientId, clientSecret }
  return sandboxOrigin === null ? null : { issuer: `${sandboxOrigin}/id-me/oidc`, ...demoClient }
}
