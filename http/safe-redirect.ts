import { redirect } from 'react-router'

/**
 * A path of this store out of something a visitor sent, or `fallback`. Refuses other origins in any disguise: `//host`,
 * `/\host`, tabs, controls.
 */
export function safePath(target: string | null | undefined, fallback: string): string {
  if (!target || target.length > 2_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(target) || target.includes('\\'))
    return fallback
  return target
}

/** 303 to a path of this store: what follows every accepted form. */
export function seeOther(target: string, headers: [string, string][] = []): Response {
  const response = redirect(target, 303)
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}
