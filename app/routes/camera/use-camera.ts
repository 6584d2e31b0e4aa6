import { useEffect, useEffectEvent, useRef } from 'react'
import { closeCamera, openCamera } from './photo.ts'

/**
 * The rear camera, and the `video` it is seen in. It is closed with the page, and when nobody looks at the page any
 * more; `onPutAway` hears of the latter.
 */
export function useCamera(onPutAway: () => void) {
  const video = useRef<HTMLVideoElement>(null)
  const stream = useRef<MediaStream | null>(null)
  const tellPutAway = useEffectEvent(onPutAway)

  useEffect(() => {
    // The light of a camera that nobody looks through frightens people, and a phone needs its memory.
    const leave = () => {
      if (!document.hidden) return
      if (stream.current) tellPutAway()
      closeCamera(stream.current)
      stream.current = null
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      closeCamera(stream.current)
    }
  }, [])

  /** False when `signal` ended it while the browser asked its owner. Throws what the browser refuses with. */
  async function open(signal: AbortSignal): Promise<boolean> {
    const opened = await openCamera()
    if (signal.aborted || !video.current) {
      closeCamera(opened)
      return false
    }
    stream.current = opened
    video.current.srcObject = opened
    await video.current.play()
    return true
  }

  function close(): void {
    closeCamera(stream.current)
    stream.current = null
  }

  return { video, open, close }
}
