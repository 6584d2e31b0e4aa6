/** The form and format of redirects from old addresses. Safe in the browser. */
import { z } from 'zod'

/** In characters. */
export const longestPath = 300
/** In a file. */
export const mostRows = 100_000
/** In bytes, of an uploaded file. */
export const maxRedirectBytes = 8 * 1024 * 1024

/**
 * Normalizes an old address for storage and lookup. Returns its path in lowercase, without a slash at the end.
 * Undefined for one that is longer than `longestPath`, or that no address can be. A domain in front of it is left out.
 */
export function oldPathOf(text: string): string | undefined {
  const path = pathOf(text)?.toLowerCase()
  return path === undefined || path === '/' ? undefined : path
}

/** The page that an old address leads to, as a path of this store; undefined for anything else. */
export function targetOf(text: string): string | undefined {
  return text.trim().startsWith('/') ? pathOf(text) : undefined
}

function pathOf(text: string): string | undefined {
  const typed = text.trim()
  if (typed.length > 2 * longestPath || /[?#\s\\]/.test(typed)) return undefined
  if (!/^(?:\/(?!\/)|https?:\/\/)/i.test(typed)) return undefined
  let path = URL.parse(typed, 'https://store.invalid')?.pathname
  while (path !== undefined && path.length > 1 && path.endsWith('/')) path = path.slice(0, -1)
  return path !== undefined && path.length <= longestPath && /^\/(?!\/)[!-~]*$/.test(path) ? path : undefined
}

/** The version that was read; 0 for a new redirect. */
const version = z.coerce.number().int().min(0).max(2_000_000_000).default(0)

const badFrom = 'Enter an old address such as /old-page, without ? or #.'
const badTo = 'Enter a page of this store such as /tires, without ? or #.'

export const redirectForm = z
  .object({
    from: z
      .string(badFrom)
      .transform((text) => oldPathOf(text))
      .pipe(z.string(badFrom)),
    to: z
      .string(badTo)
      .transform((text) => targetOf(text))
      .pipe(z.string(badTo)),
    version,
  })
  .refine(({ from, to }) => from !== to.toLowerCase(), { path: ['to'], error: 'This address leads to itself.' })

/** The form that removes a redirect. */
export const removalForm = z.object({ version })
