/**
 * Preserves unsent form input when the page is left. A form with data-keep-form is posted in the background, without
 * files, as if the button with that value had been pressed. Sent to the browser unbuilt, so it is plain JavaScript; the
 * form works without it.
 */
/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-keep-form]')
let isTyped = false

form?.addEventListener('input', () => (isTyped = true))
form?.addEventListener('submit', () => (isTyped = false))
document.addEventListener('visibilitychange', () => {
  if (!form || !isTyped || document.visibilityState !== 'hidden') return
  isTyped = false
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.append(name, value)
  fields.set('intent', form.dataset.keepForm ?? '')
  navigator.sendBeacon(form.action, fields)
})
