/**
 * Opens the browser's share dialog if it has one; otherwise shows the address and the email link. `summary` is from
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
    // Canceling is not a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) details.open = true
  }
}

/** Copies the URL to the clipboard with a confirmation. If that is not allowed, selects it for manual copying. */
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
