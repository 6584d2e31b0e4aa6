import { expect, test } from 'vitest'
import { usedSecondFactor } from './second-factor.ts'

test.for<[claims: Record<string, unknown>, used: boolean | null, contexts?: string[]]>([
  [{ amr: ['pwd', 'mfa'] }, true],
  [{ amr: ['mfa'] }, true],
  [{ amr: ['pwd', 'otp'] }, true],
  [{ amr: ['hwk', 'fpt'] }, true],
  [{ amr: ['pwd'] }, false],
  [{ amr: ['pwd', 'kba'] }, false],
  [{ amr: ['otp', 'sms'] }, false],
  [{ amr: ['pwd', 'user'] }, false],
  [{ amr: ['pwd'], acr: 'https://refeds.org/profile/mfa' }, true],
  [{ acr: 'phr' }, true],
  [{ acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' }, true],
  [{ acr: 'https://refeds.org/profile/sfa' }, false],
  [{ acr: '2' }, true, ['2', '3']],
  [{ acr: '1' }, false, ['2', '3']],
  [{ amr: ['pwd', 'otp'], acr: '1' }, true, ['2', '3']],
  // Not reported, or with values that no specification defines.
  [{}, null],
  [{}, null, ['2']],
  [{ acr: '1' }, null],
  [{ acr: '' }, null, ['2']],
  [{ amr: [] }, null],
  [{ amr: ['federated', 'constructor', 4, null] }, null],
  [{ amr: 'mfa' }, null],
])('%j reports a second factor: %s', ([claims, used, contexts = []]) => {
  expect(usedSecondFactor(claims, contexts)).toBe(used)
})
