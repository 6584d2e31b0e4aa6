import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import type { LiveConfirm } from './live-confirm.tsx'

/** What is asked before it is done: what will happen, and the words of the button that does it. */
type Question = { title: string; text: string; answer: string; isStop?: boolean }

/**
 * A submit button of an act that is dear to take back. Its page says what will happen, and without script it is sent
 * like any other. With script, a dialog asks once more; if that does not load, the button stays.
 */
export function ConfirmButton({
  ask,
  children,
  ...button
}: { ask: Question; children: ReactNode } & Omit<ComponentProps<'button'>, 'onClick' | 'ref' | 'type'>) {
  const [Live, setLive] = useState<typeof LiveConfirm | null>(null)
  const [isOpen, setOpen] = useState(false)
  const self = useRef<HTMLButtonElement>(null)
  const isSure = useRef(false)
  useEffect(() => {
    let isGone = false
    import('./live-confirm.tsx').then(
      ({ LiveConfirm: loaded }) => {
        if (!isGone) setLive(() => loaded)
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  return (
    <>
      <button
        {...button}
        ref={self}
        aria-haspopup={Live ? 'dialog' : undefined}
        onClick={(event) => {
          if (!Live || isSure.current) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </button>
      {Live ? (
        <Live
          {...ask}
          isOpen={isOpen}
          onOpenChange={setOpen}
          onSure={() => {
            isSure.current = true
            self.current?.click()
          }}
        />
      ) : null}
    </>
  )
}
