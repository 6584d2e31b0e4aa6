import { StrictMode, startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { listenForInteractions } from '#app/ui/listen-for-interactions.ts'
import { replay, takeEarly } from '#app/ui/replay-early.ts'

let early: ReturnType<typeof takeEarly> = []

/** Its effect runs once everything in it is hydrated. */
function Hydrated({ children }: { children: ReactNode }) {
  useEffect(() => replay(early.splice(0)), [])
  return children
}

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
early = takeEarly()

listenForInteractions()
