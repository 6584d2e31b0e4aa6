import { useEffect, useEffectEvent, useRef } from 'react'
import { closeCamera, openCamera } from './photo.ts'

/**
 * The rear camera, and the `video` element that shows it. It is closed with the page, or when the page is hidden;
 * `onPutAway` is called for the latter.
 */
export function useCamera(onPutAway: () => void) {
  const video = useRef<HTMLVideoElement>(null)
  const stream = useRef<MediaStream | null>(null)
  const tellPutAway = useEffectEvent(onPutAway)

  useEffect(() => {
    // A camera light that stays on alarms people, and a phone needs its memory.
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

  /** Returns false if `signal` aborted while the browser asked for permission. Throws the browser's error. */
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
