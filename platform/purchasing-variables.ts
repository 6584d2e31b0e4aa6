/** The cXML settings for the store's identity in documents, and the DTD folder. */
import { z } from 'zod'

export const purchasingVariables = z.object({
  CXML_DOMAIN: z
    .string()
    .min(1)
    .max(60)
    .default('DUNS')
    .describe(
      'The domain of the store’s identity in documents at `/cxml`, such as `NetworkId` or `DUNS` ([cXML](cxml.md)).',
    ),
  CXML_IDENTITY: z
    .string()
    .min(1)
    .max(100)
    .default('SIDEWALL')
    .describe('The store’s identity, which purchasing systems send in `To`.'),
  CXML_DTD_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The folder with cXML’s DTDs; by default `cxml-dtd` in `DATA_DIR`. Without the files only the built-in reader checks.',
    ),
})

/** `sandboxOrigin` is the demo's sandbox. Its purchasing system has a private address. */
export function shapePurchasing(
  env: z.infer<typeof purchasingVariables>,
  { dataDir, sandboxOrigin }: { dataDir: string; sandboxOrigin: string | null },
) {
  return {
    domain: env.CXML_DOMAIN,
    identity: env.CXML_IDENTITY,
    dtdDir: env.CXML_DTD_DIR ?? `${dataDir}/cxml-dtd`,
    /** Only a demo places test orders. */
    takesTestOrders: sandboxOrigin !== null,
  }
}
