/** The provider that verifies who serves or has served. */
import { z } from 'zod'

export const eligibilityVariables = z.object({
  /** ID.me, or its sandbox: the client of the store there; both or neither. Without them the demo uses its own sandbox. */
  ID_ME_ISSUER: z.url().default('https://api.id.me/oidc'),
  ID_ME_CLIENT_ID: z.string().min(1).optional(),
  ID_ME_CLIENT_SECRET: z.string().min(1).optional(),
})

const demoClient = { clientId: 'sidewall-military', clientSecret: 'sidewall-demo-id-me-secret' }

/** Null for a store that verifies nobody; `sandboxOrigin` is null for all but the demo. */
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
