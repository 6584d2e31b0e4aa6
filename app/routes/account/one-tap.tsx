import { useEffect, useRef, useState } from 'react'
import { paths } from '#content/paths.ts'
import { oneTapCookie, oneTapNoDays } from '#domain/customers/accounts/accounts.ts'

type Message = { from: 'sidewall-one-tap' } & ({ type: 'credential'; value: string } | { type: 'closed' })

const askAgainSeconds = oneTapNoDays * 86_400

/**
 * Google One Tap for guests, in the provider's frame. It needs script and does not appear without it. The messages are
 * documented in sandbox/identity/google.ts.
 */
export function OneTap({ frameUrl, back }: { frameUrl: string; back: string }) {
  const [isClosed, setIsClosed] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const credential = useRef<HTMLInputElement>(null)

  useEffect(() => {
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
        setIsClosed(true)
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
  }, [frameUrl])

  if (isClosed) return null
  return (
    <>
      <div className="one-tap-place script-required" ref={place} />
      <form method="post" action={paths.signIn()} ref={form}>
        <input type="hidden" name="back" value={back} />
        <input type="hidden" name="credential" ref={credential} />
      </form>
    </>
  )
}
