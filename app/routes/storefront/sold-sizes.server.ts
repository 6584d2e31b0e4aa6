import { listSizes } from '#domain/catalog/catalog/catalog.server.ts'
import type { Application } from '#application'

/** Returns the `designations` ("225/65R17") with products, in order, with their page's slug. */
export async function soldSizes(
  { catalog }: Application,
  designations: readonly string[],
): Promise<{ designation: string; slug: string }[]> {
  const sold = new Map((await listSizes(catalog)).map(({ designation, slug }) => [designation, slug]))
  return designations.flatMap((designation) => {
    const slug = sold.get(designation)
    return slug === undefined ? [] : [{ designation, slug }]
  })
}
