import { StrictMode, startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { listenForInteractions } from '#app/ui/listen-for-interactions.ts'
import type { Early } from '#app/ui/replay-early.ts'

/** What was done before React listened: mostly nothing, so what repeats it is loaded only then. */
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
 * Whether the shopper went back or forward before the router listened. That changed the address alone, and what is shown
 * is the page that was left.
 */
function hasOtherAddress(): boolean {
  const { loadedAddress } = window
  return loadedAddress !== undefined && loadedAddress.split('#')[0] !== location.href.split('#')[0]
}

// Counts each as changed by hand: to set its default, as hydration does, would else move the cursor of who is in it.
for (const area of document.querySelectorAll('textarea')) area.setRangeText('', 0, 0)

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Hydrated>
        <HydratedRouter />
      </Hydrated>
    </StrictMode>,
  )
})
// From here on React hydrates by itself what an event needs.
early = window.endEarly?.() ?? []

listenForInteractions()
