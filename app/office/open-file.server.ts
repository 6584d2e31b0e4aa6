/** Sends a record's file to staff. */
import type { RouterContextProvider } from 'react-router'
import { requireStaff } from '#app/server/office.server.ts'
import { readerOf } from './read-list.server.ts'
import type { OfficeFile } from './record-files.server.ts'

/** Returns the file, after a check of the permission. `path` is the page that staff come back to after they sign in. */
export async function openFile(
  context: Readonly<RouterContextProvider>,
  { permission, read }: OfficeFile,
  { path, asked }: { path: string; asked: Readonly<Record<string, string | undefined>> },
): Promise<Response> {
  return read(readerOf(await requireStaff(context, permission, path)), asked)
}
