/** A provider of verifications for tests. */
import type { Eligibility, Eligible } from './eligibility.port.ts'

/** A fake provider that can verify `people`; a response's code selects one of them. */
export function createFakeEligibility(people: Readonly<Record<string, Omit<Eligible, 'verifiedAt'>>>): Eligibility {
  return {
    issuer: 'https://verify.example/oidc',
    begin: async ({ state }) => ({ ok: true, value: `https://verify.example/oauth?state=${state}` }),
    finish: async (query, _request, verifiedAt) => {
      const person = people[query.get('code') ?? '']
      if (query.has('error')) return { ok: false, reason: 'declined' }
      return person ? { ok: true, value: { ...person, verifiedAt } } : { ok: false, reason: 'not-verified' }
    },
  }
}
