import { redirect } from 'react-router'

/**
 * Returns a visitor-supplied path of this store, or `fallback`. Rejects other origins in any form, including `//host`,
 * `/\host`, tabs, and control characters.
 */
export function safePath(target: string | null | undefined, fallback: string): string {
  if (!target || target.length > 2_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(target) || target.includes('\\'))
    return fallback
  return target
}

/** Redirects with 303 to a path of this store, as after every accepted form. */
export function seeOther(target: string, headers: [string, string][] = []): Response {
  const response = redirect(target, 303)
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}
