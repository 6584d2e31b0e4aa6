/** Whether a visitor may be measured: what their browser says for them, and what they said themselves. */
import { parse as parseCookie, serialize as stringifySetCookie } from 'hono/utils/cookie'

export type Choice = 'yes' | 'no'

/**
 * Not one of our other cookies on purpose: who carries nothing but a choice is still served the documents of guests.
 */
const choiceCookie = 'sidewall_consent'
/** About half a year. */
export const choiceDays = 180
export const choiceSeconds = choiceDays * 86_400

/** Whether the browser asks by Global Privacy Control not to be sold, shared or tracked; `header` is Sec-GPC. */
export function optsOut(header: string | string[] | null | undefined): boolean {
  return header === '1'
}

export function readChoice(cookieHeader: string | null | undefined): Choice | undefined {
  const choice = parseCookie(cookieHeader ?? '', choiceCookie)[choiceCookie]
  return choice === 'yes' || choice === 'no' ? choice : undefined
}

/** The Set-Cookie header that keeps a choice for half a year. The page's script reads it. */
export function keepChoice(choice: Choice, isSecure: boolean): string {
  return stringifySetCookie(choiceCookie, choice, {
    path: '/',
    sameSite: 'lax',
    maxAge: choiceSeconds,
    secure: isSecure,
  })
}
