/**
 * Keys for every office page: / goes to the search box, ? shows the keys, and a letter follows the link that names it. It is sent to the browser unbuilt, so it is
 * plain JavaScript; without it, the search box and the list of keys are reached as everything else is.
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
  const link = /^[a-z]$/.test(event.key) ? document.querySelector(`a[aria-keyshortcuts="${event.key}"]`) : null
  if (link instanceof HTMLAnchorElement) {
    event.preventDefault()
    link.click()
  }
  if (event.key === '?') {
    const keys = document.querySelector('#office-keys')
    if (keys instanceof HTMLElement) keys.togglePopover()
  }
})
