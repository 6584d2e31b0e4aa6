import { requireStaff } from '#app/server/office.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { officePaths } from '#content/office-paths.ts'
import { findReturnPhoto } from '#domain/ordering/returns/returns.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import type { Route } from './+types/return-photo.ts'

/** Returns an image of a returned tire. Staff only. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const id = orderIdOf(params.id)
  const no = /^\d{1,2}$/.test(params.no) ? Number(params.no) : 0
  const { app } = await requireStaff(context, 'returns.read', officePaths.officeReturn(id))
  return storedFile(app, await findReturnPhoto(app, { returnId: id, no }), 'inline')
}
