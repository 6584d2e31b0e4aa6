/** Whether a visitor may be measured: what their browser signals, and what they chose themselves. */
import { parse as parseCookie, serialize as stringifySetCookie } from 'hono/utils/cookie'

export type Choice = 'yes' | 'no'

/**
 * Deliberately not one of our other cookies: a visitor with only a consent choice still gets the documents cached for
 * guests.
 */
const choiceCookie = 'sidewall_consent'
/** About half a year. */
export const choiceDays = 180
export const choiceSeconds = choiceDays * 86_400

/** Whether the browser opts out of sale, sharing and tracking by Global Privacy Control; `header` is Sec-GPC. */
export function optsOut(header: string | string[] | null | undefined): boolean {
  return header === '1'
}

export function readChoice(cookieHeader: string | null | undefined): Choice | undefined {
  const choice = parseCookie(cookieHeader ?? '', choiceCookie)[choiceCookie]
  return choice === 'yes' || choice === 'no' ? choice : undefined
}

/** The Set-Cookie header that stores a choice for half a year. The page's script reads it. */
export function keepChoice(choice: Choice, isSecure: boolean): string {
  return stringifySetCookie(choiceCookie, choice, {
    path: '/',
    sameSite: 'lax',
    maxAge: choiceSeconds,
    secure: isSecure,
  })
}
