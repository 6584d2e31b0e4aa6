import type { CardResult, OpenPaymentFields } from '#app/ui/payment-fields.port.ts'

type FrameMessage = { from: 'sidewall-fields' } & (
  | { type: 'ready' | 'submit' | 'challenge' }
  | { type: 'height'; height: number }
  | { type: 'change'; complete: boolean }
  | { type: 'result'; status: CardResult['status']; error: string | null }
)

/**
 * The sandbox's card fields, in an iframe from its origin. Its messages are documented in
 * sandbox/payments/fields-script.ts.
 */
export const openSandboxFields: OpenPaymentFields<{ kind: 'sandbox'; origin: string }> = (
  box,
  { origin },
  charge,
  tell,
) => {
  const frame = document.createElement('iframe')
  frame.title = 'Card number, expiration date and security code'
  frame.src = `${origin}/fields?${new URLSearchParams({ client_secret: charge.clientSecret, origin: location.origin }).toString()}`

  function listen(event: MessageEvent): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    const message = event.data as FrameMessage
    if (message.from !== 'sidewall-fields') return
    switch (message.type) {
      case 'ready':
        return tell({ type: 'ready' })
      case 'height':
        frame.style.height = `${Math.min(Math.max(message.height, 120), 900)}px`
        return undefined
      case 'change':
        return tell({ type: 'changed', isComplete: message.complete })
      case 'submit':
        return tell({ type: 'submitted' })
      case 'challenge':
        return tell({ type: 'challenged' })
      case 'result':
        return tell({
          type: 'finished',
          result:
            message.status === 'failed'
              ? { status: 'failed', message: message.error ?? '' }
              : { status: message.status },
        })
    }
  }

  addEventListener('message', listen)
  box.append(frame)
  return {
    confirm: () => frame.contentWindow?.postMessage({ to: 'sidewall-fields', type: 'confirm' }, origin),
    remove() {
      removeEventListener('message', listen)
      frame.remove()
    },
  }
}
