import { useEffect, useRef, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { technicalMessages } from '#content/messages/technical.ts'
import type { Pin } from '#app/ui/draw-map.client.ts'

type Props = {
  /** The shopper's location; null if not given. */
  center: { latitude: number; longitude: number } | null
  pins: readonly Pin[]
  label: string
  note: string
}

/** A map drawn from our own data, or the operator's style. It loads after the page, which has everything the map shows. */
export function ShopMap({ center, pins, label, note }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState('')
  const styleUrl = useRouteLoaderData<{ mapStyle?: string }>('root')?.mapStyle ?? null
  const drawn = JSON.stringify({ center, pins, styleUrl })

  useEffect(() => {
    const element = box.current
    if (!element) return
    let close: (() => void) | undefined
    let isGone = false
    import('#app/ui/draw-map.client.ts')
      .then(({ drawMap }) => {
        const shown = JSON.parse(drawn) as Parameters<typeof drawMap>[1]
        if (!isGone) close = drawMap(element, shown)
      })
      // A browser without WebGL, or no connection: the list has everything the map would show.
      .catch(() => setProblem(technicalMessages.noMap))
    return () => {
      isGone = true
      close?.()
    }
  }, [drawn])

  return (
    <div className="panel shop-map">
      <div ref={box} className="shop-map-canvas" role="region" aria-label={label} />
      <p className="shop-map-note" role={problem ? 'status' : undefined}>
        {problem || note}
      </p>
    </div>
  )
}
