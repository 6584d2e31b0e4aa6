/**
 * Sends a file that someone outside uploaded, as a download: a picture we re-encoded as WebP, or a PDF as it came. Pages of
 * the store run no script of it (its content security policy is theirs).
 */
export function storedFile({ name, bytes }: { name: string; bytes: Uint8Array }): Response {
  const isPdf = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
  return new Response(Buffer.from(bytes), {
    headers: {
      'content-type': isPdf ? 'application/pdf' : 'image/webp',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w .-]/g, '_').slice(0, 100)}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}
