/** The settings of Wheel-Size, which lists original sizes by vehicle. */
import { z } from 'zod'

const callsError = 'must be a whole number from 1 to 1000000'

export const sizeVariables = z.object({
  WHEEL_SIZE_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The key at Wheel-Size, which has another list of original sizes. Without it, this list is available only in a demo.',
    ),
  WHEEL_SIZE_API_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .default('https://api.wheel-size.com')
    .describe('Wheel-Size’s API.'),
  WHEEL_SIZE_DAILY_CALLS: z.coerce
    .number({ error: callsError })
    .int({ error: callsError })
    .min(1, { error: callsError })
    .max(1_000_000, { error: callsError })
    .default(300)
    .describe('The most calls to Wheel-Size a day in UTC, as your plan allows.'),
})

/** The store's key at the sandbox's Wheel-Size. */
const demoKey = 'sidewall-demo-wheel-size-key'

/** Returns null for a store without Wheel-Size. `sandboxOrigin` is null outside a demo. */
export function shapeSizes(env: z.infer<typeof sizeVariables>, sandboxOrigin: string | null) {
  const callsPerDay = env.WHEEL_SIZE_DAILY_CALLS
  if (env.WHEEL_SIZE_API_KEY !== undefined)
    return { apiKey: env.WHEEL_SIZE_API_KEY, apiOrigin: env.WHEEL_SIZE_API_ORIGIN, callsPerDay }
  return sandboxOrigin === null ? null : { apiKey: demoKey, apiOrigin: sandboxOrigin, callsPerDay }
}
