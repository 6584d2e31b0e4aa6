/**
 * The browser's own way to share where it has one; else the address and the mail link are shown. `summary` is that of
 * `Share`.
 */
export async function shareAddress(summary: HTMLElement): Promise<void> {
  const details = summary.parentElement as HTMLDetailsElement
  const field = details.querySelector('input')
  if (!field) return
  if (!('share' in navigator)) {
    details.open = !details.open
    return
  }
  try {
    await navigator.share({ title: document.title, url: field.value })
  } catch (error) {
    // Who changes their mind has not failed.
    if (!(error instanceof DOMException && error.name === 'AbortError')) details.open = true
  }
}

/**
 * Puts the address on the clipboard and says so; where that is not allowed it is selected, ready to be copied by hand.
 */
export async function copyAddress(button: HTMLElement): Promise<void> {
  const share = button.closest('.share')
  const [field, status] = [share?.querySelector('input'), share?.querySelector('[role="status"]')]
  if (!field || !status) return
  try {
    await navigator.clipboard.writeText(field.value)
    status.textContent = 'Copied.'
  } catch {
    field.select()
    status.textContent = 'Selected: copy it with your keyboard or by a long press.'
  }
}
