/**
 * Keys for every office page: / goes to the search box, ? shows the keyboard shortcuts, and a key named by a link or a
 * button presses it. It is sent to the browser unbuilt, so it is plain JavaScript; without it, all of them are reached
 * otherwise.
 */
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return
  if (event.target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')) return
  if (event.key === '/') {
    const search = document.querySelector('#office-find')
    if (!(search instanceof HTMLInputElement)) return
    event.preventDefault()
    search.focus()
    search.select()
  }
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
