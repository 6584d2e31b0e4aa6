/** The way to the sign-in provider and back, for the back office and the portal of shops. */
import { data, type RouterContextProvider } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { goToProvider, type NoSignIn } from '#app/server/sign-in.server.ts'
import type { WorkPurpose } from '#domain/customers/accounts/accounts.ts'
import { landWorkSignIn, type WorkRequest } from '#domain/customers/accounts/accounts.server.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'

/**
 * Redirects a user who submitted the sign-in form to the provider. With the field `again`, signed-in users authenticate
 * there again. Otherwise returns the reason it is not possible.
 */
export async function openDoor(
  context: Readonly<RouterContextProvider>,
  request: Request,
  door: { backOf: (asked: string | null) => string; work: (mustReauthenticate: boolean) => WorkRequest },
) {
  const fields = await readForm(request)
  const gone = await goToProvider(context, 'login', door.backOf(fields.get('back')), {
    work: door.work(fields.get('again') === 'yes'),
  })
  return gone instanceof Response ? gone : data(gone, { status: statuses[gone.reason] })
}

/** `asked`, if it is a page at or below `root` and no sign-in page; else `root`. Resolved as a browser would. */
export function pathWithin(asked: string | null, root: string): string {
  const { pathname, search } = new URL(safePath(asked, root), 'http://store')
  const isWithin = pathname === root || (pathname.startsWith(`${root}/`) && !pathname.startsWith(`${root}/sign-`))
  return isWithin ? pathname + search : root
}

type Answer = Parameters<typeof landWorkSignIn>[2]
type Person = Extract<Awaited<ReturnType<typeof landWorkSignIn>>, { ok: true }>['value'] & {
  networkKey: string
  session: string | undefined
}

export type Door<Problem extends string> = {
  purpose: WorkPurpose
  /** What it is called in the log. */
  name: string
  home: string
  signIn: (problem?: Problem) => string
  /** The cookie of this browser's session. */
  session: string | undefined
  isOpen: () => Promise<boolean>
  open: (person: Person) => Promise<Outcome<{ cookie: string }, Refused<Problem>>>
  keep: (cookie: string) => string
}

/**
 * Opens a session for a returning user with a role, and redirects; others get the reason. Neither creates nor signs in
 * to a store account.
 */
export async function landAtDoor<Problem extends string>(
  context: Readonly<RouterContextProvider>,
  answer: Answer,
  door: Door<Problem>,
) {
  const app = context.get(applicationContext)
  const { networkKey } = context.get(visitorContext)
  const landed = await landWorkSignIn(app, door.purpose, answer)
  if (!landed.ok) {
    app.log.warn({ reason: landed.reason }, `a sign-in to ${door.name} came to nothing`)
    if (landed.reason === 'declined') throw seeOther(door.signIn())
    // The same response again, after "back" or a second click, when the session already exists.
    if (await door.isOpen()) throw seeOther(door.home)
    return data(
      { reason: landed.reason, again: door.signIn() },
      { status: landed.reason === 'unavailable' ? 503 : 400 },
    )
  }
  const opened = await door.open({ ...landed.value, networkKey, session: door.session })
  if (!opened.ok) {
    app.log.warn({ reason: opened.reason }, `${door.name} stays closed`)
    throw seeOther(door.signIn(opened.reason))
  }
  app.log.info(`signed in to ${door.name}`)
  throw seeOther(safePath(landed.value.returnPath, door.home), [['set-cookie', door.keep(opened.value.cookie)]])
}

const statuses: Record<NoSignIn, number> = {
  'not-offered': 404,
  'too-many-attempts': 429,
  'not-accepted': 422,
  unavailable: 503,
}
