/**
 * Keys for every office page: Ctrl+K and / open the search, ? shows the keyboard shortcuts, and a key named by a link or
 * a button presses it. It is sent to the browser unbuilt, so it is plain JavaScript; without it, all of them are reached
 * otherwise.
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

document.addEventListener('keydown', (event) => {
  if (!(event.target instanceof Element)) return
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
    if (search()) event.preventDefault()
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')) return
  if (event.key === '/' && search()) event.preventDefault()
  const named = /^[a-z[]$/.test(event.key)
    ? document.querySelector(`:is(a, button)[aria-keyshortcuts="${event.key}"]`)
    : null
  if (named instanceof HTMLElement) {
    event.preventDefault()
    named.click()
  }
  if (event.key === '?') {
    const keys = document.querySelector('#office-keys')
    if (keys instanceof HTMLElement) keys.togglePopover()
  }
})
