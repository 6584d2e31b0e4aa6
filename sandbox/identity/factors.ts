/** How the sandbox's provider reports second factors, chosen at each sign-in. */

/** The claims `amr` (RFC 8176) and `acr` of a sign-in. */
export type FactorReport = { amr?: string[]; acr?: string }

/** The choices on the sign-in page, by the value of the field. The first is for sign-ins that don't choose. */
export const factorReports: Readonly<Record<string, { label: string; claims: FactorReport }>> = {
  password: { label: 'Password only', claims: { amr: ['pwd'] } },
  code: { label: 'Password and code', claims: { amr: ['pwd', 'otp', 'mfa'] } },
  'code-as-acr': {
    label: 'Password and code, reported as acr',
    claims: { acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' },
  },
  unreported: { label: 'Not reported', claims: {} },
}

/** Returns the claims for a chosen value, and for other values the password's. */
export function reportOf(chosen: string | null): FactorReport {
  return new Map(Object.entries(factorReports)).get(chosen ?? '')?.claims ?? { amr: ['pwd'] }
}
