import { StrictMode, startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { choosePageRouter } from '#app/router/page-router.tsx'
import { Router, hasRouter } from '#app/router/router.tsx'
import { listenForInteractions } from '#app/ui/listen-for-interactions.ts'
import type { Early } from '#app/ui/replay-early.ts'

/** Events before hydration. Usually empty, so the replay code is loaded on demand. */
let early: Early[] = []

/** Its effect runs once everything in it is hydrated. */
function Hydrated({ children }: { children: ReactNode }) {
  useEffect(() => {
    if (hasOtherAddress()) return location.reload()
    const done = early.splice(0)
    if (done.length > 0) void import('#app/ui/replay-early.ts').then(({ replay }) => replay(done))
  }, [])
  return children
}

/**
 * Returns whether the shopper went back or forward before the router started. In that case only the URL changed, and
 * the page still shows the previous content.
 */
function hasOtherAddress(): boolean {
  const { loadedAddress } = window
  return loadedAddress !== undefined && loadedAddress.split('#')[0] !== location.href.split('#')[0]
}

// Marks each field as changed by the user, because hydration would otherwise set its default and move the cursor.
for (const area of document.querySelectorAll('textarea')) area.setRangeText('', 0, 0)

// The page's modules ran before this one.
if (hasRouter()) hydrate()
else void choosePageRouter().then(hydrate)

function hydrate(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Hydrated>
          <Router />
        </Hydrated>
      </StrictMode>,
    )
  })
  // React replays later events itself.
  early = window.endEarly?.() ?? []
  listenForInteractions()
}
