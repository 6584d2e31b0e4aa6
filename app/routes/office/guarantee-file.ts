import { requireStaff } from '#app/server/office.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { officePaths } from '#content/office-paths.ts'
import { parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { findGuaranteeFile } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import type { Route } from './+types/guarantee-file.ts'

/** Sends the offer that came with a price guarantee request. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'guarantees.read', officePaths.officeGuarantee(params.number))
  const id = parseGuaranteeNumber(params.number)
  return storedFile(app, id === undefined ? undefined : await findGuaranteeFile(app, id))
}
