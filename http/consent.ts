/** Analytics consent from the browser's signals and the visitor's choice. */
import { parse as parseCookie, serialize as stringifySetCookie } from 'hono/utils/cookie'

export type Choice = 'yes' | 'no'

/** Not one of our other cookies, so a visitor with only a consent choice still gets the documents cached for guests. */
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
