/** What forms that anyone may send share. */

/** Requests are counted over this many seconds. */
export const anHour = 3_600

/** The honeypot field. A form with it filled in gets a thank-you and is dropped. */
export function isFromProgram(fields: URLSearchParams): boolean {
  return (fields.get('website') ?? '') !== ''
}

/** Reads an uploaded file into memory. Returns null if not found. */
export async function uploadOf(file: File | null): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> } | null> {
  return file && { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}
