import { requireStaff } from '#app/server/office.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { officePaths } from '#content/office-paths.ts'
import { findShopPicture } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { parseShopApplicationNumber } from '#domain/installer-portal/shop-applications/shop-applications.ts'
import type { Route } from './+types/shop-picture.ts'

/** Sends the picture that came with an application of a shop. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const path = officePaths.officeShopApplication(params.number)
  const { app } = await requireStaff(context, 'shop-applications.read', path)
  const id = parseShopApplicationNumber(params.number)
  return storedFile(app, id === undefined ? undefined : await findShopPicture(app, id))
}
