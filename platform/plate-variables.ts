/** The settings of CarsXE, which finds vehicles by license plate. */
import { z } from 'zod'

export const plateVariables = z.object({
  CARSXE_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The key at CarsXE, which finds vehicles by license plate and charges for each lookup. Without it, plates are available only in a demo.',
    ),
  CARSXE_API_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .default('https://api.carsxe.com')
    .describe('CarsXE’s API.'),
})

/** The store's key at the sandbox's CarsXE. */
const demoKey = 'sidewall-demo-carsxe-key'

/** Returns null for a store without license plates. `sandboxOrigin` is null outside a demo. */
export function shapePlates(env: z.infer<typeof plateVariables>, sandboxOrigin: string | null) {
  if (env.CARSXE_API_KEY !== undefined) return { apiKey: env.CARSXE_API_KEY, apiOrigin: env.CARSXE_API_ORIGIN }
  return sandboxOrigin === null ? null : { apiKey: demoKey, apiOrigin: sandboxOrigin }
}
