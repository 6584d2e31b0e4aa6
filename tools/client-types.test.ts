import { expect, test } from 'vitest'
import { generateClientTypes } from './client-types.ts'

test('an operation declares its input and its response', async () => {
  const text = await generateClientTypes()
  expect(text).toContain(
    "  'GET /places/{zip}': { input: { params: { zip: string }; headers?: Record<string, string> }; data: Place }\n",
  )
  expect(text).toMatch(/export type Place = \{ zip: string; .*latitude: number \| null; .*region: "CONUS" \| "AK"/)
  expect(text).toMatch(
    /'PUT \/users\/me\/personalization': \{ input: \{ headers\?: Record<string, string> \} & \(\{ body: \{ userLocationZip\?: string \| undefined;/,
  )
  expect(text).toMatch(
    /'DELETE \/users\/me\/history\/search': \{ input: \{ headers\?: Record<string, string> \}; data: undefined \}/,
  )
})
