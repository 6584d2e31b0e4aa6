/** Files that someone outside uploaded, sent to who may see them. */
import { handOutFile, type NamedFile } from '#domain/files/files.server.ts'
import type { Shop } from '#shop'

/** Nothing of a file runs or loads anything, should a browser show it all the same. */
const sandboxed = "default-src 'none'; sandbox"

/**
 * Sends a file as a download, or, `inline`, as a part of a page if it is a picture that we encoded again as WebP. Anything
 * else, such as a PDF, which stays as its sender made it, is a download whatever is asked for. Where files are given out by their storage, it redirects there. 404 where there is no file. The caller has checked that
 * the reader may see it.
 */
export async function storedFile(
  shop: Pick<Shop, 'db' | 'files'>,
  named: NamedFile | undefined,
  how: 'attachment' | 'inline' = 'attachment',
): Promise<Response> {
  const disposition = (contentType: string) =>
    `${contentType === 'image/webp' ? how : 'attachment'}; filename*=UTF-8''${encoded(named?.name ?? '')}`
  const file = named && (await handOutFile(shop, named.key, disposition))
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

/** A value as RFC 8187 has it, which allows less than what is left as it is in addresses. */
function encoded(name: string): string {
  return encodeURIComponent(name.slice(0, 100).toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
}
