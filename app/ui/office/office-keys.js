/**
 * Keyboard shortcuts for every office page. Ctrl+K and / open the search, ? shows the shortcuts, Ctrl+Enter sends the
 * form with the focus if one of its buttons declares it, and a link's or button's shortcut key activates it. Staff can
 * turn off single keys. Sent to the browser unbuilt, so it is plain JavaScript; without it, everything is reachable in
 * other ways.
 */
/** Presses the search that this width shows, or goes to its field where the page's script has not run yet. */
function search() {
  const shown = [...document.querySelectorAll('#office-find, .office-command, .office-phone-end')].find((each) =>
    each.checkVisibility(),
  )
  if (!(shown instanceof HTMLElement)) return false
  if (shown instanceof HTMLInputElement) shown.focus()
  else shown.click()
  return true
}

/** Whether the key is written into a field. */
function isTyping(/** @type {Element} */ target) {
  return target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null
}

/** Performs a key's action, and returns whether it has one. */
function press(/** @type {string} */ key) {
  if (key === '/') return search()
  const keys = key === '?' ? document.querySelector('#office-keys') : null
  if (keys instanceof HTMLElement) keys.togglePopover()
  const named = /^[a-z[]$/.test(key) ? document.querySelector(`:is(a, button)[aria-keyshortcuts="${key}"]`) : null
  if (named instanceof HTMLElement) named.click()
  return named !== null
}

/** Presses the button of the field's form that declares Ctrl+Enter, and returns whether there is one. */
function send(/** @type {Element} */ target) {
  const button = target.closest('form')?.querySelector('button[aria-keyshortcuts="Control+Enter"]')
  if (button instanceof HTMLElement) button.click()
  return button instanceof HTMLElement
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
  if (!(target instanceof Element) || altKey) return
  const isCommand = ctrlKey || metaKey
  const isDone = isCommand
    ? !shiftKey && ((key.toLowerCase() === 'k' && search()) || (key === 'Enter' && send(target)))
    : !isTyping(target) && !document.querySelector('#office-keys[data-off]') && press(key)
  if (isDone) event.preventDefault()
})
