import { listSizes } from '#domain/catalog/catalog.server.ts'
import type { Shop } from '#shop'

/** Those of `designations` ("225/65R17") that have products, in order, with the slug of their page. */
export async function soldSizes(
  { catalog }: Shop,
  designations: readonly string[],
): Promise<{ designation: string; slug: string }[]> {
  const sold = new Map((await listSizes(catalog)).map(({ designation, slug }) => [designation, slug]))
  return designations.flatMap((designation) => {
    const slug = sold.get(designation)
    return slug === undefined ? [] : [{ designation, slug }]
  })
}
