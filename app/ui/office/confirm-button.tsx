import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import type { LiveConfirm } from './live-confirm.tsx'

/** The confirmation dialog, with the consequence, and the button's text. */
type Question = { title: string; text: string; answer: string; isStop?: boolean }

/**
 * A submit button for an action that is hard to undo. Its page explains the consequence, and without script it is
 * submitted like any other. With script, a dialog requests confirmation. If that fails to load, the button still works.
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
