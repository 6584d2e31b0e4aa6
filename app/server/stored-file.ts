/** Files that someone outside uploaded, sent to who may see them. */
import { handOutFile, type NamedFile } from '#domain/kernel/files/files.server.ts'
import type { Application } from '#application'

/** Prevents a file from running or loading anything if a browser displays it. */
const sandboxed = "default-src 'none'; sandbox"

/**
 * Sends a file as a download or, with `inline`, as page content if it is an image we re-encoded as WebP. Other files,
 * such as unmodified PDFs, are always downloads. If the storage serves files, redirects there. Responds with 404 if the
 * file doesn't exist. The caller has checked that the reader may see it.
 */
export async function storedFile(
  app: Pick<Application, 'db' | 'files'>,
  named: NamedFile | undefined,
  how: 'attachment' | 'inline' = 'attachment',
): Promise<Response> {
  const disposition = (contentType: string) =>
    `${contentType === 'image/webp' ? how : 'attachment'}; filename*=UTF-8''${encoded(named?.name ?? '')}`
  const file = named && (await handOutFile(app, named.key, disposition))
  if (!file) return new Response(null, { status: 404 })
  const headers = { 'cache-control': 'private, no-store' }
  if ('address' in file)
    return new Response(null, { status: 302, headers: { ...headers, location: file.address.href } })
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      ...headers,
      'content-type': file.contentType,
      'content-disposition': disposition(file.contentType),
      'content-security-policy': sandboxed,
      'x-content-type-options': 'nosniff',
    },
  })
}

/** Encodes a value as in RFC 8187, which allows fewer characters than URLs. */
function encoded(name: string): string {
  return encodeURIComponent(name.slice(0, 100).toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
}
