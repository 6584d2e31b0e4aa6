/** Requires and starts a sign-in. */
import type { RouterContextProvider } from 'react-router'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { sayWait } from '#app/forms/form.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import { beginSignIn } from '#domain/customers/accounts/accounts.server.ts'

/** Returns the signed-in account; redirects a guest to sign in and then back to `path`. */
export async function requireSignedIn(context: Readonly<RouterContextProvider>, path: string): Promise<SignedIn> {
  const signedIn = await context.get(signedInContext)()
  if (!signedIn) throw seeOther(paths.signIn(path))
  return signedIn
}

export type NoSignIn = 'not-offered' | 'too-many-attempts' | 'not-accepted' | 'unavailable'

/**
 * Sends the visitor to the sign-in provider, with the credential from One Tap if that was used, or to open the back office or the
 * portal;
 * or returns the reason it is not possible.
 */
export async function goToProvider(
  context: Readonly<RouterContextProvider>,
  action: 'login' | 'register',
  returnPath: string,
  { credential, work }: Pick<Parameters<typeof beginSignIn>[1], 'credential' | 'work'> = {},
): Promise<Response | { reason: NoSignIn }> {
  const app = context.get(applicationContext)
  const { signInKey, networkKey } = context.get(visitorContext)
  const begun = await beginSignIn(app, {
    action,
    returnPath,
    browserKey: signInKey,
    from: networkKey,
    credential,
    work,
  })
  if (!begun.ok) {
    if (begun.reason === 'too-many-attempts') sayWait(context, begun.detail.retryAfterSeconds)
    return { reason: begun.reason }
  }
  const { url, browserKey } = begun.value
  return seeOther(url, [['set-cookie', cookiesFor(app.config).signIn(browserKey)]])
}

/** Returns the store page the visitor came from, if the browser sends it; never a sign-in page. */
export function cameFrom(request: Request, origin: string, fallback: string): string {
  const referer = URL.parse(request.headers.get('referer') ?? '')
  if (referer?.origin !== origin || /^\/(sign-in|sign-out|register|api|office|portal)(\/|$)/.test(referer.pathname))
    return fallback
  return safePath(referer.pathname + referer.search, fallback)
}
