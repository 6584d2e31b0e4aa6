import { useEffect, useRef } from 'react'
import { paths } from '#content/paths.ts'
import { offersOneTap, oneTapCookie, oneTapNoDays } from '#domain/customers/accounts/accounts.ts'

type Message = { from: 'sidewall-one-tap' } & ({ type: 'credential'; value: string } | { type: 'closed' })

/** Visitors from the employees' or business page sign in with a work email, which One Tap does not ask for. */
export type SignInVariant = Parameters<typeof offersOneTap>[0]['variant']

const askAgainSeconds = oneTapNoDays * 86_400

/**
 * Google One Tap for guests, in the provider's frame. It needs script and does not appear without it. The messages are
 * documented in sandbox/identity/google.ts.
 */
export function OneTap({ frameUrl, back, variant }: { frameUrl: string; back: string; variant: SignInVariant }) {
  const place = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const credential = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (!offersOneTap({ isSignedIn: false, variant, cookies: document.cookie })) return
    const frame = document.createElement('iframe')
    frame.className = 'one-tap'
    frame.title = 'Sign in with one tap'
    frame.src = frameUrl
    place.current?.append(frame)

    function listen(event: MessageEvent): void {
      if (event.origin !== new URL(frameUrl).origin || event.source !== frame.contentWindow) return
      const message = event.data as Message
      if (message.from !== 'sidewall-one-tap') return
      if (message.type === 'closed') {
        document.cookie = `${oneTapCookie}=no; path=/; max-age=${askAgainSeconds}; samesite=lax`
        frame.remove()
      } else if (credential.current) {
        credential.current.value = message.value
        form.current?.submit()
      }
    }
    addEventListener('message', listen)
    return () => {
      removeEventListener('message', listen)
      frame.remove()
    }
  }, [frameUrl, variant])

  return (
    <>
      <div ref={place} />
      <form method="post" action={paths.signIn()} ref={form}>
        <input type="hidden" name="back" value={back} />
        <input type="hidden" name="credential" ref={credential} />
      </form>
    </>
  )
}
