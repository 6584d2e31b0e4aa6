import { readFile } from 'node:fs/promises'

/**
 * Reads a UTF-8 text file of the product. Returns its text without a byte order mark and with LF line ends, so that a
 * tree that Git or an editor wrote with CRLF reads like any other. Throws the file system's error.
 */
export async function readTextFile(path: string | URL): Promise<string> {
  return normalizeText(await readFile(path, 'utf8'))
}

/** The same for text that is already in memory, such as a file in the bundle. */
export function normalizeText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}
